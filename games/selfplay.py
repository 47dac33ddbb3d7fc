"""Whole matches played by policies through the engine alone: no database, the same records (match-record.md)."""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from uuid import UUID

from games import titles
from games.engine import chance, codec
from games.engine import match as engine
from games.engine.contract import Event, Json, Move, Seat, State, Title, Window
from games.engine.options import needs_live

RANDOM = "random"
BOT = "bot"
POLICIES = (RANDOM, BOT)

LIVE_START = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""When every live match of self-play begins; day matches have no times."""

LONGEST_THOUGHT = 20
"""Seconds a seat takes at most for a move of a live match."""

SHARE = 8
"""Matches for which it is worth starting a process, and the most that are handed to one at a time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play: `options` are complete; `seed` and the match's index decide everything that follows."""

    title: str
    options: Mapping[str, Json]
    seed: int
    policy: str = RANDOM
    legal: bool = False
    """Whether each move's event also carries what was offered."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of the log in memory, as codec.record reads it."""

    number: int
    event: Event
    line: bytes
    digest: bytes


def cores() -> int:
    """How many processes can run at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def records(plan: Plan, matches: int, processes: int = 1) -> Iterator[bytes]:
    """`matches` finished matches, a record each, in order; the same ones however many processes play them."""
    processes = min(processes, matches // SHARE)
    if processes <= 1:
        yield from _played(plan, range(matches))
        return
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    try:
        yield from _shared_out(plan, matches, processes, pool)
    finally:
        pool.shutdown(cancel_futures=True)


def _shared_out(plan: Plan, matches: int, processes: int, pool: ProcessPoolExecutor) -> Iterator[bytes]:
    """Small shares, so that all end together, and few ahead of the one that is due, so that they fill no memory."""
    ahead: deque[Future[list[bytes]]] = deque()
    for start in range(0, matches, SHARE):
        ahead.append(pool.submit(_share, plan, range(start, min(start + SHARE, matches))))
        if len(ahead) > 4 * processes:
            yield from ahead.popleft().result()
    while ahead:
        yield from ahead.popleft().result()


def _share(plan: Plan, indices: range) -> list[bytes]:
    return list(_played(plan, indices))


def _played(plan: Plan, indices: Iterable[int]) -> Iterator[bytes]:
    return (play_match(plan, index) for index in indices)


def play_match(plan: Plan, index: int) -> bytes:
    """The record of match `index` of a plan, as one line of JSON."""
    return codec.dump(Log(plan, index).play())


@dataclass(slots=True)
class Log:
    """One match being played and written down."""

    plan: Plan
    index: int
    title: Title = field(init=False)
    rng: random.Random = field(init=False)
    match: UUID = field(init=False)
    root: chance.Key = field(init=False)
    seeds: list[bytes | None] = field(init=False)
    draws: chance.SealedChance = field(init=False)
    seconds: int | None = field(init=False)
    """What the clock of a live match shows since its start; None by day."""
    setup: list[bytes] = field(init=False, default_factory=list)
    entries: list[Entry] = field(init=False, default_factory=list)
    offered: dict[int, tuple[Move, ...]] = field(init=False, default_factory=dict)
    digest: bytes = field(init=False, default=bytes(chance.SIZE))

    def __post_init__(self) -> None:
        self.title = titles.get(self.plan.title)
        self.rng = random.Random(f"{self.plan.title} {self.plan.seed} {self.index}")  # noqa: S311 - a simulation
        self.match = UUID(bytes=self.rng.randbytes(16), version=4)
        self.root = chance.Key(self.rng.randbytes(chance.SIZE))
        # One seat in four stays silent, so that records with silent seats are always among the checked ones.
        players = self.plan.options["players"]
        self.seeds = [None if self.rng.random() < 0.25 else self.rng.randbytes(chance.SIZE) for _ in range(players)]
        transcript = chance.transcript(self.match.bytes, self.title.RULESET, self.seeds)
        self.draws = chance.SealedChance(self.match.bytes, chance.LENGTH, lambda: self.root, transcript)
        self.seconds = 0 if needs_live(self.title.OPTIONS, self.plan.options) else None
        self._set_up(transcript)

    def play(self) -> dict[str, Json]:
        """The record of the finished match."""
        step = engine.begin(self.title, self.plan.options, self.draws)
        self._write(step.events)
        while step.state.outcome is None:
            step = self.next(step.state)
        return self._record()

    def next(self, state: engine.MatchState) -> engine.Step:
        """Play on from `state` and write down what happened."""
        try:
            if (auto := engine.automatic(state)) is not None:
                return self.take(state, engine.step(state, auto.seat, auto.move, self.draws, auto.by))
            window = engine.window(state)
            return self._move(state) if window is None else self._claim(state, window)
        except chance.ChainExhausted:
            return self.take(state, engine.void(state, "chain"))

    def take(self, state: engine.MatchState, step: engine.Step, legal: tuple[Move, ...] = ()) -> engine.Step:
        """Write down a step from `state`; `legal` is what the seat was offered that moved, if that is known."""
        if self.plan.legal:
            self._offer(state.position, step.events, legal)
        self._write(step.events)
        return step

    def _set_up(self, transcript: bytes) -> None:
        mid = self.match.bytes
        s0 = chance.key_at(mid, self.root, chance.LENGTH, 0).hex()
        options = self.plan.options
        self._chain(codec.commit_line(str(self.match), self.title.RULESET, options, chance.LENGTH, s0))
        for seat, seed in enumerate(self.seeds):
            self._chain(codec.join_line(seat, chance.commitment(mid, seat, seed) if seed else None))
        self._chain(codec.start_line(self.seeds, transcript))

    def _chain(self, line: bytes) -> None:
        self.digest = chance.link(self.match.bytes, len(self.setup), self.digest, line)
        self.setup.append(line)

    def _move(self, state: engine.MatchState) -> engine.Step:
        self.wait(1, LONGEST_THOUGHT)
        (seat,) = state.to_act()
        legal = self.title.legal_moves(state.position, seat)
        return self.take(state, engine.step(state, seat, self._choose(state, seat, legal), self.draws), legal)

    def _choose(self, state: engine.MatchState, seat: Seat, legal: tuple[Move, ...]) -> Move:
        if self.plan.policy == BOT:
            return self.title.bot(self.title.view(state.position, seat), legal)
        return self.rng.choice(legal)

    def _claim(self, state: engine.MatchState, window: Window) -> engine.Step:
        """All that can become of points that wait, each as often: claimed by their owner or by another in time, burnt
        by the next move, or by nobody."""
        others = sorted(window.then)
        lays = {seat: self._without_claim(state, seat) for seat in others}
        movers = [seat for seat in others if lays[seat]]
        end = self.rng.randrange(4)
        if end == 0:
            return self._act(state, window.owner, engine.CLAIM, self.wait(0, window.seconds))
        if end == 1 and others:
            return self._act(state, self.rng.choice(others), engine.CLAIM, self._wait_for_second(window))
        if end == 2 and movers:
            seat = self.rng.choice(movers)
            return self._act(state, seat, self._choose(state, seat, lays[seat]), self._wait_for_second(window))
        self.wait(engine.lasts(window), engine.lasts(window))
        return self.take(state, engine.unclaimed(state, self.draws))

    def _without_claim(self, state: engine.MatchState, seat: Seat) -> tuple[Move, ...]:
        return tuple(move for move in self.title.legal_moves(state.position, seat) if move != engine.CLAIM)

    def _act(self, state: engine.MatchState, seat: Seat, move: Move, waited: int) -> engine.Step:
        return self.take(state, engine.step(state, seat, move, self.draws, waited=waited))

    def wait(self, least: int, most: int) -> int:
        """Let some whole seconds pass on a live clock; how many."""
        if self.seconds is None:
            return 0
        waited = self.rng.randint(least, most)
        self.seconds += waited
        return waited

    def _wait_for_second(self, window: Window) -> int:
        return self.wait(window.seconds + 1, 2 * window.seconds)

    def _offer(self, position: State, events: tuple[Event, ...], legal: tuple[Move, ...]) -> None:
        """Keep what was offered to the seat that moved, just before its own event: the move may first have burnt
        somebody's points."""
        for index, event in enumerate(events):
            if event.kind in engine.OFFERED:
                assert event.seat is not None
                known = legal if index == 0 else ()
                self.offered[len(self.entries) + index + 1] = known or self.title.legal_moves(position, event.seat)
                return
            position = self.title.evolve(position, event)

    def _write(self, events: tuple[Event, ...]) -> None:
        at = None if self.seconds is None else _instant(self.seconds)
        for event in events:
            number = len(self.entries) + 1
            line = codec.line(event, at)
            self.digest = chance.link(self.match.bytes, len(self.setup) + number - 1, self.digest, line)
            self.entries.append(Entry(number, event, line, self.digest))

    def _record(self) -> dict[str, Json]:
        return codec.record(
            match=self.match,
            title=self.title,
            pace="day" if self.seconds is None else "live",
            options=self.plan.options,
            seats=[None] * self.plan.options["players"],
            stored=self.entries,
            viewer=None,
            setup=self.setup,
            root=self.root,
            length=chance.LENGTH,
            legal=self.offered if self.plan.legal else None,
        )


def _instant(seconds: int) -> str:
    return (LIVE_START + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
