"""Random rounds through the rules alone: no database, one process, every move taken from the legal ones.

As the other libraries play theirs: nobody asks whether a move is forced.
"""

from __future__ import annotations

import os
import random
import time
from dataclasses import dataclass

from games import titles
from games.engine import match as engine
from games.engine.contract import Seat, Title
from games.engine.dice import FACES
from games.engine.dominoes import TILES
from games.engine.options import complete
from tests.bench.machine import watch
from tests.bench.plan import Plan
from tests.bench.slices import choose

CELLS = [(slug, seats) for slug in titles.slugs() for seats in titles.get(slug).SEATS]


class Lots:
    """Plain random draws: what is measured are the rules, not the sealed chain of keys."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def deal(self, epoch: int, attempt: int) -> tuple[str, ...]:
        return tuple(self.rng.sample(TILES, len(TILES)))

    def dice(self, epoch: int, throw: int, count: int) -> tuple[int, ...]:
        return tuple(self.rng.choices(FACES, k=count))

    def lot(self, epoch: int, seats: int) -> Seat:
        return self.rng.randrange(seats)


@dataclass(slots=True)
class Played:
    """What was played in `seconds`. A deal opens a round of tiles; at dice each seat has one turn in a round."""

    seconds: float = 0.0
    rounds: int = 0
    openings: int = 0
    """Deals of tiles, or turns at dice."""
    moves: int = 0
    others: float = 0.0
    """The work of others meanwhile, in cores."""


def measure(slug: str, seats: int, plan: Plan) -> list[Played]:
    """The slices of a title that stand."""
    seeds = range(plan.slices + plan.spare)
    return choose((play(slug, seats, plan.engine_seconds, seed) for seed in seeds), plan.slices)[0]


def play(slug: str, seats: int, seconds: float, seed: int) -> Played:
    """Play whole matches of a title, with the usual options, for at least `seconds`."""
    title, played, lots = titles.get(slug), Played(), Lots(seed)
    began = time.perf_counter()
    with watch({"bench": os.getpid()}) as usage:
        while played.seconds < seconds:
            _match(title, seats, lots, played)
            played.seconds = time.perf_counter() - began
    played.others = usage.other
    return played


def _match(title: Title, seats: int, lots: Lots, played: Played) -> None:
    step = engine.begin(title, complete(title.OPTIONS, seats, {}), lots)
    last = _count(title, step, played)
    while step.state.outcome is None:
        seat = min(step.state.to_act())
        move = lots.rng.choice(title.legal_moves(step.state.position, seat))
        step = engine.step(step.state, seat, move, lots)
        played.moves += 1
        last = _count(title, step, played) or last
    played.rounds += last


def _count(title: Title, step: engine.Step, played: Played) -> int:
    """Count what these events opened; the number of the round they opened, if any."""
    number = 0
    for event in step.events:
        if event.kind in title.OPENS:
            played.openings += 1
            number = event.payload["round"]
    return number
