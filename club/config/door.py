"""The outermost door: what Django would stumble over never reaches it (reliability.md 6)."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from django.conf import settings

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Header = tuple[bytes, bytes]

_TYPE = re.compile(rb"[\w!#$&^.+-]+/[\w!#$&^.+-]+")
_BOUNDARY = re.compile(rb'\bboundary=("?)([\w+./=-]{1,70})\1\s*(?:;|$)', re.IGNORECASE)


class Door:
    """Reads bodies up to the limit and no further, and lets through media types in the one form the club reads.

    A larger body arrives at Django empty, with its true length, and is refused there as any other that says its length
    beforehand. Parameters of media types are dropped but for a plain boundary: the club reads UTF-8 whatever they say.
    """

    def __init__(self, http: Callable[..., Awaitable[None]]) -> None:
        self.http = http

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        body, size, is_whole = await _read(receive)
        if not is_whole:
            return
        headers = [*_plain(scope["headers"]), *([(b"content-length", b"%d" % size)] if size else [])]
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def replay() -> dict[str, Any]:
            return next(messages, None) or await receive()

        await self.http({**scope, "headers": headers}, replay, send)


async def _read(receive: Receive) -> tuple[bytes, int, bool]:
    """The body, empty if it is above the limit; its size; and whether it came to its end."""
    limit, body, size = settings.DATA_UPLOAD_MAX_MEMORY_SIZE, b"", 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"", size, False
        part = message.get("body", b"")
        size += len(part)
        body = body + part if size <= limit else b""
        if not message.get("more_body", False):
            return body, size, True


def _plain(headers: Iterable[Header]) -> list[Header]:
    kept = ((name, value) for name, value in headers if name != b"content-length")
    return [(name, _media(value) if name == b"content-type" else value) for name, value in kept]


def _media(value: bytes) -> bytes:
    plain, _, more = value.partition(b";")
    if not _TYPE.fullmatch(plain.strip()):
        return b"application/octet-stream"
    boundary = _BOUNDARY.search(more)
    return plain.strip() + (b"; boundary=" + boundary[2] if boundary else b"")
