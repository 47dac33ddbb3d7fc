"""What a second core brings to self-play: the same matches by one process and by two."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from games import titles
from games.engine.options import complete
from games.selfplay import Plan as Matches
from games.selfplay import records
from tests.bench.machine import watch
from tests.bench.plan import Plan
from tests.bench.slices import choose

TITLE, SEATS = "kozel", 2


@dataclass(frozen=True, slots=True)
class Pair:
    """Seconds for the same matches, starting the processes included."""

    alone: float
    together: float
    others: float
    """The work of others meanwhile, in cores."""

    @property
    def ratio(self) -> float:
        """How many times as fast two processes are."""
        return self.alone / self.together


def measure(plan: Plan) -> list[Pair]:
    """The slices that stand; none on a machine with one core."""
    if (os.cpu_count() or 1) < 2:
        return []
    return choose(_pairs(plan), plan.slices)[0]


def _pairs(plan: Plan) -> Iterator[Pair]:
    few = 20
    matches = ceil(few * plan.selfplay_seconds / _seconds(few, 1))
    for _ in range(plan.slices + plan.spare):
        with watch({"bench": os.getpid()}) as usage:
            alone, together = _seconds(matches, 1), _seconds(matches, 2)
        yield Pair(alone, together, usage.other)


def _seconds(matches: int, processes: int) -> float:
    """How long the records of so many matches take."""
    plan = Matches(TITLE, complete(titles.get(TITLE).OPTIONS, SEATS, {}), seed=1)
    began = time.perf_counter()
    deque(records(plan, matches, processes), maxlen=0)
    return time.perf_counter() - began
