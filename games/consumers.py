"""The socket of a match. It carries numbers only: hidden tiles never enter a shared message (architecture.md 8)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from uuid import UUID

from channels.db import database_sync_to_async
from channels.exceptions import DenyConnection
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.conf import settings
from django.http import HttpRequest

from club.members.limits import place
from club.members.models import Member
from games import live, selectors
from games.errors import NotFound

NOT_FOUND = 4404
TOO_MANY = 4429
POLICY = 1008

SOCKETS_OF_MEMBER, SOCKETS_OF_PLACE = 5, 50
"""As many may be open at once in a web process (security.md 7)."""

_open: dict[str, list[MatchConsumer]] = {}
"""The open sockets of each member and of each place, the oldest first."""


class MatchConsumer(AsyncJsonWebsocketConsumer):
    """`{"number": 42}` at once and whenever the match has moved on; anything a browser sends is refused."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False
        self.joined = ""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # Also when the connection is lost while a number is on its way, which no `disconnect` tells of.
            await self._leave()

    async def connect(self) -> None:
        if not _comes_from_us(self.scope):
            raise DenyConnection
        self.match_id: UUID = self.scope["url_route"]["kwargs"]["match_id"]
        # Accepting first is what lets the browser see why it is closed.
        await self.accept()
        # A move between joining and looking would be a ping nobody heard.
        self.joined = live.group(self.match_id)
        await self.channel_layer.group_add(self.joined, self.channel_name)
        if member := await self._tell():
            await self._make_room(member)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: object) -> None:
        await self.close(POLICY)

    async def at(self, message: dict[str, Any]) -> None:
        """A hint from the group."""
        if not self.closed:
            await self._tell()

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        """Close once: what arrives afterwards was sent before the browser heard of it."""
        if not self.closed:
            self.closed = True
            await super().close(code, reason)

    async def _leave(self) -> None:
        for key in [key for key, sockets in _open.items() if self in sockets]:
            _open[key].remove(self)
            if not _open[key]:
                del _open[key]
        if self.joined:
            await self.channel_layer.group_discard(self.joined, self.channel_name)

    async def _tell(self) -> Member | None:
        """Say the newest number and return whose socket this is; or close it, when the right has ended (C32)."""
        try:
            number, member = await self._access()
        except NotFound:
            await self.close(NOT_FOUND)
            return None
        await self.send_json({"number": number})
        return member

    @database_sync_to_async
    def _access(self) -> tuple[int, Member]:
        match, seat = selectors.access_match(self.match_id, live.member_of(self.scope))
        return match.number, seat.member

    async def _make_room(self, member: Member) -> None:
        """Of too many sockets the oldest closes (C71)."""
        limits = {f"of {member.pk}": SOCKETS_OF_MEMBER, f"from {_place(self.scope)}": SOCKETS_OF_PLACE}
        for key, limit in limits.items():
            sockets = _open.setdefault(key, [])
            sockets.append(self)
            if len(sockets) > limit:
                with suppress(OSError):  # lost already
                    await sockets.pop(0).close(TOO_MANY)


def _comes_from_us(scope: dict[str, Any]) -> bool:
    """Whether a page of this very address opens the socket; a browser always says which, and truly (C67)."""
    heads = {name: value.decode("latin-1") for name, value in scope["headers"] if name in (b"origin", b"host")}
    host = heads.get(b"host")
    return heads.get(b"origin") in {f"http://{host}", f"https://{host}", *settings.CSRF_TRUSTED_ORIGINS}


def _place(scope: dict[str, Any]) -> str:
    request = HttpRequest()
    request.META["REMOTE_ADDR"] = scope["client"][0] if scope.get("client") else ""
    return place(request)
