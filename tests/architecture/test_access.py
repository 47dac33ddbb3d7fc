"""Every address, whoever asks: one table (C24), and what holds for each of its answers (C61, C63 to C66)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlencode, urlsafe_base64_encode

from club.afterwords.services import write
from club.config.urls import socket_patterns
from club.demo.matches import seated
from club.members import tokens as member_tokens
from club.members.models import Member
from club.moderation import services as moderation
from games import selectors, services
from games.models import Seat
from notifications import backends
from notifications import tokens as notice_tokens
from tests.architecture.pages import Page
from tests.factories import PASSWORD, GuestFactory, MemberFactory
from tests.services import Services

pytestmark = pytest.mark.django_db

ROLES = ("nobody", "guest", "stranger", "seat", "other", "moderator")
"""Not signed in; a guest and a member who sit nowhere; the two who sit in the matches; a moderator who sits nowhere."""

# The table. `get` and `post` say what each of ROLES is answered, or one answer for all of them: a status, or `login`,
# which is the way to the page where one signs in. Names in braces are those of the world below.

LOGIN = "login"
NOT_ALLOWED = "405"
MEMBERS = "login 302 302 302 302 302"
SIGNED_IN = "login 200 200 200 200 200"
SEATS = "login 404 404 200 200 404"
SEATS_ACT = "login 404 404 302 302 404"
MODERATORS = "404 404 404 404 404 200"
MODERATORS_ACT = "404 404 404 404 404 302"


@dataclass(frozen=True)
class Row:
    """An address and its answers. `open_post`: a POST that needs no mark of our pages, and is answered all the same."""

    name: str
    get: str = NOT_ALLOWED
    post: str = NOT_ALLOWED
    head: str = ""
    """Where it is not that of `get`."""
    put: str = NOT_ALLOWED
    ids: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    open_post: bool = False

    def __str__(self) -> str:
        return " ".join([self.name, *self.ids.values()])

    def expected(self, method: str, role: str) -> str:
        answers = {"GET": self.get, "HEAD": self.head or self.get, "POST": self.post, "PUT": self.put}[method].split()
        return answers[0] if len(answers) == 1 else answers[ROLES.index(role)]


OPEN, PRIVATE = {"table_id": "{open.pk}"}, {"table_id": "{private.pk}"}
RUNNING, ENDED = {"match_id": "{running.pk}"}, {"match_id": "{ended.pk}"}
TO_OTHER, TO_SEAT = ENDED | {"seat": "{other_number}"}, ENDED | {"seat": "{seat_number}"}
CASE = {"case_id": "{case.pk}"}
TABLE = {
    "title": "kozel",
    "size": "2",
    "turn_hours": "24",
    "is_private": "no",
    "target": "101",
    "entry_13": "false",
    "bald": "true",
    "blank_double_rank": '"lowest"',
    "round_limit": "null",
}
MOVE = {"move": "throw", "seen": "{running.number}", "key": "0123456789"}
CHARGE = {"match": "{ended.pk}", "seat": "{other_number}"}
COMPLAINT = CHARGE | {"category": "rudeness", "text": "Not kind."}
ANSWER = {"version": "{case.version}", "decision": "no_action", "reasons": "Nothing of the sort."}
NEW_MEMBER = {"name": "Somebody New", "password": PASSWORD}
MAIL = {"email": "somebody@example.org"}

ROWS = [
    # The lobby, and what anybody may read.
    Row("lobby", "200"),
    Row("tables", "200"),
    Row("about", "200"),
    Row("rules", "200"),
    Row("rules_of", "200", ids={"slug": "kozel"}),
    Row("rules_of", "200", ids={"slug": "thousand"}),
    Row("rules_of", "404", ids={"slug": "chess"}),
    Row("trainer", "200", ids={"slug": "allfives"}),
    Row("trainer", "200", ids={"slug": "kozel"}),
    Row("trainer", "200", ids={"slug": "telefon"}),
    Row("trainer", "200", ids={"slug": "telefon365"}),
    Row("trainer", "200", ids={"slug": "thousand"}),
    Row("trainer", "404", ids={"slug": "chess"}),
    # Tables.
    Row("table_new", SIGNED_IN, MEMBERS, data=TABLE),
    Row("table_new", SIGNED_IN, "login 400 400 400 400 400", data=TABLE | {"title": "chess"}),
    Row("table", "200", ids=OPEN),
    Row("table", "404 404 404 200 404 404", ids=PRIVATE),
    Row("table", "404", ids={"table_id": "{unknown}"}),
    Row("table_join", post=MEMBERS, ids=OPEN),
    Row("table_join", post="login 404 404 302 404 404", ids=PRIVATE),
    Row("table_leave", post="login 404 404 302 404 404", ids=OPEN),
    Row("table_leave", post="login 404 404 302 404 404", ids=PRIVATE),
    Row("join_by_code", "200", "login 302 302 302 302 302", data={"code": "{code}"}),
    Row("join_by_code", "200", "login 404 404 404 404 404", data={"code": "ZZZZ-ZZZZ"}),
    # Matches.
    Row("match", SEATS, ids=RUNNING),
    Row("match", SEATS, ids=ENDED),
    Row("match_board", SEATS, ids=RUNNING),
    Row("match_log", SEATS, ids=RUNNING),
    Row("match_record", SEATS, ids=RUNNING),
    Row("match_record", SEATS, ids=ENDED),
    Row("match_move", post="login 404 404 302 409 404", ids=RUNNING, data=MOVE),
    Row("match_move", post="login 404 404 400 400 404", ids=RUNNING),
    Row("match_resign", post=SEATS_ACT, ids=RUNNING, data={"sure": "yes"}),
    Row("match_resign", post=SEATS, ids=RUNNING),
    Row("heartbeat", post="404", open_post=True),
    # The JSON door; its moves have tables of their own in tests/games/test_api.py.
    Row("api:openapi-json", "200"),
    Row("api:api-root", "404", "404", put="404"),
    Row("api:nothing", "404", "404", put="404", ids={"address": "x"}, open_post=True),
    Row("api:match", "401 404 404 200 200 404", head=NOT_ALLOWED, ids=RUNNING),
    Row("api:since", "401 404 404 200 200 404", head=NOT_ALLOWED, ids=RUNNING | {"number": "0"}),
    Row("api:move", post="401 415 415 415 415 415", ids=RUNNING),
    # Coming and going.
    Row("guest", "200 302 302 302 302 302", "302"),
    Row("signup", "200 200 302 302 302 302", "302", data=NEW_MEMBER),
    Row("signup", "200 200 302 302 302 302", "400 400 302 302 302 302", data=NEW_MEMBER | {"name": "admin"}),
    Row("signin", "200 200 302 302 302 302", "302", data={"login": "{spare.name}", "password": PASSWORD}),
    Row("signin", "200 200 302 302 302 302", "400 400 302 302 302 302", data={"login": "x", "password": "y"}),
    Row("signout", "200", "302"),
    Row("set_language", post="302", data={"language": "az"}),
    Row("theme", post="302", data={"theme": "dark"}),
    Row("password_reset", "200", "302", data=MAIL),
    Row("password_reset_done", "200"),
    Row("password_reset_confirm", "302", "302", put="302", ids={"uidb64": "{uid}", "token": "{reset}"}),
    Row("password_reset_confirm", "302", "302", put="302", ids={"uidb64": "{uid}", "token": "x-y"}),
    Row("password_reset_confirm", "404", "404", put="404", ids={"uidb64": "{uid}", "token": "set-password"}),
    Row("recover", "302", ids={"token": "{recovery}"}),
    Row("recover", "302", ids={"token": "x"}),
    Row("come_back", "404", "404"),
    Row("confirm_address", "302", ids={"token": "{claim}"}),
    Row("confirm_address", "302", ids={"token": "x"}),
    Row("own_address", "404", "404"),
    # Oneself, and others.
    Row("settings", SIGNED_IN),
    Row("my_name", SIGNED_IN, MEMBERS, data={"name": "Another Name"}),
    Row("my_name", SIGNED_IN, "login 400 400 400 400 400", data={"name": "{spare.name}"}),
    Row("zone", SIGNED_IN, MEMBERS, data={"zone": "Asia/Baku"}),
    Row("zone", SIGNED_IN, "login 204 204 204 204 204", data={"guessed": "Asia/Baku"}),
    Row("my_address", SIGNED_IN, MEMBERS, data=MAIL | {"password": PASSWORD}),
    Row("my_password", "login 302 200 200 200 200", MEMBERS, data={"password": PASSWORD, "new": "another " + PASSWORD}),
    Row("recovery", "login 200 302 302 302 302", "login 200 302 302 302 302"),
    Row("merge_guest", MEMBERS, MEMBERS),
    Row("profile", "200", ids={"pk": "{seat.pk}"}),
    Row("profile", "404", ids={"pk": "{unknown}"}),
    # Notices.
    Row("inbox", SIGNED_IN, MEMBERS),
    Row("notify_settings", SIGNED_IN, MEMBERS, data={"kind": "your_turn"}),
    Row("unsubscribe", "200", "200", ids={"token": "{unsubscribe}"}, open_post=True),
    Row("unsubscribe", "404", "404", ids={"token": "x"}, open_post=True),
    # After a match.
    Row("after", SEATS, ids=ENDED),
    Row("after", "login 404 404 302 302 404", ids=RUNNING),
    Row("afterword", post="login 404 404 409 422 404", ids=TO_OTHER, data={"phrase": "thanks"}),
    Row("afterword", post="login 404 404 422 302 404", ids=TO_SEAT, data={"phrase": "thanks"}),
    Row("afterword", post="login 404 404 404 404 404", ids=ENDED | {"seat": "3"}, data={"phrase": "thanks"}),
    Row("afterword_withdraw", post="login 404 404 302 404 404", ids=TO_OTHER),
    # Complaints.
    Row("complain", post="login 404 404 200 422 404", data=CHARGE),
    Row("complain", post="login 404 404 302 422 404", data=COMPLAINT),
    Row("complaints", SIGNED_IN),
    Row("complaint", "login 404 404 200 404 404", ids={"complaint_id": "{complaint.pk}"}),
    Row("complaint", "login 404 404 404 404 404", ids={"complaint_id": "{guests_complaint.pk}"}),
    Row("complaint_answer", "200", ids={"token": "{answer_token}"}),
    Row("complaint_answer", "404", ids={"token": "x"}),
    # The desk.
    Row("desk", MODERATORS),
    Row("case", MODERATORS, ids=CASE),
    Row("case_claim", post=MODERATORS_ACT, ids=CASE, data={"version": "{case.version}"}),
    Row("case_release", post=MODERATORS_ACT, ids=CASE, data={"version": "{case.version}"}),
    Row("case_answer", post=MODERATORS_ACT, ids=CASE, data=ANSWER),
    Row("case_answer", post="404 404 404 404 404 400", ids=CASE),
    # The mailbox of a development server.
    Row("dev_mailbox", "200"),
    Row("dev_mail", "200", ids={"name": "{letter}"}),
    Row("dev_mail", "404", ids={"name": "1-00000000"}),
    Row("dev_mail_html", "200", ids={"name": "{letter}"}),
]


def make_world() -> SimpleNamespace:
    """One of everything, made through the services; who is who as ROLES says."""
    guest, stranger, moderator, spare = (
        GuestFactory.create(),
        MemberFactory.create(),
        MemberFactory.create(is_moderator=True),
        MemberFactory.create(),
    )
    running = seated([MemberFactory.create(), MemberFactory.create()], "thousand")
    seats = Seat.objects.filter(table_id=running.pk).select_related("member")
    seat, other = seats.get(number=running.to_act[0]).member, seats.exclude(number=running.to_act[0]).get().member
    open_table = partial(services.open_table, member=seat, title="kozel", size=3, options={})
    private = open_table(is_private=True)
    ended = seated([seat, other], "kozel")
    services.resign(match_id=ended.pk, member=other)
    ended.refresh_from_db()
    write(match_id=ended.pk, member=seat, seat=1, phrase="thanks", text="You play well.")
    filed = moderation.file(match_id=ended.pk, member=seat, seat=1, category="rudeness", text="Not kind.")
    guests_match = seated([GuestFactory.create(), other], "kozel")
    guests = moderation.file(
        match_id=guests_match.pk, member=guests_match.table.opener, seat=1, category="spam", text="Adverts."
    )
    case = filed.complaint.case
    case.refresh_from_db()
    moderation.claim(case_id=case.pk, moderator=moderator, version=case.version)
    case.refresh_from_db()
    backends.FileBackend().send_messages([mail.EmailMessage("Hello", "A letter.", to=["x@example.org"])])
    return SimpleNamespace(
        members={"guest": guest, "stranger": stranger, "seat": seat, "other": other, "moderator": moderator},
        seat=seat,
        spare=spare,
        open=open_table(),
        private=private,
        code=selectors.room_code(private),
        running=running,
        ended=ended,
        seat_number=0,
        other_number=1,
        case=case,
        complaint=filed.complaint,
        guests_complaint=guests.complaint,
        answer_token=guests.token,
        uid=urlsafe_base64_encode(force_bytes(spare.pk)),
        reset=default_token_generator.make_token(spare),
        recovery=member_tokens.new_recovery(guest),
        claim=member_tokens.sign_claim(spare, "spare@example.org"),
        unsubscribe=notice_tokens.write(notice_tokens.Wish(spare.pk, "your_turn")),
        letter=next(iter(backends.Path(settings.EMAIL_FILE_PATH).glob("*.eml"))).stem,
        unknown=uuid4(),
    )


class Answer:
    """What one request led to."""

    def __init__(self, row: Row, role: str, method: str, address: str, response: Any, changed: list[str]) -> None:
        self.row, self.role, self.method, self.changed = row, role, method, changed
        self.status, self.headers = response.status_code, response.headers
        self.body = response.content.decode()
        self.address = address

    def __str__(self) -> str:
        return f"{self.method} {self.row} as {self.role}"

    @property
    def short(self) -> str:
        """As the table says it."""
        is_sign_in = self.status == 302 and self.headers["Location"].startswith("/login/?next=")
        return LOGIN if is_sign_in else str(self.status)

    @property
    def is_page(self) -> bool:
        return self.headers.get("Content-Type", "").startswith("text/html") and self.body != ""

    @property
    def plain(self) -> str:
        """The body without what differs from request to request: tokens, keys, and the address itself."""
        return re.sub(
            r'(name="(csrfmiddlewaretoken|next)" value|nonce)="[^"]*"', "~", self.body.replace(self.address, "")
        )


class World:
    """The objects, and requests about them. Whatever a request does is undone."""

    def __init__(self, stack: Services) -> None:
        self.stack = stack
        self.things = make_world()
        self.keys = {role: session_of(member) for role, member in self.things.members.items()}
        self.before = contents()

    def ask(self, row: Row, method: str, role: str, **options: bool) -> Answer:
        """One request. `enforce`: without the mark of our pages. `unknown`: with ids that do not exist."""
        self.stack.valkey.command("FLUSHDB")  # tries are counted there
        client = Client(enforce_csrf_checks=options.get("enforce", False))
        if role in self.keys:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.keys[role]
        address = self._address(row, options.get("unknown", False))
        with transaction.atomic():
            response = client.generic(method, address, **self._body(row, method, options.get("unknown", False)))
            changed = self._changed() if method == "GET" else []
            transaction.set_rollback(True)
        return Answer(row, role, method, address, response, changed)

    def _changed(self) -> list[str]:
        now = contents()
        return [table for table in now if now[table] != self.before[table]]

    def filled(self, row: Row) -> list[str]:
        """The ids and data of a row."""
        return [self._filled(text, False) for text in (*row.ids.values(), *row.data.values())]

    def _body(self, row: Row, method: str, unknown: bool) -> dict[str, Any]:
        if method != "POST":
            return {}
        data = {name: self._filled(value, unknown) for name, value in row.data.items()}
        return {"data": urlencode(data), "CONTENT_TYPE": "application/x-www-form-urlencoded"}

    def _address(self, row: Row, unknown: bool) -> str:
        return reverse(row.name, kwargs={name: self._filled(value, unknown) for name, value in row.ids.items()})

    def _filled(self, text: str, unknown: bool) -> str:
        value = text.format_map(vars(self.things))
        return str(uuid4()) if unknown and is_uuid(value) else value


def is_uuid(text: str) -> bool:
    return bool(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text))


def session_of(member: Member) -> str:
    client = Client()
    client.force_login(member)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


UNWATCHED = {"django_session", "django_migrations"}
"""A session is the visitor's own: a link may put something there, a year renews it."""


def contents() -> dict[str, str]:
    """A digest of every table, but for how far a seat has looked."""
    tables = sorted(set(connection.introspection.table_names()) - UNWATCHED)
    one = (
        "SELECT '{0}', md5(string_agg(line, ' ' ORDER BY line))"
        " FROM (SELECT (to_jsonb(t) - 'seen')::text AS line FROM \"{0}\" AS t) AS lines"
    )
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(one.format(table) for table in tables))
        return dict(cursor.fetchall())


@pytest.fixture(scope="module")
def answers(django_db_setup: None, django_db_blocker: Any, stack: Services) -> list[Answer]:
    """What everybody is answered everywhere; asked once, for all the tests below."""
    with django_db_blocker.unblock(), transaction.atomic():
        world = World(stack)
        found = [world.ask(row, method, role) for row, method, role in product(ROWS, ("GET", "POST"), ROLES)]
        found += [world.ask(row, method, "seat") for row, method in product(ROWS, ("HEAD", "PUT"))]
        transaction.set_rollback(True)
    return found


@pytest.fixture
def world(db: None, stack: Services) -> World:
    return World(stack)


# The table is whole


def routes(resolver: URLResolver, namespace: str = "") -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            assert entry.name, f"{entry.pattern} has no name"
            yield namespace + entry.name
        else:
            yield from routes(entry, namespace + (f"{entry.namespace}:" if entry.namespace else ""))


def test_every_address_is_in_the_table():
    listed, existing = {row.name for row in ROWS}, set(routes(get_resolver()))
    assert existing - listed == set(), "say in the table who gets what there"
    assert listed - existing == set()


def test_every_socket_has_tests_of_its_own():
    """tests/games/test_socket.py"""
    assert [str(entry.pattern) for entry in socket_patterns] == ["ws/m/<uuid:match_id>/"]


# Who gets what


def test_everybody_gets_what_the_table_says(answers):
    wrong = [
        f"{answer}: {answer.short}, not {answer.row.expected(answer.method, answer.role)}"
        for answer in answers
        if answer.short != answer.row.expected(answer.method, answer.role)
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_not_yours_looks_like_what_does_not_exist(world):
    """C24."""
    wrong = []
    for row in ROWS:
        for method, role in product(("GET", "POST"), ROLES):
            if row.expected(method, role) == "404" and any(map(is_uuid, world.filled(row))):
                theirs, nobodys = (world.ask(row, method, role, unknown=unknown) for unknown in (False, True))
                if (theirs.status, theirs.plain) != (nobodys.status, nobodys.plain):
                    wrong.append(str(theirs))
    assert not wrong, wrong


def test_a_form_of_another_site_is_refused_everywhere(world):
    """C61, C62. Those that need no mark know who asks by a token in the address or the head, or have no session."""
    wrong = []
    for row, role in product(ROWS, ROLES):
        answer = world.ask(row, "POST", role, enforce=True)
        if row.post != NOT_ALLOWED and not row.open_post and answer.status not in {403, 401, 415}:
            wrong.append(f"{answer}: {answer.status}")
    assert not wrong, wrong


def test_looking_changes_nothing(answers):
    """C63."""
    wrong = [f"{answer}: {answer.changed}" for answer in answers if answer.changed]
    assert not wrong, wrong


# What every answer has


def test_no_answer_is_kept_by_anybody_but_whoever_asked(answers):
    """C65, C66."""
    wrong = [
        f"{answer}: {answer.headers.get('Cache-Control')}, {answer.headers.get('Vary')}"
        for answer in answers
        if not {"private", "no-store"} <= set(answer.headers.get("Cache-Control", "").split(", "))
        or "public" in answer.headers["Cache-Control"]
        or "Cookie" not in answer.headers.get("Vary", "").split(", ")
    ]
    assert not wrong, "\n".join(wrong)


FEATURES = """
    accelerometer autoplay camera display-capture fullscreen geolocation gyroscope magnetometer microphone midi payment
    usb
"""
HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in FEATURES.split()),
}
SELF = "script-src style-src img-src font-src manifest-src worker-src connect-src form-action"
POLICY = {
    **dict.fromkeys(["default-src", "base-uri", "frame-ancestors"], "'none'"),
    **dict.fromkeys(SELF.split(), "'self'"),
}
HARMLESS = {"sandbox": "", "default-src": "'none'", "style-src": "'unsafe-inline'", "img-src": "data:"}
"""A mail brings its own style and pictures, and nothing of it may run."""
MAILS = {"dev_mail_html"}


def policy_of(answer: Answer) -> dict[str, str]:
    directives = answer.headers.get("Content-Security-Policy", "").split(";")
    return {name: value for name, _, value in (directive.strip().partition(" ") for directive in directives)}


def test_every_answer_has_the_headers_of_the_club(answers):
    """C64; security.md 2."""
    wrong = [
        f"{answer}: {name} {answer.headers.get(name)}"
        for answer in answers
        for name, value in HEADERS.items()
        if answer.headers.get(name) != value
    ]
    wrong += [
        f"{answer}: {policy_of(answer)}"
        for answer in answers
        if policy_of(answer) != (HARMLESS if answer.row.name in MAILS and answer.short == "200" else POLICY)
    ]
    assert not wrong, "\n".join(wrong)


SECRETS = {"join_by_code", "recover", "confirm_address", "unsubscribe", "complaint_answer"}
"""Addresses and pages that hold a secret (security.md 2)."""


def has_secret(answer: Answer) -> bool:
    row = answer.row
    return row.name in SECRETS or "{reset}" in row.ids.values() or (row.name == "table" and row.ids == PRIVATE)


def test_a_page_with_a_secret_is_told_to_no_other_page(answers):
    wrong = []
    for answer in answers:
        expected = "no-referrer" if has_secret(answer) and answer.short in {"200", "302"} else "same-origin"
        if answer.headers.get("Referrer-Policy") not in {expected, "no-referrer"}:
            wrong.append(f"{answer}: {answer.headers.get('Referrer-Policy')}")
    assert not wrong, "\n".join(wrong)


def test_a_form_on_such_a_page_still_says_where_it_comes_from(answers):
    """Browsers send forms of a page that is told to nobody without an origin, and those are refused (C61)."""
    pages = [(answer, Page(answer.body)) for answer in answers if answer.is_page]
    wrong = [
        str(answer)
        for answer, page in pages
        if answer.headers["Referrer-Policy"] == "no-referrer" and page.sends and page.referrer != "strict-origin"
    ]
    assert not wrong, "\n".join(wrong)


def test_no_page_has_anything_inline_or_from_elsewhere(answers):
    wrong = [f"{answer}: {fault}" for answer in answers if answer.is_page for fault in Page(answer.body).faults]
    assert not wrong, "\n".join(sorted(set(wrong)))
