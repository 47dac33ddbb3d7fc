"""The tables that the benchmark prints."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from tests.bench import cores
from tests.bench.contests import Contest as PeerContest
from tests.bench.contests import Held
from tests.bench.loads import Loads
from tests.bench.machine import WATCHED
from tests.bench.moves import Contest, Figures
from tests.bench.plan import Plan
from tests.bench.rounds import Played
from tests.bench.slices import QUIET, disturbed

BARRED = 10
"""Clients for whom the bars hold."""

Cells = Sequence[str]


def heading(plan: Plan) -> str:
    """What was measured where."""
    slices = f"{plan.slices} slices of {plan.seconds} s" if plan.slices > 1 else f"one slice of {plan.seconds} s"
    return f"Medians of {slices}. {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}."


def moves(contest: Contest, figures: Sequence[Figures], durability: Mapping[str, str]) -> Iterator[str]:
    """Moves a second beside the ceiling."""
    promised = ", ".join(f"{name}={value}" for name, value in durability.items())
    yield "Moves accepted a second over HTTP, beside one locked transaction of the same rows"
    yield f"ceiling: pgbench {contest.ceiling.version} on the same database, {promised}"
    latency = "p50 ms", "p99 ms"
    head = "clients", "ours", "ceiling", "ratio", *latency, "CPU ms", "rows", "its rows", "slices", "disturbed"
    yield from _table(head, [_moves(line) for line in figures])


def _moves(line: Figures) -> Cells:
    return (
        f"{line.clients}",
        f"{line.median('ours'):,.0f}",
        f"{line.median('ceiling'):,.0f}",
        f"{line.median('ratio'):.3f}",
        f"{line.percentile(50) * 1000:.1f}",
        f"{line.percentile(99) * 1000:.1f}",
        _cost(line),
        f"{line.median('rows'):.2f}",
        f"{line.median('ceiling_rows'):.2f}",
        f"{len(line.slices)} of {len(line.slices) + line.dropped}",
        f"{line.disturbed}",
    )


def _cost(line: Figures) -> str:
    return f"{line.median('cost') * 1000:.2f}" if WATCHED else "-"


def rounds(played: Mapping[tuple[str, int], Sequence[Played]]) -> Iterator[str]:
    """Rounds a second of each title."""
    yield "Random full rounds a second, rules alone, one process"
    head = "title", "seats", "rounds", "deals or turns", "moves", "disturbed"
    yield from _table(head, [(slug, str(seats), *_rates(slices)) for (slug, seats), slices in played.items()])


def _rates(slices: Sequence[Played]) -> Cells:
    rates = (f"{rate(slices, what):,.0f}" for what in ("rounds", "openings", "moves"))
    return *rates, f"{disturbed(slices)}"


def rate(slices: Sequence[Played], what: str) -> float:
    """The median of one figure, a second."""
    return median(getattr(each, what) / each.seconds for each in slices)


def loads(loaded: Mapping[str, Loads]) -> Iterator[str]:
    """What loading a position takes, in a short match and in a long one."""
    yield "Loading a position, by database and fold, two seats: a short match and a long one of each title"
    head = "title", "events", "of a long one", "since opening", "ms", "long ms", "ratio", "fold us", "disturbed"
    yield from _table(head, [(slug, *_loads(each)) for slug, each in loaded.items()])


def _loads(each: Loads) -> Cells:
    return (
        f"{each.short}",
        f"{each.long:,}",
        f"{each.tail}",
        f"{_middle(each.slices, 'short') * 1000:.2f}",
        f"{_middle(each.slices, 'long') * 1000:.2f}",
        f"{_middle(each.slices, 'ratio'):.2f}",
        f"{each.fold * 1e6:.1f}",
        f"{disturbed(each.slices)}",
    )


def contests(held: Held) -> Iterator[str]:
    """Our rules beside other libraries."""
    yield "Moves a second by the rules alone, two seats, beside other libraries"
    head = "title", "peer", "ours", "peer's", "ratio", "bar", "goal", "disturbed"
    yield from _table(head, [_contest(contest, pairs) for contest, pairs in held.pairs.items()])
    for peer, why in held.missing.items():
        yield f"  left out: {peer} ({why})"


def _contest(contest: PeerContest, pairs: Sequence[object]) -> Cells:
    rates = (f"{_middle(pairs, who):,.0f}" for who in ("ours", "theirs"))
    limits = (f">= {limit:g}" if limit else "-" for limit in (contest.bar, contest.goal))
    return contest.title, contest.peer, *rates, f"{_middle(pairs, 'ratio'):.2f}", *limits, f"{disturbed(pairs)}"


def _middle(slices: Sequence[object], what: str) -> float:
    """The median of one figure of slices."""
    return median(getattr(each, what) for each in slices)


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that bars are held against."""

    contest: Contest
    figures: Sequence[Figures]
    loaded: Mapping[str, Loads]
    played: Mapping[tuple[str, int], Sequence[Played]]
    held: Held
    shared: Sequence[cores.Pair]
    """Self-play; empty where there is one core."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure, what must be reached, where we are going, and how to print it."""

    figure: str
    measured: float
    how: str
    bar: float
    goal: float | None
    form: str

    def cells(self) -> Cells:
        reached = self.measured >= self.bar if self.how == ">=" else self.measured <= self.bar
        limits = (f"{self.how} {limit:,}" if limit else "-" for limit in (self.bar, self.goal))
        return self.figure, f"{self.measured:{self.form}}", *limits, "reached" if reached else "missed"


def bars(measured: Measured) -> Iterator[str]:
    """What must be reached, and whether it is."""
    yield "Bars"
    rows = [bar.cells() for bar in (*_bars_of_moves(measured), *_bars_of_rules(measured))]
    yield from _table(("figure", "measured", "bar", "goal", ""), rows)
    if not measured.shared:
        yield "  left out: self-play on two cores, for there is one"
    yield f"  Disturbed slices: other work took more than {QUIET} of a core meanwhile. Their figures are no good."


def _bars_of_moves(measured: Measured) -> Iterator[Bar]:
    line = next(line for line in measured.figures if line.clients == BARRED)
    yield Bar("moves over the ceiling, 10 clients", line.median("ratio"), ">=", 0.15, 0.25, ".3f")
    if WATCHED:
        yield Bar("CPU of a move in ms, 10 clients", line.median("cost") * 1000, "<=", 3.5, 2, ".2f")
    yield Bar("p99 of a move in ms, 10 clients", line.percentile(99) * 1000, "<=", 100, 40, ".1f")
    yield Bar("statements for a move", measured.contest.statements, "<=", 8, 5, ".1f")


def _bars_of_rules(measured: Measured) -> Iterator[Bar]:
    slug, loaded = max(measured.loaded.items(), key=lambda item: _middle(item[1].slices, "ratio"))
    yield Bar(f"load of a long match over a short one, {slug}", _middle(loaded.slices, "ratio"), "<=", 1.5, None, ".2f")
    for contest, pairs in measured.held.pairs.items():
        if contest.bar:
            figure = f"{contest.title} over {contest.peer}"
            yield Bar(figure, _middle(pairs, "ratio"), ">=", contest.bar, contest.goal, ".2f")
    turns = rate(measured.played["thousand", 2], "openings")
    yield Bar("turns a second of thousand, 2 seats", turns, ">=", 20_000, 60_000, ",.0f")
    if measured.shared:
        yield Bar("selfplay on 2 cores over 1", _middle(measured.shared, "ratio"), ">=", 1.7, 1.9, ".2f")


def _table(head: Cells, rows: Sequence[Cells]) -> Iterator[str]:
    """Columns as wide as they must be; the first to the left, the rest to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        cells = zip(row, widths, strict=True)
        first, *rest = (f"{cell:<{width}}" if not at else f"{cell:>{width}}" for at, (cell, width) in enumerate(cells))
        yield "  " + "  ".join((first, *rest)).rstrip()
