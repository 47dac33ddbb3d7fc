"""Clients that play over HTTP at the same time: each sends a move, waits for the answer, sends the next."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.bench.club import HOST
from tests.bench.matches import Client, Shot

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@dataclass(slots=True)
class Volley:
    """What came back: seconds from sending to the answer of each move accepted in time, and what was refused.

    `accepted` also counts the moves on their way when the time was over.
    """

    seconds: float
    latencies: list[float] = field(default_factory=list)
    accepted: int = 0
    refused: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Moves accepted in a second."""
        return len(self.latencies) / self.seconds


def fire(clients: Sequence[Client], seconds: float) -> Volley:
    """Let `clients` play what they have prepared, for `seconds`."""
    return asyncio.run(_fire(clients, seconds))


async def _fire(clients: Sequence[Client], seconds: float) -> Volley:
    volley = Volley(seconds)
    lines = [await asyncio.open_connection(HOST, client.port) for client in clients]
    deadline = time.perf_counter() + seconds
    await asyncio.gather(*(_play(client, *line, deadline, volley) for client, line in zip(clients, lines, strict=True)))
    return volley


async def _play(
    client: Client, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, deadline: float, volley: Volley
) -> None:
    while (sent := time.perf_counter()) < deadline:
        if (shot := client.take()) is None:
            volley.refused.append("a client had no moves left")
            break
        writer.write(shot.request)
        answer = await _answer(reader)
        done = time.perf_counter()
        if wrong := _wrong(shot, *answer):
            volley.refused.append(wrong)
            client.forget()
            break
        volley.accepted += 1
        if done <= deadline:
            volley.latencies.append(done - sent)
    writer.close()


async def _answer(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    assert length is not None, head
    return head.partition(b"\r\n")[0], await reader.readexactly(int(length[1]))


def _wrong(shot: Shot, status: bytes, body: bytes) -> str:
    """What is wrong with an answer; nothing when the move was accepted and led where it must."""
    if status.split()[1] == b"200" and json.loads(body) == {"number": shot.number}:
        return ""
    return f"{status.decode()} {body[:200]!r}"
