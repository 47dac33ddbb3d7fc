"""What it takes to load a position: a long match beside a short one, both stored event by event.

A position is folded from the last round opening, so both matches are cut where the running round has as many events:
what is left to differ is how much lies before it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from statistics import median, median_low

from django.utils import timezone

from club.demo.matches import seated
from club.members.models import Member
from games import store, titles
from games.engine import match as engine
from games.engine.contract import Event
from games.models import Match, Seat
from tests.bench.machine import watch
from tests.bench.plan import Plan
from tests.bench.slices import choose

SHORT, LONG = 50, 1_000
"""How many events the matches should have."""
TRIES = 12
"""Matches played to find one that long. Some titles never last that long; then the longest match is taken."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Seconds to load each match, database and fold."""

    short: float
    long: float
    ratio: float
    others: float
    """The work of others meanwhile, in cores."""


@dataclass(frozen=True, slots=True)
class Loads:
    """How many events the matches of a title have, how many of them since the last opening, and what loading took."""

    short: int
    long: int
    tail: int
    slices: list[Slice]
    fold: float
    """Seconds to fold one event of the long match, without the database."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A match and its seats, as a service has them before it loads the position."""

    match: Match
    seats: list[Seat]

    def load(self) -> float:
        """Load the position once; the seconds it took."""
        began = time.perf_counter()
        store.state_of(self.match, self.seats)
        return time.perf_counter() - began


def measure(slug: str, trees: dict[str, int], plan: Plan) -> Loads:
    """Store two matches of a title for two seats, and load them in turn; `trees` are the processes of the club."""
    members = [Member.objects.create_user(f"Reader of {slug} {seat}") for seat in range(2)]
    played = _longest(members, slug, LONG)
    tail = median_low([cut.tail for cut in played.cuts])
    long = played.store(LONG, tail)
    short = _longest(members, slug, SHORT).store(SHORT, tail)
    slices, _ = choose(_slices(short, long, trees, plan), plan.slices)
    since = long.match.number - long.match.opening + 1
    return Loads(short.match.number, long.match.number, since, slices, _fold(long))


def _slices(short: Stored, long: Stored, trees: dict[str, int], plan: Plan) -> Iterator[Slice]:
    for _ in range(plan.slices + plan.spare):
        spent = []
        with watch(trees) as usage:
            while sum(chain.from_iterable(spent)) < plan.engine_seconds:
                spent.append((short.load(), long.load()))
        ours, theirs = map(median, zip(*spent, strict=True))
        yield Slice(ours, theirs, theirs / ours, usage.other)


def _fold(stored: Stored) -> float:
    match = stored.match
    events = [numbered.event for numbered in store.load(match.pk)]
    before = engine.initial(titles.get(match.table.title), match.table.options)

    def once() -> float:
        began = time.perf_counter()
        engine.fold(before, events)
        return (time.perf_counter() - began) / len(events)

    return median(once() for _ in range(5))


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a match may be cut: after how many steps, at which event, how many of them in the running round."""

    steps: int
    number: int
    tail: int


class Played:
    """A match seated in the club and played in memory: random moves, or idle ones, which avoid to score and last."""

    def __init__(self, members: list[Member], slug: str, length: int, idle: bool) -> None:
        """Play on until the match has `length` events, or is over."""
        self._match = seated(members, slug)
        self._seats = list(Seat.objects.filter(table_id=self._match.pk).order_by("number"))
        self._draws = store.chance_of(self._match.table, bytes(self._match.transcript))
        self._rng = random.Random(1)
        self._steps: list[tuple[Event, ...]] = []
        self._opening = self._match.opening
        self.cuts = [self._cut(self._match.number)]
        state = store.state_of(self._match, self._seats)
        while state.outcome is None and self.cuts[-1].number < length:
            state, events = self._idle(state) if idle else self._random(state)
            self._steps.append(events)
            self.cuts.append(self._cut(self._count(events)))

    def _random(self, state: engine.MatchState) -> engine.Step:
        if auto := engine.automatic(state):
            return engine.step(state, auto.seat, auto.move, self._draws, auto.by)
        seat = min(state.to_act())
        return engine.step(state, seat, self._rng.choice(state.title.legal_moves(state.position, seat)), self._draws)

    def _idle(self, state: engine.MatchState) -> engine.Step:
        seat = min(state.to_act())
        moves = state.title.legal_moves(state.position, seat)
        steps = (engine.step(state, seat, move, self._draws) for move in moves)
        return min(steps, key=lambda step: (step.state.outcome is not None, sum(step.state.scores())))

    def _count(self, events: tuple[Event, ...]) -> int:
        number = self.cuts[-1].number
        for event in events:
            number += 1
            if event.kind in titles.get(self._match.table.title).OPENS:
                self._opening = number
        return number

    def _cut(self, number: int) -> Cut:
        return Cut(len(self._steps), number, number - self._opening + 1)

    def store(self, length: int, tail: int) -> Stored:
        """Store the match up to about `length` events, about `tail` of them in the running round."""
        best = min(self.cuts[:-1], key=lambda cut: (abs(cut.tail - tail), abs(cut.number - length)))
        events = [*chain.from_iterable(self._steps[: best.steps])]
        store.append(self._match, titles.get(self._match.table.title), events, timezone.now())
        self._match.save()
        return Stored(self._match, self._seats)


def _longest(members: list[Member], slug: str, length: int) -> Played:
    """The first match of `length` events; else the longest one found."""
    found: list[Played] = []
    for each in range(TRIES):
        found.append(Played(members, slug, length, idle=each % 2 == 0))
        if found[-1].cuts[-1].number >= length:
            break
    return max(found, key=lambda played: played.cuts[-1].number)
