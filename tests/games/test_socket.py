"""The socket of a match over a real server: it carries numbers, to the seats, and takes nothing (C67 to C72, C32)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from uuid import uuid4

import pytest
from django.test import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from club.demo.matches import play, seated
from club.stack.process import wait_until
from games import consumers, live
from games.models import Match, Seat
from tests.factories import GuestFactory, MemberFactory

WAIT = 10
QUIET = 0.5
NOT_FOUND, TOO_MANY, POLICY, TOO_LARGE, NO_TEXT = 4404, 4429, 1008, 1009, 1007


@pytest.fixture
def match(server: str) -> Match:
    return seated([MemberFactory.create(), GuestFactory.create()], "thousand")


@pytest.fixture
def seat(match: Match) -> Seat:
    return Seat.objects.select_related("member").filter(table_id=match.pk).order_by("number")[0]


def signed_in(member) -> Client:
    client = Client()
    client.force_login(member)
    return client


@pytest.fixture
def open_socket(server: str) -> Iterator[Callable[..., ClientConnection]]:
    """`open_socket(match_id, client, origin=…)`: a socket as the browser of `client` opens it."""
    with ExitStack() as sockets:

        def opened(match_id: object, client: Client | None = None, origin: str | None = server) -> ClientConnection:
            cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in (client or Client()).cookies.items())
            return sockets.enter_context(
                connect(
                    f"{server.replace('http', 'ws')}/ws/m/{match_id}/",
                    origin=origin,  # type: ignore[arg-type]
                    additional_headers={"Cookie": cookies} if cookies else {},
                    proxy=None,
                    max_size=2**20,
                )
            )

        yield opened
    # The server notices after us, and then still needs the database.
    assert wait_until(lambda: not consumers._open, 10)


def number(socket: ClientConnection) -> int:
    """The next thing a socket says, which is a number and nothing else."""
    said = json.loads(socket.recv(timeout=WAIT))
    assert said.keys() == {"number"}
    return said["number"]


def says_nothing(socket: ClientConnection) -> bool:
    try:
        socket.recv(timeout=QUIET)
    except TimeoutError:
        return True
    return False


def close_code(socket: ClientConnection) -> int | None:
    """Why the server closes a socket; what it said before is read over."""
    with suppress(ConnectionClosed):
        while True:
            socket.recv(timeout=WAIT)
    return socket.close_code


def test_the_number_comes_at_once_and_after_each_move_to_every_seat(match, open_socket):
    seats = Seat.objects.select_related("member").filter(table_id=match.pk)
    sockets = [open_socket(match.pk, signed_in(seat.member)) for seat in seats]
    assert [number(socket) for socket in sockets] == [match.number] * 2
    play(match, moves=1)
    assert [number(socket) for socket in sockets] == [match.number] * 2


def test_a_socket_opened_again_begins_with_the_newest_number(match, seat, open_socket):
    client = signed_in(seat.member)
    with open_socket(match.pk, client) as socket:
        assert number(socket) == match.number
    play(match, moves=3)
    with open_socket(match.pk, client) as socket:
        assert number(socket) == match.number
        assert says_nothing(socket)


def test_another_match_is_not_heard(match, seat, open_socket):
    socket = open_socket(match.pk, signed_in(seat.member))
    number(socket)
    play(seated([seat.member, MemberFactory.create()], "thousand"), moves=1)
    assert says_nothing(socket)


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example", "http://127.0.0.1", "\xff"])
def test_another_origin_is_refused_before_the_socket_opens(match, seat, open_socket, origin):
    """C67. An address is another one with another port."""
    with pytest.raises(InvalidStatus) as refused:
        open_socket(match.pk, signed_in(seat.member), origin)
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "stranger", [None, MemberFactory, GuestFactory, lambda: MemberFactory.create(is_moderator=True)]
)
def test_a_match_of_others_and_one_that_does_not_exist_close_alike(match, open_socket, stranger):
    """C68."""
    client = signed_in(stranger()) if stranger else None
    assert [close_code(open_socket(match_id, client)) for match_id in (match.pk, uuid4())] == [NOT_FOUND] * 2


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("", POLICY),
        ("{}", POLICY),
        ('{"move": "throw", "seen": 1, "key": "0123456789"}', POLICY),
        (b"\x00", POLICY),
        ("x" * 16384, POLICY),
        ("x" * 16385, TOO_LARGE),
        (b"\x00" * 20_000, TOO_LARGE),
    ],
    ids=lambda value: repr(value)[:12],
)
def test_whatever_is_sent_closes_the_socket(match, seat, open_socket, sent, code):
    """C69, C70, C72."""
    socket, before = open_socket(match.pk, signed_in(seat.member)), match.number
    assert number(socket) == before
    with suppress(ConnectionClosed):
        for _ in range(5 if code == POLICY else 1):
            socket.send(sent)
    assert close_code(socket) == code
    match.refresh_from_db()
    assert match.number == before


def test_a_frame_that_is_no_text_closes_the_socket(match, seat, open_socket):
    """C70."""
    socket = open_socket(match.pk, signed_in(seat.member))
    number(socket)
    socket.send(b"\xff\xfe", text=True)
    assert close_code(socket) == NO_TEXT


def sign_out(client: Client, member) -> None:
    client.post("/logout/")


def ban(client: Client, member) -> None:
    member.is_active = False
    member.save()


def leave_to_another(client: Client, member) -> None:
    Seat.objects.filter(member=member).update(member=MemberFactory.create())


@pytest.mark.parametrize("end", [sign_out, ban, leave_to_another])
def test_a_right_that_has_ended_closes_the_socket_at_the_next_number(match, seat, open_socket, end):
    """C32."""
    client = signed_in(seat.member)
    socket = open_socket(match.pk, client)
    number(socket)
    end(client, seat.member)
    live.ping(match)
    with pytest.raises(ConnectionClosed):
        socket.recv(timeout=WAIT)
    assert socket.close_code == NOT_FOUND


def test_a_connection_lost_while_a_number_is_on_its_way_is_forgotten(match, seat, open_socket, monkeypatch):
    asked, lost = threading.Event(), threading.Event()
    member_of = live.member_of

    def slowly(scope):
        asked.set()
        lost.wait(WAIT)
        return member_of(scope)

    socket = open_socket(match.pk, signed_in(seat.member))
    number(socket)
    monkeypatch.setattr(live, "member_of", slowly)
    live.ping(match)
    assert asked.wait(WAIT)
    socket.close()
    lost.set()
    assert wait_until(lambda: not consumers._open, WAIT)


def test_of_more_than_five_sockets_of_a_member_the_oldest_closes(match, seat, open_socket):
    """C71."""
    client = signed_in(seat.member)

    def opened() -> ClientConnection:
        socket = open_socket(match.pk, client)
        assert number(socket) == match.number
        return socket

    sockets = [opened() for _ in range(5)]
    other = Seat.objects.select_related("member").filter(table_id=match.pk).exclude(pk=seat.pk).get()
    assert number(open_socket(match.pk, signed_in(other.member))) == match.number
    sockets[1].close()
    assert says_nothing(sockets[0])
    sockets.append(opened())
    assert says_nothing(sockets[0])
    sockets.append(opened())
    assert close_code(sockets[0]) == TOO_MANY
    play(match, moves=1)
    assert number(sockets[2]) == match.number


def test_of_too_many_sockets_of_a_place_the_oldest_closes(match, open_socket, monkeypatch):
    """C71."""
    assert consumers.SOCKETS_OF_PLACE == 50
    monkeypatch.setattr(consumers, "SOCKETS_OF_PLACE", 2)
    seats = Seat.objects.select_related("member").filter(table_id=match.pk)
    sockets = []
    for seat in [*seats, seats[0]]:
        sockets.append(open_socket(match.pk, signed_in(seat.member)))
        assert number(sockets[-1]) == match.number
    assert close_code(sockets[0]) == TOO_MANY
    play(match, moves=1)
    assert number(sockets[1]) == match.number
