"""The socket of a match. It carries numbers only: hidden tiles never enter a shared message (architecture.md 8)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn
from uuid import UUID

from channels.db import database_sync_to_async
from channels.exceptions import DenyConnection, StopConsumer
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.conf import settings
from django.http import HttpRequest

from club.members.limits import place
from club.members.models import Member
from games import clock, live, selectors
from games.errors import NotFound

NOT_FOUND = 4404
TOO_MANY = 4429
POLICY = 1008

SOCKETS_OF_MEMBER, SOCKETS_OF_PLACE = 5, 50
"""As many may be open at once (security.md 7)."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """The sockets of one member, or of one place: each knows the newer ones, so that the oldest makes room."""

    group: str
    limit: int
    newer: set[str] = field(default_factory=set)


class MatchConsumer(AsyncJsonWebsocketConsumer):
    """`{"number": 42}` at once and whenever the match has moved on; anything a browser sends is refused."""

    def __init__(self) -> None:
        super().__init__()
        self.joined: list[str] = []
        self.crowds: dict[str, Crowd] = {}

    async def connect(self) -> None:
        if not _comes_from_us(self.scope):
            raise DenyConnection
        self.match_id: UUID = self.scope["url_route"]["kwargs"]["match_id"]
        # Accepting first is what lets the browser see why it is closed.
        await self.accept()
        await self._join(live.group(self.match_id))
        # Read after joining the group: a move in between would be a ping nobody heard.
        number, member = await self._look()
        await self._make_known(member)
        await self.send_json({"number": number})

    async def disconnect(self, code: int) -> None:
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)
        for crowd in self.crowds.values():
            await self._tell(crowd, "went")

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: object) -> None:
        await self._end(POLICY)

    async def at(self, message: dict[str, Any]) -> None:
        """A hint from the group. The right is asked for anew: the session may have ended meanwhile (C32)."""
        await self._look()
        await self.send_json({"number": message["number"]})

    async def came(self, message: dict[str, Any]) -> None:
        """Somebody opened another socket (C71)."""
        crowd = self.crowds[message["crowd"]]
        if (message["opened"], message["who"]) > (self.opened, self.channel_name):
            crowd.newer.add(message["who"])
        if len(crowd.newer) >= crowd.limit:
            await self._end(TOO_MANY)

    async def went(self, message: dict[str, Any]) -> None:
        """Somebody closed another socket."""
        self.crowds[message["crowd"]].newer.discard(message["who"])

    async def _make_known(self, member: Member) -> None:
        # Sockets that open at once hear of each other in any order.
        self.opened: float = (await database_sync_to_async(clock.now)()).timestamp()
        for crowd in _crowds(self.scope, member):
            self.crowds[crowd.group] = crowd
            await self._join(crowd.group)
            await self._tell(crowd, "came")

    async def _tell(self, crowd: Crowd, what: str) -> None:
        message = {"type": what, "crowd": crowd.group, "who": self.channel_name, "opened": self.opened}
        await self.channel_layer.group_send(crowd.group, message)

    async def _join(self, group: str) -> None:
        self.joined.append(group)
        await self.channel_layer.group_add(group, self.channel_name)

    async def _end(self, code: int) -> NoReturn:
        """Close, and take nothing more: whatever waits was sent before the browser heard of it."""
        await self.close(code)
        await self.disconnect(code)
        raise StopConsumer

    async def _look(self) -> tuple[int, Member]:
        """The last number of the match and whose seat this is; closes the socket of who has none."""
        try:
            return await self._access()
        except NotFound:
            await self._end(NOT_FOUND)

    @database_sync_to_async
    def _access(self) -> tuple[int, Member]:
        match, seat = selectors.access_match(self.match_id, live.member_of(self.scope))
        return match.number, seat.member


def _comes_from_us(scope: dict[str, Any]) -> bool:
    """Whether a page of this very address opens the socket; a browser always says which, and truly (C67)."""
    heads = {name: value.decode("latin-1") for name, value in scope["headers"] if name in (b"origin", b"host")}
    host = heads.get(b"host")
    return heads.get(b"origin") in {f"http://{host}", f"https://{host}", *settings.CSRF_TRUSTED_ORIGINS}


def _crowds(scope: dict[str, Any], member: Member) -> tuple[Crowd, Crowd]:
    request = HttpRequest()
    request.META["REMOTE_ADDR"] = scope["client"][0] if scope.get("client") else ""
    return (
        Crowd(f"sockets.of.{member.pk}", SOCKETS_OF_MEMBER),
        Crowd(f"sockets.from.{place(request).replace(':', '-')}", SOCKETS_OF_PLACE),
    )
