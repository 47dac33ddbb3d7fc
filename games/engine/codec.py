"""How a match is written down: the lines of its log (fairness.md 6) and the match record (match-record.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from typing import Any, Protocol
from uuid import UUID

from games.engine.chance import LENGTH, PROTOCOL, Key, key_at
from games.engine.contract import Event, Json, Move, Seat, Title

FORMAT = "club-match/1"

LARGEST = 16 * 2**20
"""Bytes of the largest record that is read (fairness.md 9)."""

_MATCH_ENDS = frozenset({"match_ended", "voided"})
_EPOCH_ENDS = frozenset({"round_ended", "bust", "banked", "turn_ended"})
"""Kinds of event after which the key of their epoch may be known (fairness.md 3). A re-deal keeps its epoch."""


# Lines


def line(event: Event, at: str | None) -> bytes:
    """The public line of an event; `at` is UTC like `2026-11-30T17:00:00Z`, or None in self-play.

    Made once, kept as bytes and chained: a digest holds for these bytes alone. Letters stand as they are, in UTF-8.
    `secret` is not in it, because the hash of a hand could be tried out.
    """
    return _compact({"kind": event.kind, "seat": event.seat, "at": at, "payload": event.payload})


def commit_line(match: str, ruleset: str, options: Mapping[str, Json], length: int, s0: str) -> bytes:
    """Set-up line 0: what is fixed before anyone sits down. `match` is the UUID and `s0` the commitment in hex."""
    head = {"t": "commit", "protocol": PROTOCOL, "match": match, "ruleset": ruleset}
    return _compact({**head, "options": options, "length": length, "s0": s0})


def join_line(seat: Seat, commitment: bytes | None) -> bytes:
    """Someone sat down; None where no seed was given."""
    return _compact({"t": "join", "seat": seat, "c": _hex(commitment)})


def leave_line(seat: Seat) -> bytes:
    """Someone left the open table."""
    return _compact({"t": "leave", "seat": seat})


def start_line(seeds: Sequence[bytes | None], transcript: bytes) -> bytes:
    """The last set-up line: the seeds by seat and `T`."""
    return _compact({"t": "start", "seeds": [_hex(seed) for seed in seeds], "transcript": _hex(transcript)})


def _compact(value: Json) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain)
    return text.encode("utf-8")


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def plain(value: Any) -> Json:
    """`value` as JSON can write it: dataclasses and mappings become objects, tuples lists, sets sorted lists.

    Raises TypeError for anything else, bytes and floats among them: no view and no payload holds one.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, AbstractSet):
        return [plain(item) for item in sorted(value)]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} is no plain value")


# What is public


def publish(title: Title, events: Sequence[Event], viewer: Seat | None) -> tuple[Event, ...]:
    """`events` with the secrets that `viewer` (None: anybody) may know: its own, and those of what is over.

    `events` are a stretch of a log that reaches its last event. A round is over with a kind of `title.CLOSES`, and
    everything is with the match.
    """
    closes = title.CLOSES | _MATCH_ENDS
    over = max((index for index, event in enumerate(events) if event.kind in closes), default=-1)
    return (*events[: over + 1], *(_hidden(event, viewer) for event in events[over + 1 :]))


def _hidden(event: Event, viewer: Seat | None) -> Event:
    own = {owner: facts for owner, facts in event.secret.items() if owner == str(viewer)}
    return Event(event.kind, event.seat, event.payload, own)


def revealed_epoch(events: Sequence[Event], length: int) -> int:
    """The highest epoch that is over after these events, the whole log of a match; `length`, the root, at its end."""
    if any(event.kind in _MATCH_ENDS for event in events):
        return length
    return sum(event.kind in _EPOCH_ENDS for event in events)


# The match record


class Stored(Protocol):
    """An event as a log keeps it: the fact, its number, its exact line and the digest of the chain there."""

    @property
    def number(self) -> int: ...
    @property
    def event(self) -> Event: ...
    @property
    def line(self) -> bytes: ...
    @property
    def digest(self) -> bytes: ...


def record(
    *,
    match: UUID,
    title: Title,
    pace: str,
    options: Mapping[str, Json],
    seats: Sequence[str | None],
    stored: Sequence[Stored],
    viewer: Seat | None,
    setup: Sequence[bytes],
    root: Key,
    length: int,
    bots: Sequence[Seat] = (),
    legal: Mapping[int, Sequence[Move]] | None = None,
) -> dict[str, Json]:
    """The match record as `viewer` (None: anybody) may have it.

    `stored` is the whole log, `setup` the set-up lines. `bots` are the seats held by bots from the start; `legal`
    the moves that were offered, by the number of the event that answered. The root leaves with the end of the match,
    before that only the key of the last epoch that is over.
    """
    events = [numbered.event for numbered in stored]
    shown = publish(title, events, viewer)
    entries = [_entry(numbered, event.secret, legal) for numbered, event in zip(stored, shown, strict=True)]
    return {
        "format": FORMAT,
        "match": str(match),
        "title": title.SLUG,
        # The title may follow newer rules today; the match keeps those it was set up with.
        "ruleset": json.loads(setup[0])["ruleset"],
        "pace": pace,
        "options": plain(options),
        "seats": list(seats),
        "sides": plain(title.sides(options)),
        "bots": list(bots),
        "events": entries,
        "outcome": next((entry["payload"] for entry in reversed(entries) if entry["kind"] == "match_ended"), None),
        "fairness": _fairness(match, setup, stored, root, length),
    }


def _entry(numbered: Stored, secret: Mapping[str, Json], legal: Mapping[int, Sequence[Move]] | None) -> dict[str, Json]:
    """An event of the record, read from its line, so that the two cannot differ."""
    entry = {"number": numbered.number, **json.loads(numbered.line), "secret": plain(secret)}
    if legal is not None and numbered.number in legal:
        entry["legal"] = sorted(legal[numbered.number])
    return entry


def _fairness(match: UUID, setup: Sequence[bytes], stored: Sequence[Stored], root: Key, length: int) -> dict[str, Json]:
    start = json.loads(setup[-1])
    epoch = revealed_epoch([numbered.event for numbered in stored], length)
    return {
        "protocol": PROTOCOL,
        "length": length,
        "commitment": json.loads(setup[0])["s0"],
        "setup": [text.decode("utf-8") for text in setup],
        "seeds": start["seeds"],
        "transcript": start["transcript"],
        "reveal": {"epoch": epoch, "key": key_at(match.bytes, root, length, epoch).hex()} if epoch else None,
        "log": [numbered.line.decode("utf-8") for numbered in stored],
        "head": stored[-1].digest.hex(),
    }


def dump(document: Mapping[str, Json]) -> bytes:
    """A record on one line, without the line's end; so several make a file of JSON Lines."""
    return _compact(document)


class BadRecord(ValueError):
    """What is no match record. `where` is the place in the document, `events[3].seat`; empty for the whole."""

    def __init__(self, where: str) -> None:
        super().__init__(f"no match record: {where or 'not JSON'}")
        self.where = where


def parse(data: bytes) -> dict[str, Json]:
    """The record in `data`, which anybody may have made: every key and the type of every value are checked.

    Payloads are left to those who know their kinds. Raises BadRecord, and nothing else.
    """
    if len(data) > LARGEST:
        raise BadRecord("")
    try:
        document: dict[str, Json] = json.loads(
            data.decode("utf-8"), object_pairs_hook=_once, parse_float=_refuse, parse_constant=_refuse
        )
        # An escaped half of a surrogate pair is no text: nothing could hash it.
        _compact(document)
    except (ValueError, RecursionError) as error:
        raise BadRecord("") from error
    _RECORD(document, "")
    fairness = document["fairness"]
    if len(fairness["seeds"]) != len(document["seats"]):
        raise BadRecord("fairness.seeds")
    if fairness["reveal"] is not None and fairness["reveal"]["epoch"] > fairness["length"]:
        raise BadRecord("fairness.reveal.epoch")
    return document


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(number: str) -> Json:
    raise ValueError("only whole numbers stand in a record")


# The shape of a record, as functions that raise BadRecord with the place.

_Check = Callable[[Json, str], None]


def _where(right: Callable[[Json], bool]) -> _Check:
    def check(value: Json, place: str) -> None:
        if not right(value):
            raise BadRecord(place)

    return check


def _constant(wanted: str) -> _Check:
    return _where(lambda value: isinstance(value, str) and value == wanted)


def _matching(pattern: str) -> _Check:
    return _where(lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None)


def _between(low: int, high: int) -> _Check:
    return _where(lambda value: type(value) is int and low <= value <= high)


def _nullable(check: _Check) -> _Check:
    def checked(value: Json, place: str) -> None:
        if value is not None:
            check(value, place)

    return checked


def _list(check: _Check, *, least: int = 0, most: int = LARGEST) -> _Check:
    def checked(value: Json, place: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise BadRecord(place)
        for index, item in enumerate(value):
            check(item, f"{place}[{index}]")

    return checked


def _object(needed: Mapping[str, _Check], optional: Mapping[str, _Check] | None = None) -> _Check:
    known = {**needed, **(optional or {})}

    def checked(value: Json, place: str) -> None:
        if not isinstance(value, dict):
            raise BadRecord(place)
        inside = f"{place}." if place else ""
        for name in sorted((needed.keys() - value.keys()) | (value.keys() - known.keys())):
            raise BadRecord(inside + name)
        for name, item in value.items():
            known[name](item, inside + name)

    return checked


_TEXT = _where(lambda value: isinstance(value, str))
_WHOLE = _where(lambda value: type(value) is int)
_FACTS = _where(lambda value: isinstance(value, dict))
_SEAT = _between(0, 3)
_DIGEST = _matching("[0-9a-f]{64}")
_UUID = _matching("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_INSTANT = _matching(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z")

_EVENT = _object(
    {
        "number": _WHOLE,
        "kind": _TEXT,
        "seat": _nullable(_SEAT),
        "at": _nullable(_INSTANT),
        "payload": _FACTS,
        "secret": _FACTS,
    },
    {"legal": _list(_TEXT)},
)

_OUTCOME = _object({"winners": _list(_SEAT), "places": _list(_between(1, 4)), "scores": _list(_WHOLE), "reason": _TEXT})

_FAIRNESS = _object(
    {
        "protocol": _constant(PROTOCOL),
        # A longer chain would let a made-up record keep its reader hashing for hours.
        "length": _between(1, LENGTH),
        "commitment": _DIGEST,
        "setup": _list(_TEXT, least=1),
        "seeds": _list(_nullable(_DIGEST)),
        "transcript": _DIGEST,
        "reveal": _nullable(_object({"epoch": _between(1, LENGTH), "key": _DIGEST})),
        "log": _list(_TEXT),
        "head": _DIGEST,
    }
)

_RECORD = _object(
    {
        "format": _constant(FORMAT),
        "match": _UUID,
        "title": _matching("[a-z0-9]{1,64}"),
        "ruleset": _matching("[a-z0-9/]{1,255}"),
        "pace": _TEXT,
        "options": _FACTS,
        "seats": _list(_nullable(_TEXT), least=2, most=4),
        "sides": _list(_list(_SEAT)),
        "bots": _list(_SEAT),
        "events": _list(_EVENT),
        "outcome": _nullable(_OUTCOME),
        "fairness": _FAIRNESS,
    }
)
