"""The main job on the real thing: HTTP, socket, sweep, worker, mail server. Two members and a guest play whole matches.

Nobody here has JavaScript: every step is a form or a link found in the page before it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from email.message import EmailMessage
from threading import Thread

import pytest
from django.test import override_settings
from django.utils import translation
from django.utils.translation import gettext
from websockets.sync.client import ClientConnection, connect

from club.moderation.models import Complaint
from club.stack.process import wait_until
from games import clock
from games.models import Event, Match, Seat, Turn
from games.tasks import probe, sweep
from notifications.models import Delivery, Notice
from tests import records as reader
from tests.factories import PASSWORD, MemberFactory
from tests.flows.person import Person
from tests.games.reading import Page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(server: str) -> dict[str, Person]:
    """A member who reads Russian, one who reads Turkish, and a guest who reads Azerbaijani."""
    for name, language, zone in (("Анна", "ru", "Europe/Moscow"), ("Işıl", "tr", "Europe/Istanbul")):
        address = {"Анна": "anna@example.org", "Işıl": "isil@example.org"}[name]
        MemberFactory(name=name, email=address, email_confirmed=True, language=language, time_zone=zone)
    people = {name: Person(server) for name in ("Анна", "Işıl", "guest")}
    for name in ("Анна", "Işıl"):
        page = people[name].read("/login/")
        page = people[name].press(page.form("/login/"), login=name, password=PASSWORD)
        assert name in page.text
    guest = people["guest"] = Person(server, "az")
    page = guest.press(guest.read("/").form("/guest/"))
    assert page.status == 200
    return people


def open_table(person: Person, title: str, size: int, **options: str) -> str:
    """Open a private table by the form; returns its path."""
    page = person.read(f"/tables/new/?title={title}&size={size}")
    page = person.press(page.form("/tables/new/"), is_private="yes", **options)
    assert page.url.path.startswith("/t/")
    return page.url.path


def code_of(page: Page) -> str:
    return re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", page.text)[0]


def sit_down(people: dict[str, Person], title: str, **options: str) -> Match:
    """Anna opens, the others come with the room code; the match starts with the last of them."""
    anna, isil, guest = people.values()
    path = open_table(anna, title, 3, **options)
    code = code_of(anna.read(path))
    for person in (isil, guest):
        page = person.press(person.read("/j/").form("/j/"), code=code.lower())
    assert page.url.path.startswith("/m/")
    return Match.objects.select_related("table").get(pk=page.url.path.split("/")[2])


def seat_of(match: Match, person: Person) -> Seat:
    """The seat whose page this person's browser shows."""
    me = person.read("/me/")
    names = {seat.member.name: seat for seat in Seat.objects.filter(table_id=match.pk).select_related("member")}
    return next(seat for name, seat in names.items() if name in me.text)


def make_a_move(person: Person, match: Match) -> Page:
    """Choose, confirm: the first thing the page offers; points are banked as soon as that is offered."""
    page = person.read(f"/m/{match.pk}/")
    if not page.has_form("/move/"):
        page = person.read(page.link("?stage="))
    form = page.form("/move/")
    offered = [value for name, value, _words in form.buttons if name == "move"]
    return person.press(form, "bank" if "bank" in offered else offered[0])


class Listener(Thread):
    """A socket of one person, read all the time as the page's script reads it."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__(daemon=True)
        self.socket = socket
        self.messages: list[dict] = []
        self.start()

    def run(self) -> None:
        for message in self.socket:
            self.messages.append(json.loads(message))

    @property
    def numbers(self) -> list[int]:
        return [message["number"] for message in self.messages]

    def has_heard(self, number: int) -> bool:
        return bool(self.messages) and self.numbers[-1] == number


def socket_of(person: Person, match: Match) -> ClientConnection:
    cookies = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
    address = person.server.replace("http", "ws", 1) + f"/ws/m/{match.pk}/"
    return connect(address, origin=person.server, additional_headers={"Cookie": cookies})


def play_on(match: Match, by_seat: dict[int, Person], enough: Callable[[], bool] = lambda: False) -> None:
    match.refresh_from_db()
    while not match.is_over and not enough():
        page = make_a_move(by_seat[match.to_act[0]], match)
        assert page.status == 200, page.text[:500]
        match.refresh_from_db()


def let_lapse(match: Match) -> int:
    """Nobody comes until the deadline and its grace are over; the worker's sweep finds the turn. Returns the seat."""
    match.refresh_from_db()
    turn = match.turns.get(closed_at__isnull=True)
    late = clock.now() - clock.GRACE - timedelta(seconds=1)
    Turn.objects.filter(pk=turn.pk).update(opened_at=late - timedelta(days=1), promised_at=late, due_at=late)
    # The lapse before this one was yesterday.
    Seat.objects.filter(table_id=match.pk, lapsed_at__isnull=False).update(lapsed_at=late - timedelta(hours=20))
    sweep.delay()
    assert wait_until(lambda: Turn.objects.get(pk=turn.pk).closed_at is not None, 15)
    return turn.seat


def beat(server: str) -> None:
    """The synthetic move through the public door; without it nothing expires."""
    with override_settings(PROBE_URL=server):
        probe()


def each_mail_once(mails: list[EmailMessage]) -> None:
    """Every delivery that was sent is one mail, and no mail came twice."""
    ids = Counter(str(mail["Message-ID"]) for mail in mails)
    assert set(ids.values()) <= {1}
    assert len(mails) == Delivery.objects.filter(state=Delivery.State.SENT).count()


def mails_of(mails: list[EmailMessage], address: str) -> list[EmailMessage]:
    return [mail for mail in mails if address in str(mail["To"])]


@pytest.mark.parametrize("title", ["kozel", "thousand"])
def test_two_members_and_a_guest_play_a_whole_match(title, people, server, worker, smtp_sink):
    match = sit_down(people, title)
    by_seat = {seat_of(match, person).number: person for person in people.values()}
    assert sorted(by_seat) == [0, 1, 2]
    with ExitStack() as stack:
        listeners = [Listener(stack.enter_context(socket_of(person, match))) for person in people.values()]
        play_on(match, by_seat)
        for listener in listeners:
            assert wait_until(lambda heard=listener.has_heard: heard(match.number), 10)
            assert listener.numbers == sorted(listener.numbers)
            assert all(message.keys() == {"number"} for message in listener.messages)
    anna = people["Анна"]
    record = anna.http.get(f"/m/{match.pk}/record/").json()
    reader.check(record)
    assert record["outcome"]["reason"] == "target"
    # Two members have an address, the guest has none.
    settled = Delivery.objects.exclude(state=Delivery.State.QUEUED)
    assert wait_until(lambda: settled.count() == Delivery.objects.count(), 60)
    each_mail_once(smtp_sink.messages)
    assert Delivery.objects.filter(notice__kind="match_ended", state=Delivery.State.SENT).count() == 2
    for person in people.values():
        page = person.read(f"/m/{match.pk}/?at={match.number // 2}")
        assert page.status == 200
        assert not page.has_form("/move/")


def test_a_lapse_is_played_a_second_forfeits_then_words_and_a_complaint(people, server, worker, smtp_sink):
    match = sit_down(people, "kozel", round_limit="1")
    by_seat = {seat_of(match, person).number: person for person in people.values()}
    names = {person: name for name, person in people.items()}
    beat(server)

    # Anna stays away twice in a row.
    anna_seat = next(seat for seat, person in by_seat.items() if names[person] == "Анна")
    play_on(match, by_seat, lambda: match.to_act == [anna_seat])
    assert let_lapse(match) == anna_seat
    match.refresh_from_db()
    kinds = [event.kind for event in Event.objects.filter(match=match).order_by("number")]
    assert kinds.count("lapsed") == 1
    play_on(match, by_seat, lambda: match.to_act == [anna_seat])
    assert let_lapse(match) == anna_seat
    assert Event.objects.filter(match=match, kind="forfeited", seat=anna_seat).count() == 1
    assert Event.objects.filter(match=match, kind="bot_seated", seat=anna_seat).count() == 1
    match.refresh_from_db()
    play_on(match, by_seat)
    assert match.is_over
    assert anna_seat not in match.outcome["winners"]

    # Told at once, in her language, by a mail each.
    told = Delivery.objects.filter(notice__kind="lapsed", notice__member__name="Анна", state=Delivery.State.SENT)
    assert wait_until(lambda: told.count() == 2, 30)
    with translation.override("ru"):
        subject = gettext("Your time was over: %(title)s") % {"title": gettext("Kozel")}
    subjects = [str(mail["Subject"]).strip() for mail in mails_of(smtp_sink.messages, "anna@")]
    assert subjects.count(subject) == 2

    after = f"/m/{match.pk}/after/"
    isil, guest = people["Işıl"], people["guest"]
    guest_seat = next(seat for seat, person in by_seat.items() if person is guest)
    isil_seat = next(seat for seat, person in by_seat.items() if person is isil)

    # A kind word from the guest to Işıl.
    page = guest.read(after)
    page = guest.press(page.form(f"/after/{isil_seat}/"), phrase="patient")
    assert page.status == 200
    with translation.override("tr"):
        in_turkish = gettext("Thank you for your patience.")
    assert in_turkish != "Thank you for your patience."
    assert in_turkish in isil.read(after).text

    # Işıl complains about the guest; nobody else learns of it.
    before = guest.read(after).text
    page = isil.read(after)
    about = next(form for form in page.forms if "complaint" in form.action and form.fields["seat"] == str(guest_seat))
    page = isil.press(about)
    page = isil.press(page.form("/complaint/"), category="rudeness", text="Kaba sözler yazdı.")
    receipt = page.url.path
    assert receipt.startswith("/c/")
    assert guest.read(after).text == before

    # A moderator answers at the desk.
    moderator = MemberFactory(
        name="Nigar", is_moderator=True, language="az", email="nigar@example.org", email_confirmed=True
    )
    desk = Person(server)
    desk.press(desk.read("/login/").form("/login/"), login=moderator.name, password=PASSWORD)
    page = desk.read("/mod/")
    page = desk.read(page.link("/mod/c/"))
    assert "Işıl" not in page.text, "the complainant is a mark"
    page = desk.press(page.form("claim"))
    page = desk.press(page.form("answer"), decision="note", reasons="Mesajlar incelendi; uyarı verildi.")
    assert page.status == 200
    assert Complaint.objects.get().answered_at is not None
    answer = isil.read(receipt).text
    assert "Mesajlar incelendi" in answer
    for person in (guest, people["Анна"]):
        assert person.read(receipt).status == 404
        assert "Mesajlar incelendi" not in person.read(after).text

    settled = Delivery.objects.exclude(state=Delivery.State.QUEUED)
    assert wait_until(lambda: settled.count() == Delivery.objects.count(), 60)
    each_mail_once(smtp_sink.messages)
    told = Notice.objects.filter(kind="complaint_answered")
    assert [notice.member.name for notice in told] == ["Işıl"]
