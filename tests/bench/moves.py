"""Moves a second over HTTP beside the ceiling, in slices that take turns, so that both meet the same machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from math import ceil
from statistics import median, quantiles

from club.stack.process import Failed
from tests.bench import rows
from tests.bench.ceiling import Ceiling
from tests.bench.club import Club
from tests.bench.machine import watch
from tests.bench.matches import new_client
from tests.bench.plan import Plan
from tests.bench.slices import choose, disturbed
from tests.bench.volley import fire

USUAL = 10
"""Clients while the usual move is counted."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Ours and, straight after it, the ceiling, in moves a second."""

    ours: float
    ceiling: float
    ratio: float
    others: float
    """The work of others meanwhile, in cores."""
    latencies: list[float]
    cost: float
    """Processor seconds of web server, database and broker for each move."""
    rows: float
    """Inserted for each move."""
    ceiling_rows: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What `clients` reach; `dropped` slices were measured again."""

    clients: int
    slices: list[Slice]
    dropped: int

    def median(self, what: str) -> float:
        """The median of one figure of the slices."""
        return median(getattr(each, what) for each in self.slices)

    def percentile(self, percent: int) -> float:
        """Of all answers in all slices, in seconds."""
        answers = [*chain.from_iterable(each.latencies for each in self.slices)]
        return quantiles(answers, n=100, method="inclusive")[percent - 1]

    @property
    def disturbed(self) -> int:
        """How many slices were never quiet, however often they were repeated."""
        return disturbed(self.slices)


class Contest:
    """The clients of a club, and the ceiling beside them."""

    def __init__(self, club: Club, plan: Plan) -> None:
        """Sign everybody in, warm the servers up, and learn what a usual move is.

        Raises:
            Failed: the club took no moves.
        """
        self.club, self.plan = club, plan
        self.trees = {**club.trees, "bench": os.getpid()}
        self.clients = [new_client(number, club.port) for number in range(max(*plan.clients, USUAL))]
        self.expected = 400.0
        """How many moves a second a slice is prepared for."""
        self._prepare(USUAL)
        fire(self.clients[:USUAL], plan.seconds)
        self.usual = rows.Usual()
        self.statements = self._learn()
        self.ceiling = Ceiling(club.postgres, max(plan.clients), club.var)
        self.ceiling.measure(self.usual, USUAL, 1)

    def _learn(self) -> float:
        """See what a usual move writes; the statements it takes."""
        self._prepare(USUAL)
        since = rows.counting()
        rows.watch_statements()
        volley = fire(self.clients[:USUAL], self.plan.seconds)
        if volley.refused:
            raise Failed(f"The club refused moves: {volley.refused[0]}")
        sent = rows.statements()
        self.usual.add(volley.accepted, since())
        return sent / volley.accepted

    def figures(self, clients: int) -> Figures:
        """Measure `clients` at a time.

        Raises:
            Failed: moves were refused in every slice.
        """
        slices, dropped = choose(self._slices(clients), self.plan.slices)
        if not slices:
            raise Failed(f"The club refused moves in every slice, clients: {clients}.")
        return Figures(clients, slices, dropped)

    def _slices(self, clients: int) -> Iterator[Slice | None]:
        for _ in range(self.plan.slices + self.plan.spare):
            yield self._slice(clients)

    def _slice(self, clients: int) -> Slice | None:
        """One slice; None when any answer was no acceptance."""
        self._prepare(clients)
        since = rows.counting()
        with watch(self.trees) as ours:
            volley = fire(self.clients[:clients], self.plan.seconds)
        written = since()
        if volley.refused:
            return None
        self.expected = max(self.expected, 2 * volley.rate)
        self.usual.add(volley.accepted, written)
        since = rows.counting()
        with watch(self.trees) as theirs:
            bout = self.ceiling.measure(self.usual, clients, self.plan.seconds)
        return Slice(
            ours=volley.rate,
            ceiling=bout.rate,
            ratio=volley.rate / bout.rate,
            others=max(ours.other, theirs.other),
            latencies=volley.latencies,
            cost=sum(seconds for name, seconds in ours.by.items() if name != "bench") / volley.accepted,
            rows=written.total() / volley.accepted,
            ceiling_rows=since().total() / bout.transactions,
        )

    def _prepare(self, clients: int) -> None:
        for client in self.clients[:clients]:
            client.prepare(ceil(self.expected * self.plan.seconds / clients) + 5)
