"""Questions of the trainer: "what would this score?"

A title has a module `quiz` with `question(number)`: the same question for the same number, for ever, so that an address
can be shared. What titles with open ends ask is made here, out of rounds as they might go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TypeVar, get_args

from games.engine.chance import stream, uniform
from games.engine.contract import Phrase, Tiles, Value, gettext_noop
from games.engine.counting import parts, why_hub
from games.engine.dice import Dice
from games.engine.dominoes import (
    EMPTY,
    ENDS,
    TILES,
    Hand,
    HubCount,
    Layout,
    Tile,
    deal,
    ends,
    is_blocked,
    lay,
    open_sum,
    placements,
    points,
    without,
)
from games.engine.rounds.words import counted_ends

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """What may be answered. `key` stands for it in an address.

    `result` says in short what comes of it, `why` how that is counted. `table` is the position it leads to.
    """

    key: str
    text: Phrase
    is_right: bool
    why: tuple[Phrase, ...]
    result: Phrase | None = None
    table: Layout = EMPTY


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a position, a hand of tiles or thrown dice: one of the three is there.

    On a table, `tile` is to be laid and `fresh` was laid last; `hub_count` says how it is counted. Of dice, every part
    is an answer, and its key are the faces, ascending.
    """

    ask: Phrase
    answers: tuple[Answer, ...]
    table: Layout = EMPTY
    hub_count: HubCount = "zero"
    tile: Tile | None = None
    fresh: Tile | None = None
    hand: Hand = ()
    dice: Dice = ()


class Draws:
    """Endless draws that follow from the number of a question (0 to 2 ** 32 - 1) alone."""

    __slots__ = ("_numbers",)

    def __init__(self, slug: str, number: int) -> None:
        self._numbers = stream(b"", b"", f"quiz/{slug}", number, 0)

    def below(self, choices: int) -> int:
        """A number from 0 on."""
        return uniform(self._numbers, choices)

    def choose(self, among: Sequence[T]) -> T:
        return among[self.below(len(among))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]


def amounts(right: int, mistaken: Iterable[int], why: tuple[Phrase, ...], table: Layout = EMPTY) -> tuple[Answer, ...]:
    """Four amounts to choose from, ascending: what one easily comes to by mistake, then what is near."""
    near = (right + step for step in (5, -5, 1, -1, 2))
    wrong = list(dict.fromkeys(amount for amount in (*mistaken, *near) if amount != right and amount >= 0))
    return tuple(
        Answer(str(amount), Phrase("{n}", {"n": amount}), amount == right, why, table=table)
        for amount in sorted([right, *wrong[:3]])
    )


# Open ends

FEWEST, MOST = 3, 9
"""Tiles on the table: enough to count, few enough for a phone."""
LINE, ARM = 6, 2


def open_end_question(slug: str, number: int, hub_count: HubCount) -> Question:
    """Where a tile brings most, or what the open ends come to: in turn."""
    draws = Draws(slug, number)
    asked = _where(draws, hub_count) if number % 2 else _how_much(draws, hub_count)
    return next(question for question in asked if question)


def _where(draws: Draws, hub_count: HubCount) -> Iterator[Question | None]:
    for table, hand, _ in _tables(draws):
        for tile in draws.shuffled(hand):
            yield _placing(table, tile, hub_count)


def _placing(table: Layout, tile: Tile, hub_count: HubCount) -> Question | None:
    """Which end is best for the tile; None where there is nothing to find out."""
    wanted = ends(table)
    after = {end: lay(table, tile, end, branching=True) for _, end in placements((tile,), wanted)}
    sums = {end: open_sum(laid, hub_count) for end, laid in after.items()}
    most = max(map(points, sums.values()), default=0)
    if not most or len(set(sums.values())) < 2:
        return None
    answers = tuple(
        Answer(
            end,
            _phrase(gettext_noop("End {number}: {face}"), number=ENDS.index(end) + 1, face=wanted[end]),
            points(sums[end]) == most,
            explained(laid, hub_count),
            _result(sums[end]),
            laid,
        )
        for end, laid in after.items()
    )
    ask = _phrase(gettext_noop("Your tile: {t}. Where does it bring the most points?"), t=Tiles((tile,)))
    return Question(ask, answers, table, hub_count, tile=tile)


def _how_much(draws: Draws, hub_count: HubCount) -> Iterator[Question | None]:
    for table, _, fresh in _tables(draws):
        yield _counting(table, fresh, hub_count)


def _counting(table: Layout, fresh: Tile, hub_count: HubCount) -> Question | None:
    """What the open ends come to; None where nobody would go wrong."""
    total = open_sum(table, hub_count)
    wanted = ends(table)
    mistaken = [
        sum(wanted[part.end] if part.end else part.count for part in parts(table, hub_count)),  # doubles once
        *(open_sum(table, other) for other in get_args(HubCount)),  # the hub otherwise
        sum(wanted.values()),  # arms that nobody has begun
    ]
    if set(mistaken) == {total}:
        return None
    ask = _phrase(gettext_noop("Laid last: {t}. What do the open ends come to?"), t=Tiles((fresh,)))
    answers = amounts(total, mistaken, explained(table, hub_count), table)
    return Question(ask, answers, table, hub_count, fresh=fresh)


def explained(table: Layout, hub_count: HubCount) -> tuple[Phrase, ...]:
    """The open ends counted, and what is easily counted wrong."""
    told = [counted_ends(table, hub_count)]
    if hub := why_hub(table, hub_count):
        told.append(hub)
        if not all(table.arms):
            told.append(_phrase(gettext_noop("A side arm without tiles counts nothing.")))
    return tuple(told)


def _result(total: int) -> Phrase:
    if points(total):
        return _phrase(gettext_noop("Sum {s}, plus {p}"), s=total, p=points(total))
    return _phrase(gettext_noop("Sum {s}, nothing"), s=total)


def _phrase(text: str, **values: Value) -> Phrase:
    return Phrase(text, values)


def _tables(draws: Draws) -> Iterator[tuple[Layout, Hand, Tile]]:
    """Positions that fit on a phone, each of a round of its own; the hand of the seat to move, and the last tile."""
    while True:
        wanted = FEWEST + draws.below(MOST - FEWEST + 1)
        for table, hand, last in _round(draws):
            if len(table.line) > LINE or max(map(len, table.arms)) > ARM:
                break
            if len(table.line) + sum(map(len, table.arms)) == wanted:
                yield table, hand, last
                break


def _round(draws: Draws) -> Iterator[tuple[Layout, Hand, Tile]]:
    """A round of four who lay whatever fits: each position, the hand of the next seat, and the tile that was laid."""
    hands = list(deal(draws.shuffled(TILES), 4, 7)[0])
    table, tile, end = EMPTY, draws.choose(hands[0]), None
    for seat in cycle(range(4)):
        if table.line:
            legal = sorted(placements(hands[seat], ends(table)))
            if not legal:
                continue
            tile, end = draws.choose(legal)
        table, hands[seat] = lay(table, tile, end, branching=True), without(hands[seat], tile)
        yield table, hands[(seat + 1) % 4], tile
        if not hands[seat] or is_blocked(ends(table).values(), hands):
            return
