"""The socket of a match. It carries numbers only: hidden tiles never enter a shared message (architecture.md 8)."""

from __future__ import annotations

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from games import live, selectors
from games.errors import NotFound

NOT_FOUND = 4404
POLICY = 1008


class MatchConsumer(AsyncJsonWebsocketConsumer):
    """`{"number": 42}` at once and whenever the match has moved on; anything a browser sends is refused."""

    async def connect(self) -> None:
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        number = await self._number()
        if number is None:
            # Accepting first is what lets the browser see the code.
            await self.accept()
            await self.close(NOT_FOUND)
            return
        await self.channel_layer.group_add(live.group(self.match_id), self.channel_name)
        await self.accept()
        # Read again after joining the group: a move in between would be a ping nobody heard.
        await self.send_json({"number": await self._number()})

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(live.group(self.match_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: object) -> None:
        await self.close(POLICY)

    async def at(self, message: dict) -> None:
        """A hint from the group. The right is asked for anew: the session may have ended meanwhile."""
        if await self._number() is None:
            await self.close(NOT_FOUND)
        else:
            await self.send_json({"number": message["number"]})

    @database_sync_to_async
    def _number(self) -> int | None:
        try:
            match, _ = selectors.access_match(self.match_id, live.member_of(self.scope))
        except NotFound:
            return None
        return match.number
