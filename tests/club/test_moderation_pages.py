"""The pages of whoever complains, and the desk, through their doors."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core import mail
from django.urls import reverse

from club.afterwords import services as afterwords
from club.demo.matches import play, seated
from club.members.models import Member
from club.moderation.models import Case, Complaint, Ruling
from club.moderation.services import claim
from games import clock
from games.models import Match
from notifications import kinds, sending, when
from notifications.models import Notice
from tests.club.test_afterwords import over
from tests.club.test_moderation import answered, claimed, complain, signed_in
from tests.factories import GuestFactory, MemberFactory
from tests.games.test_hidden import other_world

pytestmark = pytest.mark.django_db

HOSTILE = "<script>alert(1)</script>{{ 7*7 }}%(x)s\u202eabc'\"--"


@pytest.fixture
def pair() -> list[Member]:
    return [MemberFactory.create(), MemberFactory.create()]


@pytest.fixture
def match(pair: list[Member]) -> Match:
    return over(*pair)


@pytest.fixture
def moderator() -> Member:
    return MemberFactory.create(is_moderator=True)


def body(match: Match, seat: object, **more: object) -> dict[str, object]:
    return {"match": match.pk, "seat": seat, **more}


WORDS = {"category": "mockery", "text": "It was mockery."}


# Filing


def test_from_the_card_to_the_receipt(new_visitor, match, pair):
    visitor = signed_in(new_visitor, pair[0])
    page = visitor.get(reverse("after", args=[match.pk])).content.decode()
    assert f'action="{reverse("complain")}"' in page
    form = visitor.post(reverse("complain"), body(match, 1))
    said = form.content.decode()
    assert form.status_code == 200
    assert pair[1].name in said
    assert "never the member you complain of" in said
    assert "the other may guess" in said
    assert not Complaint.objects.exists()
    sent = visitor.post(reverse("complain"), body(match, 1, **WORDS))
    complaint = Complaint.objects.get()
    assert sent["Location"] == reverse("complaint", args=[complaint.pk])
    receipt = visitor.get(sent["Location"])
    assert "no-store" in receipt["Cache-Control"]
    assert "We answer until:" in receipt.content.decode()
    assert pair[1].name not in receipt.content.decode()
    assert reverse("complaint", args=[complaint.pk]) in visitor.get(reverse("complaints")).content.decode()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"seat": "0"}, 422),
        ({"seat": "2"}, 404),
        ({"seat": "7"}, 400),
        ({"seat": "-1"}, 400),
        ({"seat": "１"}, 400),
        ({"seat": ""}, 400),
        ({"match": ""}, 400),
        ({"match": "x' OR 1=1"}, 400),
        ({"match": str(uuid4())}, 404),
        ({"category": "system"}, 400),
        ({"category": ""}, 400),
        ({"text": ""}, 400),
        ({"text": " \u200b "}, 400),
        ({"text": "a" * 1001}, 400),
        ({"text": "\x00"}, 400),
    ],
)
def test_what_is_refused(new_visitor, match, pair, data, status):
    sent = signed_in(new_visitor, pair[0]).post(reverse("complain"), body(match, 1, **WORDS) | data)
    assert sent.status_code == status
    assert not Complaint.objects.exists()
    assert not Notice.objects.filter(kind__startswith="complaint").exists()


def test_doors_that_are_shut(new_visitor, match, pair):
    stranger, nobody = signed_in(new_visitor, MemberFactory.create()), new_visitor()
    assert stranger.post(reverse("complain"), body(match, 1, **WORDS)).status_code == 404
    assert nobody.post(reverse("complain"), body(match, 1, **WORDS)).status_code == 302
    visitor = signed_in(new_visitor, pair[0])
    assert visitor.get(reverse("complain")).status_code == 405
    Match.objects.update(ended_at=clock.now() - timedelta(days=91))
    assert visitor.post(reverse("complain"), body(match, 1, **WORDS)).status_code == 422
    assert not Complaint.objects.exists()


def test_the_fourth_of_a_day_is_told_when_to_come_back(new_visitor, match, pair):
    visitor = signed_in(new_visitor, pair[0])
    for _ in range(3):
        assert visitor.post(reverse("complain"), body(match, 1, **WORDS)).status_code == 302
    sent = visitor.post(reverse("complain"), body(match, 1, **WORDS | {"text": "My fourth text"}))
    assert sent.status_code == 429
    assert 86_000 < int(sent["Retry-After"]) <= 86_401
    assert "My fourth text" in sent.content.decode()


# Reading the answer


def test_only_whoever_complained_reads_the_receipt(new_visitor, match, pair, moderator):
    complaint = complain(match, pair[0], 1).complaint
    address = reverse("complaint", args=[complaint.pk])
    unknown = reverse("complaint", args=[uuid4()])
    for member in (pair[1], moderator, MemberFactory.create()):
        visitor = signed_in(new_visitor, member)
        refused, nothing = visitor.get(address), visitor.get(unknown)
        assert refused.status_code == nothing.status_code == 404
        assert plain(refused).replace(str(complaint.pk), "") == re.sub(r"/c/[0-9a-f-]{36}/", "/c//", plain(nothing))
        assert str(complaint.pk) not in visitor.get(reverse("complaints")).content.decode()
    assert new_visitor().get(address).status_code == 302


def plain(response) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", response.content.decode())


@pytest.mark.parametrize(
    ("decision", "words"), [("no_action", "The moderators did not act"), ("note", "The moderators acted")]
)
def test_the_answer_in_general_words(new_visitor, match, pair, moderator, decision, words):
    complaint = complain(match, pair[0], 1).complaint
    answered(complaint.case, moderator, decision, f"For these reasons. {HOSTILE}")
    html = signed_in(new_visitor, pair[0]).get(reverse("complaint", args=[complaint.pk])).content.decode()
    assert words in html
    assert "For these reasons." in html
    assert "<script>alert" not in html
    assert moderator.name not in html


def test_words_added_lead_to_the_first_receipt(new_visitor, match, pair):
    first = complain(match, pair[0], 1).complaint
    visitor = signed_in(new_visitor, pair[0])
    sent = visitor.post(reverse("complain"), body(match, 1, **WORDS))
    assert sent["Location"] == reverse("complaint", args=[first.pk])
    assert "It was mockery." in visitor.get(sent["Location"]).content.decode()
    added = Complaint.objects.get(first=first)
    assert "It was mockery." in visitor.get(reverse("complaint", args=[added.pk])).content.decode()
    assert visitor.get(reverse("complaints")).content.decode().count('class="row"') == 1


def test_a_guest_reads_the_answer_without_the_cookie(new_visitor, moderator):
    guest, other = GuestFactory.create(), MemberFactory.create()
    match = over(guest, other)
    visitor = signed_in(new_visitor, guest)
    sent = visitor.post(reverse("complain"), body(match, 1, **WORDS))
    assert sent.status_code == 200
    assert sent["Referrer-Policy"] == "no-referrer"
    link = re.search(r'href="(/c/answer/[^"]+/)"', sent.content.decode())
    assert link
    complaint = Complaint.objects.get()
    assert link[1].split("/")[3] not in (complaint.token_digest or "")
    page = reverse("complaint", args=[complaint.pk])
    assert link[1] not in visitor.get(page).content.decode()
    answered(complaint.case, moderator, reasons="An answer for the guest.")
    lost = new_visitor().get(link[1])
    assert "An answer for the guest." in lost.content.decode()
    assert "<form" not in lost.content.decode()
    assert (lost["Referrer-Policy"], "no-store" in lost["Cache-Control"]) == ("no-referrer", True)
    assert new_visitor().get(page).status_code == 302
    assert new_visitor().get(link[1][:-2] + "x/").status_code == 404


def test_mails_are_neutral(match, pair, moderator, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    for number, member in enumerate((*pair, moderator)):
        member.email, member.email_confirmed = f"m{number}@example.org", True
        member.save()
    complaint = complain(match, pair[0], 1, text="A text nobody mails").complaint
    answered_at = sent()
    answered(complaint.case, moderator, reasons="Reasons nobody mails")
    mails = answered_at + sent()
    assert [letter.to for letter in mails] == [["m2@example.org"], ["m0@example.org"]]
    names = (pair[0].name, pair[1].name, moderator.name)
    ids = (complaint.pk, complaint.case_id, match.pk)
    for letter in mails:
        head = str(letter.message()).split("\n\n")[0]
        whole = str(letter.message())
        assert letter.subject == "A message from the club"
        assert not re.search("In-Reply-To|References|List-|omplain|oderat", head)
        assert not [word for word in (*names, *ids, "nobody mails", complaint.pseudonym) if str(word) in whole]


def sent() -> list:
    mail.outbox.clear()
    Notice.objects.exclude(kind__startswith="complaint").delete()
    sending.send_all()
    return list(mail.outbox)


def test_a_moderator_who_stopped_being_one_is_not_told(match, pair, moderator):
    complain(match, pair[0], 1)
    notice = Notice.objects.get(kind="complaint_received")
    Member.objects.filter(pk=moderator.pk).update(is_moderator=False)
    assert not kinds.get("complaint_received").still_true(Notice.objects.get(pk=notice.pk))


# The desk


def desk_addresses(case: Case) -> list[tuple[str, str]]:
    acts = [("post", reverse(f"case_{act}", args=[case.pk])) for act in ("claim", "release", "answer")]
    return [("get", reverse("desk")), ("get", reverse("case", args=[case.pk])), *acts]


def test_the_desk_is_for_moderators(new_visitor, match, pair, moderator):
    case = complain(match, pair[0], 1).complaint.case
    guest = GuestFactory.create(is_moderator=True)
    staff = MemberFactory.create(is_staff=True, is_superuser=True)
    for member in (None, pair[0], pair[1], guest, staff):
        visitor = signed_in(new_visitor, member) if member else new_visitor()
        for method, address in desk_addresses(case):
            assert getattr(visitor, method)(address, {"version": case.version}).status_code == 404
    visitor = signed_in(new_visitor, moderator)
    for method, address in desk_addresses(case):
        other = "post" if method == "get" else "get"
        assert getattr(visitor, other)(address).status_code == 405
    assert visitor.get(reverse("case", args=[uuid4()])).status_code == 404
    case.refresh_from_db()
    assert case.version == 1


def test_from_the_queue_to_the_answer(new_visitor, match, pair, moderator):
    afterwords.write(match_id=match.pk, member=pair[1], seat=0, phrase="clever", text=f"Ha! {HOSTILE}")
    case = complain(match, pair[0], 1, "threat", f"He threatens. {HOSTILE}").complaint.case
    visitor = signed_in(new_visitor, moderator)
    queue = visitor.get(reverse("desk"))
    html = queue.content.decode()
    assert "no-store" in queue["Cache-Control"]
    assert re.search(r"3\xa0h 59\xa0min left|4\xa0h left", html)
    assert re.search(r'<progress class="countdown" max="240" value="(239|240)"', html)
    page = visitor.get(reverse("case", args=[case.pk])).content.decode()
    for word in ("He threatens.", "Ha!", pair[1].name, Complaint.objects.get().pseudonym, "Seat 1"):
        assert word in page
    assert "<script>alert" not in page
    assert "reasons" not in page
    taken = visitor.post(reverse("case_claim", args=[case.pk]), {"version": 1}, follow=True)
    assert 'name="reasons"' in taken.content.decode()
    sent = visitor.post(
        reverse("case_answer", args=[case.pk]), {"version": 2, "decision": "note", "reasons": "Against the rules."}
    )
    assert sent["Location"] == reverse("desk")
    assert Ruling.objects.get().author == moderator
    after = visitor.get(reverse("case", args=[case.pk])).content.decode()
    assert "Against the rules." in after
    assert 'name="reasons"' not in after
    assert str(case.pk) not in visitor.get(reverse("desk")).content.decode()


def test_an_old_page_is_answered_with_the_fresh_case(new_visitor, match, pair, moderator):
    case = claimed(complain(match, pair[0], 1).complaint.case, moderator)
    complain(match, pair[0], 1, text="What came meanwhile")
    visitor = signed_in(new_visitor, moderator)
    data = {"version": case.version, "decision": "note", "reasons": "What I had typed"}
    sent = visitor.post(reverse("case_answer", args=[case.pk]), data)
    html = sent.content.decode()
    assert sent.status_code == 409
    assert "What came meanwhile" in html
    assert "What I had typed" in html
    assert not Ruling.objects.exists()
    case.refresh_from_db()
    assert f'name="version" value="{case.version}"' in html


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"decision": "note"}, 400),
        ({"reasons": "x"}, 400),
        ({"decision": "ban", "reasons": "x"}, 400),
        ({"decision": "note", "reasons": "\u200b"}, 400),
        ({"decision": "note", "reasons": "x" * 2001}, 400),
        ({"decision": "note", "reasons": "x", "version": ""}, 400),
        ({"decision": "note", "reasons": "x", "version": "²"}, 400),
        ({"decision": "note", "reasons": "x", "version": "9" * 40}, 400),
        ({"decision": "note", "reasons": "x", "version": "1"}, 409),
    ],
)
def test_answers_that_are_refused(new_visitor, match, pair, moderator, data, status):
    case = claimed(complain(match, pair[0], 1).complaint.case, moderator)
    visitor = signed_in(new_visitor, moderator)
    sent = visitor.post(reverse("case_answer", args=[case.pk]), {"version": case.version} | data)
    assert sent.status_code == status
    assert not Ruling.objects.exists()


def test_another_moderators_case(new_visitor, match, pair, moderator):
    other = MemberFactory.create(is_moderator=True)
    case = claimed(complain(match, pair[0], 1).complaint.case, other)
    visitor = signed_in(new_visitor, moderator)
    assert "with another moderator" in visitor.get(reverse("desk")).content.decode()
    sent = visitor.post(reverse("case_claim", args=[case.pk]), {"version": case.version})
    assert sent.status_code == 409
    assert "Another moderator works on this case." in sent.content.decode()
    claim(case_id=case.pk, moderator=other, version=case.version)


def test_late_and_broken_promises_are_shown(new_visitor, match, pair, moderator):
    complain(match, pair[0], 1)
    visitor = signed_in(new_visitor, moderator)
    Case.objects.update(due_at=clock.now() + timedelta(minutes=30))
    assert re.search(r'countdown late" max="240" value="(29|30)"', visitor.get(reverse("desk")).content.decode())
    Case.objects.update(due_at=clock.now() - timedelta(minutes=75))
    assert "over by 1\xa0h 15\xa0min" in visitor.get(reverse("desk")).content.decode()


@pytest.mark.parametrize("moves", [3, 9])
def test_of_a_running_match_the_desk_sees_what_a_spectator_sees(new_visitor, pair, moderator, monkeypatch, moves):
    """The hidden tiles lie elsewhere: not a byte of the page changes."""
    match = play(seated(pair, "kozel"), moves=moves)
    case = complain(match, pair[0], 1, "stalling").complaint.case
    moment = when.now()
    monkeypatch.setattr(when, "now", lambda: moment)
    monkeypatch.setattr(clock, "now", lambda: moment)
    visitor, address = signed_in(new_visitor, moderator), reverse("case", args=[case.pk])
    seen = plain(visitor.get(address))
    assert "running: only what a spectator sees" in seen
    with other_world(match, None, random.Random(moves)):
        assert plain(visitor.get(address)) == seen


def test_earlier_rulings_are_shown(new_visitor, match, pair, moderator):
    answered(complain(match, pair[0], 1).complaint.case, moderator, "note")
    case = complain(over(*pair), pair[0], 1).complaint.case
    page = signed_in(new_visitor, moderator).get(reverse("case", args=[case.pk])).content.decode()
    assert "Earlier rulings" in page
