"""A mail server that can be told how to behave, members, and a kind of notice to tell them."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from club.members.models import Member
from notifications import kinds, sending, when
from notifications.kinds import Kind, Letter
from notifications.models import Delivery, Notice
from notifications.services import tell

HANG = "hang"
_numbers = count(1)


@dataclass
class Office:
    """What the mail server got, and what it answers to RCPT and DATA by address."""

    port: int = 0
    got: list[tuple[str, EmailMessage]] = field(default_factory=list)
    at_rcpt: dict[str, str] = field(default_factory=dict)
    at_data: dict[str, str] = field(default_factory=dict)

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        answer = await self._answer(self.at_rcpt.get(address, "250 OK"))
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server, session, envelope) -> str:
        address = envelope.rcpt_tos[0]
        answer = await self._answer(self.at_data.get(address, "250 OK"))
        if answer.startswith("2"):
            self.got.append((address, message_from_bytes(envelope.content, policy=policy.default)))
        return answer

    async def _answer(self, answer: str) -> str:
        if answer == HANG:
            await asyncio.sleep(5)
        return answer

    @property
    def addresses(self) -> list[str]:
        return sorted(address for address, _ in self.got)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def office(settings) -> Iterator[Office]:
    """A real SMTP server on the loopback; mail of the test goes there."""
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd's own: every line of the talk
    office = Office(free_port())
    controller = Controller(office, hostname="127.0.0.1", port=office.port)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", office.port, 1
    yield office
    controller.stop()


@pytest.fixture
def make_member() -> Callable[..., Member]:
    """A member whom mail reaches."""

    def make(**fields) -> Member:
        number = next(_numbers)
        values = {"email": f"m{number}@example.org", "email_confirmed": True, "time_zone": "Asia/Baku"} | fields
        return Member.objects.create_user(f"Player {number}", None, **values)

    return make


@pytest.fixture
def member(db, make_member) -> Member:
    return make_member()


def written(member: Member, kind: str = "turn", about: str = "turn:1", **telling: Any) -> Notice:
    """A new notice."""
    notice = tell(member, kind, about=about, **telling)
    assert notice is not None
    return notice


def queued(member: Member, **telling: Any) -> Delivery:
    """A new notice's way by mail."""
    return written(member, **telling).deliveries.get()


def claimed() -> Delivery:
    """The delivery that has been due longest, in this worker's hands."""
    delivery = sending.claim()
    assert delivery is not None
    return delivery


def compose(notice: Notice) -> Letter:
    """A letter that says the deadline, if there is one, and what its facts hold."""
    lines = [f"Until {when.until(notice.due_at, notice.member)}."] if notice.due_at else []
    if notice.facts.get("broken"):
        raise RuntimeError("this letter cannot be written")
    return Letter(
        notice.facts.get("subject", "Your turn"),
        (*lines, notice.facts.get("line", "It is your turn.")),
        "Play",
        "/m/17/",
        quote=lambda: tuple(notice.facts.get("quote", ())),
        neutral=notice.facts.get("neutral", False),
    )


def still_true(notice: Notice) -> bool:
    return notice.facts.get("still", True)


@pytest.fixture(autouse=True)
def kind(monkeypatch) -> Kind:
    """A kind that can be switched off; `vital` is one that cannot."""
    turn = Kind("turn", "It is my turn", still_true, compose)
    monkeypatch.setitem(kinds._kinds, "turn", turn)
    monkeypatch.setitem(kinds._kinds, "vital", Kind("vital", "Vital", still_true, compose, always=True))
    return turn
