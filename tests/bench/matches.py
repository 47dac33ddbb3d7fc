"""Matches for the clients to play: real members at real tables, and every move known beforehand.

The benchmark holds the keys of its own club, so it can foresee deals and dice. That leaves the clients nothing to do
but to send and to wait, and each answer is checked against the number the move must lead to.
"""

from __future__ import annotations

import random
import secrets
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse

from club.demo.matches import seated
from club.members import sessions
from club.members.models import Member
from games import store, titles
from games.engine import match as engine
from games.models import Match, Seat
from tests.bench.club import HOST


@dataclass(frozen=True, slots=True)
class Shot:
    """A move ready to be sent, and the event number it must lead to."""

    request: bytes
    number: int


@dataclass(frozen=True, slots=True)
class Player:
    """A member who has signed in: the row, and the headers its browser sends."""

    member: Member
    headers: str


class Client:
    """Two members with a match of every title at a time; they make a move here, then a move there."""

    def __init__(self, players: Sequence[Player], port: int) -> None:
        self.players = players
        self.port = port
        self._rng = random.Random(1)
        self._shots: dict[str, deque[Shot]] = {slug: deque() for slug in titles.slugs()}
        self._next = cycle(titles.slugs())

    def prepare(self, moves: int) -> None:
        """Sit down to as many matches as it takes to have `moves` moves to play."""
        for slug, shots in self._shots.items():
            while len(shots) * len(self._shots) < moves:
                shots.extend(self._foresee(seated([player.member for player in self.players], slug)))

    def take(self) -> Shot | None:
        """The next move; None when there is none left."""
        shots = self._shots[next(self._next)]
        return shots.popleft() if shots else None

    def forget(self) -> None:
        """Leave all matches as they are: what was foreseen is no longer true."""
        for shots in self._shots.values():
            shots.clear()

    def _foresee(self, match: Match) -> list[Shot]:
        """Random moves to the end of a match, and what each leads to."""
        seats = list(Seat.objects.filter(table_id=match.pk).order_by("number"))
        draws = store.chance_of(match.table, bytes(match.transcript))
        state, number = store.state_of(match, seats), match.number
        shots = []
        while state.outcome is None:
            seat = min(state.to_act())
            move = self._rng.choice(state.title.legal_moves(state.position, seat))
            request = self._request(match.pk, seat, move, number)
            state, events = engine.step(state, seat, move, draws)
            number += len(events)
            while (auto := engine.automatic(state)) is not None:
                state, events = engine.step(state, auto.seat, auto.move, draws, auto.by)
                number += len(events)
            shots.append(Shot(request, number))
        return shots

    def _request(self, match: UUID, seat: int, move: str, seen: int) -> bytes:
        body = urlencode({"move": move, "seen": seen, "key": uuid4()})
        return (
            f"POST {reverse('match_move', args=[match])} HTTP/1.1\r\n"
            f"{self.players[seat].headers}"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        ).encode("ascii")


def new_client(number: int, port: int) -> Client:
    """A client of the web server at `port`, with two members of its own."""
    return Client([_player(f"Player {number} {seat}", port) for seat in range(2)], port)


def _player(name: str, port: int) -> Player:
    """A member whom notices reach by mail, signed in."""
    mail = f"{name.replace(' ', '.')}@example.org"
    member = Member.objects.create_user(name, email=mail, email_confirmed=True)
    csrf = secrets.token_hex(16)
    cookies = f"{settings.SESSION_COOKIE_NAME}={_session(member)}; {settings.CSRF_COOKIE_NAME}={csrf}"
    headers = {
        "Host": f"{HOST}:{port}",
        "X-Forwarded-Proto": "https",
        "Origin": f"https://{HOST}:{port}",
        "Accept": "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": cookies,
        "X-CSRFToken": csrf,
    }
    return Player(member, "".join(f"{header}: {value}\r\n" for header, value in headers.items()))


def _session(member: Member) -> str:
    request = HttpRequest()
    request.user, request.session = AnonymousUser(), sessions.SessionStore()
    sessions.sign_in(request, member)
    request.session.save()
    return str(request.session.session_key)
