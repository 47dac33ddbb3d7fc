"""Nobody can tell who complained, the accused not even that anybody did (reliability.md P12, moderation.md 5)."""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Iterator

import pytest
import redis
from django.core import mail
from django.core.serializers import serialize
from django.urls import reverse

from club.afterwords import services as afterwords
from club.demo.matches import play, seated
from club.members.models import Member
from club.moderation.models import Case, Complaint, ComplaintIdentity, Ruling, StaffLog
from games import clock
from games.models import Match
from notifications import sending, when
from notifications.models import Notice
from tests.club.test_afterwords import over
from tests.club.test_moderation import answered, complain, signed_in
from tests.club.visitor import Visitor
from tests.conftest import Services
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db

OF_THE_REQUEST = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|name="key" value="[^"]*"|nonce="[^"]*"|Now: UTC, [0-9:]+'
)
"""What differs from request to request: drawn at random, or the time of day."""


@pytest.fixture
def canary() -> Member:
    return MemberFactory.create(name="Zugunruhe", email="zugunruhe@example.org", email_confirmed=True)


@pytest.fixture
def accused() -> Member:
    return MemberFactory.create()


@pytest.fixture
def moderator() -> Member:
    return MemberFactory.create(is_moderator=True, email="desk@example.org", email_confirmed=True)


@pytest.fixture
def _standing_clock(monkeypatch) -> None:
    moment = when.now()
    monkeypatch.setattr(when, "now", lambda: moment)
    monkeypatch.setattr(clock, "now", lambda: moment)


def traces(member: Member) -> list[str]:
    """Everything by which a member could be recognised."""
    return [member.name, str(member.pk), member.pk.hex, member.email]


# The accused


def surfaces(match: Match, accused: Member) -> list[str]:
    """Every page the accused can open."""
    names = ("match", "match_board", "match_log", "match_record", "after", "table")
    of_match = [reverse(name, args=[match.pk]) for name in names]
    own = [reverse(name) for name in ("lobby", "tables", "settings", "inbox", "notify_settings", "complaints", "desk")]
    api = [f"/api/matches/{match.pk}", f"/api/matches/{match.pk}/since/0"]
    return [*of_match, *own, *api, reverse("profile", args=[accused.pk])]


def served(visitor: Visitor, addresses: list[str]) -> dict[str, tuple[int, str, str]]:
    """What the accused gets: status, head and body of every page, without what differs from request to request."""
    answers = {}
    for address in addresses:
        response = visitor.get(address)
        head = json.dumps(sorted((name, value) for name, value in response.items() if "nonce" not in value))
        answers[address] = (response.status_code, head, OF_THE_REQUEST.sub("~", response.content.decode()))
    return answers


@pytest.mark.usefixtures("_standing_clock")
@pytest.mark.parametrize("is_moderator", [False, True])
@pytest.mark.parametrize("running", [False, True])
def test_the_accused_is_served_the_same_bytes(new_visitor, canary, accused, moderator, running, is_moderator):
    Member.objects.filter(pk=accused.pk).update(is_moderator=is_moderator)
    members = [canary, accused, MemberFactory.create()]
    match = play(seated(members, "kozel"), moves=4) if running else over(*members)
    if not running:
        afterwords.write(match_id=match.pk, member=accused, seat=0, text="Better luck next time")
    visitor, addresses = signed_in(new_visitor, accused), surfaces(match, accused)
    for _ in range(2):
        before = served(visitor, addresses)
    assert sum(status == 200 for status, *_ in before.values()) >= 12
    complaint = complain(match, canary, 1).complaint
    after_filing = served(visitor, addresses)
    answered(complaint.case, moderator, "note")
    after_the_answer = served(visitor, addresses)
    assert before == after_filing == after_the_answer
    own = [reverse("complaint", args=[complaint.pk]), reverse("case", args=[complaint.case_id])]
    assert [status for status, *_ in served(visitor, own).values()] == [404, 404]
    assert not Notice.objects.filter(member=accused, kind__startswith="complaint").exists()


# Staff


def test_a_canary_complainant_is_on_no_surface_of_staff(new_visitor, canary, accused, moderator):
    members = [canary, accused, MemberFactory.create()]
    for match in (play(seated(members, "kozel"), moves=20), over(*members)):
        complain(match, canary, 1)
    afterwords.write(match_id=match.pk, member=accused, seat=0, phrase="clever", text="What luck")
    complain(match, canary, 1)
    case = Case.objects.get()
    visitor = signed_in(new_visitor, moderator)
    addresses = [reverse("desk"), reverse("case", args=[case.pk]), reverse("inbox")]
    seen = [visitor.get(address).content.decode() for address in addresses]
    assert accused.name in seen[1]
    assert Complaint.objects.all()[0].pseudonym in seen[1]
    answered(case, moderator, "note")
    seen += [visitor.get(address).content.decode() for address in addresses]
    refused = visitor.post(reverse("case_answer", args=[case.pk]), {"version": 1, "reasons": "x"})
    assert refused.status_code in (400, 409)
    seen.append(refused.content.decode())
    assert [trace for trace in traces(canary) for page in seen if trace in page] == []
    assert [page for page in seen if str(match.pk) in page] == []


def test_a_canary_complainant_is_in_no_table_but_the_sealed_one(canary, accused, moderator):
    match = over(canary, accused, MemberFactory.create())
    answered(complain(match, canary, 1).complaint.case, moderator)
    rows = [*Case.objects.all(), *Complaint.objects.all(), *Ruling.objects.all(), *StaffLog.objects.all()]
    rows += [*ComplaintIdentity.objects.all(), *Notice.objects.filter(kind="complaint_received")]
    stored = serialize("json", rows)
    lines = b"".join(bytes(row.line) for row in StaffLog.objects.all()).decode()
    assert [trace for trace in traces(canary) if trace in stored + lines] == []
    (told,) = Notice.objects.filter(kind="complaint_answered")
    complaint = Complaint.objects.get()
    assert told.member == canary
    for secret in (complaint.pk, complaint.case_id, match.pk, complaint.pseudonym):
        assert str(secret) not in f"{told.about} {told.thread} {told.facts}"


def test_a_canary_complainant_is_in_no_mail_but_the_own_one(canary, accused, moderator):
    accused.email, accused.email_confirmed = "accused@example.org", True
    accused.save()
    match = over(canary, accused, MemberFactory.create())
    Notice.objects.all().delete()
    mail.outbox.clear()
    case = complain(match, canary, 1).complaint.case
    sending.send_all()
    answered(case, moderator)
    sending.send_all()
    assert sorted(letter.to[0] for letter in mail.outbox) == ["desk@example.org", canary.email]
    for letter in mail.outbox:
        others = [member for member in (canary, accused, moderator) if member.email != letter.to[0]]
        whole = str(letter.message())
        assert [trace for member in others for trace in traces(member) if trace and trace in whole] == []
        assert str(match.pk) not in whole


# Logs, broker, cache


class Listener(logging.Handler):
    """Keeps every line of every logger, as a log file would have it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener, loggers = Listener(), [logging.getLogger(), logging.getLogger("django")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(listener)
        logger.setLevel(logging.DEBUG)
    yield listener
    for logger, level in zip(loggers, levels, strict=True):
        logger.removeHandler(listener)
        logger.setLevel(level)


def test_the_door_writes_no_member_address_or_match_into_a_log(new_visitor, listener, canary, accused, moderator):
    match = over(canary, accused)
    visitor, stranger = signed_in(new_visitor, canary), signed_in(new_visitor, MemberFactory.create())
    data = {"match": match.pk, "seat": 1, "category": "rudeness", "text": "A quiet word"}
    listener.lines.clear()
    variants: list[dict[str, str]] = [{}, {"text": ""}, {"seat": "0"}]
    statuses = [visitor.post(reverse("complain"), data | more).status_code for more in variants]
    statuses += [visitor.post(reverse("complain"), data).status_code for _ in range(3)]
    statuses += [stranger.post(reverse("complain"), data).status_code, visitor.get(reverse("complain")).status_code]
    assert statuses == [302, 400, 422, 302, 302, 429, 404, 405]
    log = "\n".join(line for line in listener.lines if not line.startswith("django.template"))
    assert "/complaint/" in log
    found = [*traces(canary), *traces(accused)[:3], match.pk, visitor.defaults["REMOTE_ADDR"], "A quiet word"]
    assert [trace for trace in found if str(trace) in log] == []


@pytest.mark.django_db(transaction=True)
def test_broker_and_cache_know_nothing(stack: Services, canary, accused, moderator):
    match = over(canary, accused)
    valkey = redis.Redis(unix_socket_path=str(stack.valkey.socket))
    valkey.flushdb()
    complaint = answered(complain(match, canary, 1).complaint.case, moderator).case.complaints.get()
    messages = [message for key in valkey.scan_iter(_type="list") for message in valkey.lrange(key, 0, -1)]
    bodies = [base64.b64decode(json.loads(message)["body"]) for message in messages]
    assert len(bodies) == 2
    kept = repr([*valkey.keys(), *messages, *bodies])
    secrets = [*traces(canary), complaint.pk, complaint.case_id, match.pk, complaint.pseudonym]
    assert [secret for secret in secrets if str(secret) in kept] == []
