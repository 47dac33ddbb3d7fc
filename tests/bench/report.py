"""The tables that the benchmark prints."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from tests.bench.machine import WATCHED
from tests.bench.moves import Contest, Figures
from tests.bench.plan import Plan
from tests.bench.rounds import Played
from tests.bench.slices import QUIET, disturbed

RATIO = 0.15
"""The bar for the ratio; it holds for BARRED clients."""
BARRED = 10
TURNS = 20_000
"""The bar for turns a second of two seats at dice."""

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
    head = "clients", "ours", "ceiling", "ratio", "bar", *latency, "CPU ms", "rows", "its rows", "slices", "disturbed"
    yield from _table(head, [_moves(line) for line in figures])


def _moves(line: Figures) -> Cells:
    return (
        f"{line.clients}",
        f"{line.median('ours'):,.0f}",
        f"{line.median('ceiling'):,.0f}",
        f"{line.median('ratio'):.3f}",
        f">= {RATIO}" if line.clients == BARRED else "",
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


def bars(
    contest: Contest, figures: Sequence[Figures], played: Mapping[tuple[str, int], Sequence[Played]]
) -> Iterator[str]:
    """What must be reached, and whether it is."""
    line = next(line for line in figures if line.clients == BARRED)
    turns = rate(played["thousand", 2], "openings")
    yield "Bars"
    rows = [
        _bar("ratio to the ceiling, 10 clients", line.median("ratio"), ">=", RATIO, ".3f"),
        _bar("p99 of a move in ms, 10 clients", line.percentile(99) * 1000, "<=", 100, ".1f"),
        _bar("statements for a move", contest.statements, "<=", 8, ".1f"),
        _bar("turns a second of Thousand, 2 seats", turns, ">=", TURNS, ",.0f"),
    ]
    if WATCHED:
        rows.insert(1, _bar("CPU of a move in ms, 10 clients", line.median("cost") * 1000, "<=", 3.5, ".2f"))
    yield from _table(("figure", "measured", "bar", ""), rows)
    if line.disturbed or disturbed(played["thousand", 2]):
        yield f"Disturbed slices: other work took more than {QUIET} of a core meanwhile. Their figures are too low."


def _bar(figure: str, measured: float, how: str, bar: float, form: str) -> Cells:
    reached = measured >= bar if how == ">=" else measured <= bar
    return figure, f"{measured:{form}}", f"{how} {bar:,}", "reached" if reached else "missed"


def _table(head: Cells, rows: Sequence[Cells]) -> Iterator[str]:
    """Columns as wide as they must be; the first to the left, the rest to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        cells = zip(row, widths, strict=True)
        first, *rest = (f"{cell:<{width}}" if not at else f"{cell:>{width}}" for at, (cell, width) in enumerate(cells))
        yield "  " + "  ".join((first, *rest)).rstrip()
