"""Our rules beside other libraries: random games by both, slice after slice, moves a second."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from games import titles
from tests.bench.machine import watch
from tests.bench.peers import Missing, Peer, at_play
from tests.bench.plan import Plan
from tests.bench.rounds import play
from tests.bench.slices import choose

SEATS = 2


@dataclass(frozen=True, slots=True)
class Contest:
    """A title beside a library, and the ratio to reach; one without a bar is a yardstick alone."""

    title: str
    peer: str
    bar: float | None = None
    goal: float | None = None


CONTESTS = (
    Contest("kozel", "dominoes", 0.5, 1),
    Contest("telefon365", "open-spiel", 1.5, 4),
    Contest("telefon", "open-spiel", 1.5, 4),
    Contest("allfives", "open-spiel", 1.5, 4),
    Contest("allfives", "all-fives-domino", 10, 30),
    Contest("kozel", "chess"),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A slice of ours and, straight after it, one of the peer, in moves a second."""

    ours: float
    theirs: float
    ratio: float
    others: float
    """The work of others meanwhile, in cores."""


@dataclass(frozen=True, slots=True)
class Held:
    """The contests that were held, and why a library was left out."""

    pairs: dict[Contest, list[Pair]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def hold(plan: Plan) -> Held:
    """Hold every contest whose title exists and whose library works here."""
    held = Held()
    with ExitStack() as stack:
        peers: dict[str, Peer] = {}
        for contest in CONTESTS:
            if contest.title not in titles.slugs() or contest.peer in held.missing:
                continue
            try:
                if contest.peer not in peers:
                    peers[contest.peer] = stack.enter_context(at_play(contest.peer))
                held.pairs[contest] = choose(_pairs(contest, peers[contest.peer], plan), plan.slices)[0]
            except Missing as missing:
                held.missing[contest.peer] = str(missing)
    return held


def _pairs(contest: Contest, peer: Peer, plan: Plan) -> Iterator[Pair]:
    for seed in range(plan.slices + plan.spare):
        played = play(contest.title, SEATS, plan.engine_seconds, seed)
        with watch({"bench": os.getpid()}) as usage:
            theirs = peer.play(plan.engine_seconds)
        ours = played.moves / played.seconds
        yield Pair(ours, theirs, ours / theirs, max(played.others, usage.other))
