"""`check_records`: replay match records by the rules and say where they part (match-record.md)."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO

from games import replay
from games.engine.codec import LARGEST
from games.engine.contract import Json
from games.management.plain import PlainCommand, Refusal

STDIN = "-"

TOO_LONG = LARGEST + 1
"""No more bytes than these are read at once: what has as many is no record."""


class Command(PlainCommand):
    help = (
        "Play the matches of records again by the rules, from their own facts. Status 0: all are right; 1: some are "
        "not, and each is named; 2: something is no match record."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a record a line, or one; - is the input")

    def handle(self, *args: Any, **given: Any) -> None:
        found = [self._is_right(place, data) for name in given["files"] for place, data in documents(name)]
        if not found:
            raise Refusal(f"{', '.join(given['files'])}: there is no record in it")
        right = sum(found)
        self.stdout.write(f"{len(found)} {'record' if len(found) == 1 else 'records'}, {right} right.")
        if right < len(found):
            sys.exit(1)

    def _is_right(self, place: str, data: bytes) -> bool:
        """Replay one record. Raises Refusal, which names the place, for what is none."""
        try:
            record = replay.read(data)
            last = replay.replay(record)
        except replay.Unreadable as error:
            raise Refusal(f"{place}: {error}") from error
        except replay.Differs as error:
            self.stderr.write(f"{place}: match {record['match']}, {error}")
            return False
        if record["outcome"] is None:
            self._say_how_far(record, last)
        return True

    def _say_how_far(self, record: Mapping[str, Json], last: int) -> None:
        self.stdout.write(f"Match {record['match']} is not over; it is right up to event {last}.")


def documents(name: str) -> Iterator[tuple[str, bytes]]:
    """What stands in a file, and where: each line that is not blank, or all of it when no line is a document by itself.

    Raises Refusal.
    """
    try:
        with _opened(name) as file:
            yield from _documents(name, file)
    except (OSError, ValueError) as error:
        raise Refusal(f"{name}: cannot be read ({getattr(error, 'strerror', error)})") from error


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if name == STDIN else open(name, "rb")


def _documents(name: str, file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    number, line = 1, file.readline(TOO_LONG)
    while line.isspace():
        number, line = number + 1, file.readline(TOO_LONG)
    if not _is_json(line) and _is_json(whole := line + file.read(TOO_LONG)):
        yield name, whole
        return
    while line:
        if not line.isspace():
            yield f"{name} line {number}", line
        number, line = number + 1, file.readline(TOO_LONG)


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True
