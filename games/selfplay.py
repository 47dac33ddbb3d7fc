"""Whole matches played by policies through the engine alone: no database, the same records (match-record.md)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from uuid import UUID

from games import titles
from games.engine import chance, codec
from games.engine import match as engine
from games.engine.contract import Event, Json, Move, Seat, Title

RANDOM = "random"
BOT = "bot"
POLICIES = (RANDOM, BOT)


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


def records(plan: Plan, matches: int, processes: int = 1) -> Iterator[bytes]:
    """`matches` finished matches, a record each, in order; the same ones however many processes play them."""
    play = partial(play_match, plan)
    if processes == 1:
        yield from map(play, range(matches))
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(play, range(matches), chunksize=max(1, min(32, matches // (processes * 4))))


def play_match(plan: Plan, index: int) -> bytes:
    """The record of match `index` of a plan, as one line of JSON."""
    return codec.dump(_Log(plan, index).play())


@dataclass(slots=True)
class _Log:
    """One match being played and written down."""

    plan: Plan
    index: int
    title: Title = field(init=False)
    rng: random.Random = field(init=False)
    match: UUID = field(init=False)
    root: chance.Key = field(init=False)
    seeds: list[bytes | None] = field(init=False)
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

    def play(self) -> dict[str, Json]:
        transcript = chance.transcript(self.match.bytes, self.title.RULESET, self.seeds)
        self._set_up(transcript)
        draws = chance.SealedChance(self.match.bytes, chance.LENGTH, lambda: self.root, transcript)
        step = engine.begin(self.title, self.plan.options, draws)
        self._write(step.events, None)
        while step.state.outcome is None:
            step = self._move(step.state, draws)
        return self._record()

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

    def _move(self, state: engine.MatchState, draws: chance.SealedChance) -> engine.Step:
        automatic = engine.automatic(state)
        seat, move, by = automatic or (min(state.to_act()), "", "")
        legal = self.title.legal_moves(state.position, seat) if self.plan.legal or not move else ()
        step = engine.step(state, seat, move or self._choose(state, seat, legal), draws, by)
        self._write(step.events, legal)
        return step

    def _choose(self, state: engine.MatchState, seat: Seat, legal: tuple[Move, ...]) -> Move:
        if self.plan.policy == BOT:
            return self.title.bot(self.title.view(state.position, seat), legal)
        return self.rng.choice(legal)

    def _write(self, events: tuple[Event, ...], legal: tuple[Move, ...] | None) -> None:
        for event in events:
            number = len(self.entries) + 1
            line = codec.line(event, None)
            self.digest = chance.link(self.match.bytes, len(self.setup) + number - 1, self.digest, line)
            self.entries.append(Entry(number, event, line, self.digest))
            if legal is not None and engine.is_move(event):
                self.offered[number] = legal

    def _record(self) -> dict[str, Json]:
        return codec.record(
            match=self.match,
            title=self.title,
            pace="day",
            options=self.plan.options,
            seats=[None] * self.plan.options["players"],
            stored=self.entries,
            viewer=None,
            setup=self.setup,
            root=self.root,
            length=chance.LENGTH,
            legal=self.offered if self.plan.legal else None,
        )
