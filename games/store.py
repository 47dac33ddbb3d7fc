"""The event store: the only code that inserts or loads events, set-up lines and roots."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from uuid import UUID

from django.db.models import F, Q

from club.keys import seal, unseal
from games import titles
from games.engine import chance, codec
from games.engine.contract import Event, Title
from games.engine.match import Absence, MatchState, evolve, initial, outcome_of, resume
from games.models import Event as StoredEvent
from games.models import Match, Root, Seat, SetupLine, Table

_PURPOSE = "fairness-root"


def new_root(table: Table) -> str:
    """Draw and seal the root of a new table's key chain; returns the commitment `S_0` in hex (fairness.md 3)."""
    root = secrets.token_bytes(chance.SIZE)
    Root.objects.create(table=table, sealed=seal(_PURPOSE, root, table.id.bytes))
    return chance.key_at(table.id.bytes, root, table.chain_length, 0).hex()


def chance_of(table: Table, transcript: bytes) -> chance.SealedChance:
    """Where this match's deals and dice come from. The root is opened only if something is drawn."""
    return chance.SealedChance(table.id.bytes, table.chain_length, lambda: root_of(table), transcript)


def root_of(table: Table) -> chance.Key:
    """The root of a table. It leaves this module only to draw, and to be published when the match is over."""
    sealed = Root.objects.values_list("sealed", flat=True).get(table=table)
    return chance.Key(unseal(_PURPOSE, bytes(sealed), table.id.bytes))


def add_setup_line(table: Table, line: bytes) -> tuple[int, bytes]:
    """Append a set-up line under the table's lock; returns the number of lines and the digest of the last."""
    last = SetupLine.objects.filter(table=table).order_by("-index").first()
    index = last.index + 1 if last else 0
    digest = chance.link(table.id.bytes, index, bytes(last.digest) if last else bytes(chance.SIZE), line)
    SetupLine.objects.create(table=table, index=index, line=line, digest=digest)
    return index + 1, digest


def append(match: Match, title: Title, events: Sequence[Event], at: datetime) -> None:
    """Store `events` as the next numbers of `match`, chained; the caller holds its lock and saves the match."""
    moment = at.replace(microsecond=0)
    rows = []
    for event in events:
        match.number += 1
        line = codec.line(event, stamp(moment))
        match.head = chance.link(match.pk.bytes, match.setup_length + match.number - 1, bytes(match.head), line)
        rows.append(_row(match, event, moment, line))
        if event.kind in title.OPENS:
            match.opening = match.number
    StoredEvent.objects.bulk_create(rows)


def _row(match: Match, event: Event, at: datetime, line: bytes) -> StoredEvent:
    return StoredEvent(
        match=match,
        number=match.number,
        kind=event.kind,
        seat=event.seat,
        payload=dict(event.payload),
        secret=dict(event.secret),
        at=at,
        line=line,
        digest=match.head,
    )


def stamp(moment: datetime) -> str:
    """A moment as events write it: UTC, ISO 8601, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A stored event: the fact, its number and its moment."""

    number: int
    at: datetime
    event: Event
    line: bytes
    digest: bytes


def load(match_id: UUID, since: int = 0) -> list[Numbered]:
    """The events of a match after number `since`, in order."""
    rows = StoredEvent.objects.filter(match_id=match_id, number__gt=since).order_by("number")
    return [_numbered(row) for row in rows]


def load_latest(match_ids: Iterable[UUID], count: int) -> dict[UUID, list[Numbered]]:
    """The last `count` events of each match, in order, by one query."""
    found = defaultdict(list)
    rows = StoredEvent.objects.filter(match_id__in=list(match_ids), number__gt=F("match__number") - count)
    for row in rows.order_by("match_id", "number"):
        found[row.match_id].append(_numbered(row))
    return found


def _numbered(row: StoredEvent) -> Numbered:
    return Numbered(row.number, row.at, _fact(row), bytes(row.line), bytes(row.digest))


def _fact(row: StoredEvent) -> Event:
    return Event(row.kind, row.seat, row.payload, row.secret)


def state_of(match: Match, seats: Sequence[Seat]) -> MatchState:
    """The state of a match now, folded from event 1 and the last round opening: long matches cost no more."""
    rows = StoredEvent.objects.filter(Q(number=1) | Q(number__gte=match.opening), match_id=match.pk)
    tail = [_fact(row) for row in rows.order_by("number")]
    left = frozenset(seat.number for seat in seats if seat.left)
    return resume(
        titles.of(match.table.ruleset),
        match.table.options,
        tail,
        absences=tuple(Absence(seat.lapses_in_a_row, seat.lapses_in_match) for seat in seats),
        left=left,
        outcome=outcome_of(match.outcome) if match.outcome else None,
    )


def states_along(match: Match, events: Iterable[Numbered]) -> list[MatchState]:
    """The states before the first of `events`, the whole log, and after each: the one at `n` stands after event `n`."""
    start = initial(titles.of(match.table.ruleset), match.table.options)
    return list(accumulate((numbered.event for numbered in events), evolve, initial=start))
