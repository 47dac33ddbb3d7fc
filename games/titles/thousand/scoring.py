"""What dice are worth, and how many come next (thousand rules, sections 4 to 6 and 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from games.engine import dice as engine
from games.engine.dice import Dice

Bonus = Literal["hot", "double"]

ALL = 5
"""The dice of the game, and of the first throw of a cycle."""

SINGLES = {1: 100, 5: 50}
THREES = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
STRAIGHTS = {(1, 2, 3, 4, 5): 125, (2, 3, 4, 5, 6): 250}
FIVE_ONES = (1,) * ALL


@dataclass(frozen=True, slots=True)
class Part:
    """Dice (ascending) of a selection that score together: equal ones, or a straight. `points` are for all of them."""

    dice: Dice
    points: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Dice (ascending) that may be set aside from a throw, their value in points, and what follows."""

    dice: Dice
    value: int
    next_dice: int
    bonus: Bonus | None


@cache
def selections(throw: Dice, five_of_a_kind: int) -> Mapping[str, Selection]:
    """Every valid selection of a throw by its move (`keep 1 1 5`), sorted by move; none when the throw is a bust.

    Five ones win at the throw, so nothing can be selected from them either.
    """
    return _selections(tuple(sorted(throw)), five_of_a_kind)


@cache
def _selections(throw: Dice, five_of_a_kind: int) -> Mapping[str, Selection]:
    if throw == FIVE_ONES:
        return {}
    found = {keep(dice): _selection(throw, dice, five_of_a_kind) for dice in engine.parts(throw)}
    return {move: selection for move, selection in sorted(found.items()) if selection.value}


@cache
def scores(throw: Dice) -> bool:
    """Whether a throw has a valid selection; a throw that has none is a bust (sections 5 and 7)."""
    return any(face in SINGLES for face in throw) or any(throw.count(face) >= 3 for face in engine.FACES)


def keep(dice: Dice) -> str:
    """The move that sets these dice aside."""
    return "keep " + " ".join(str(face) for face in sorted(dice))


def parts(selection: Dice, five_of_a_kind: int) -> tuple[Part, ...]:
    """What a selection (ascending) scores by, in the most valuable way; nothing when some die of it scores nothing."""
    # Five dice selected are five dice thrown, so a straight needs no other test.
    if selection in STRAIGHTS:
        return (Part(selection, STRAIGHTS[selection]),)
    # Any other part has one face only. All dice of a face together are never worth less than split.
    equal = [(face,) * selection.count(face) for face in sorted(set(selection))]
    found = [Part(dice, _equal(dice[0], len(dice), five_of_a_kind)) for dice in equal]
    return tuple(found) if all(part.points for part in found) else ()


def _equal(face: int, count: int, five_of_a_kind: int) -> int:
    """What `count` equal dice of one throw are worth together."""
    if count < 3:
        return count * SINGLES.get(face, 0)
    return {3: 1, 4: 2, 5: five_of_a_kind}[count] * THREES[face]


def _selection(throw: Dice, dice: Dice, five_of_a_kind: int) -> Selection:
    rest = engine.without(throw, dice)
    bonus = _bonus(rest)
    value = sum(part.points for part in parts(dice, five_of_a_kind))
    return Selection(dice, value, ALL if bonus else len(rest), bonus)


def _bonus(rest: Dice) -> Bonus | None:
    if not rest:
        return "hot"
    equal_pair = len(rest) == 2 and rest[0] == rest[1]
    return "double" if equal_pair and rest[0] not in SINGLES else None


@cache
def busts(count: int) -> int:
    """How many of the 6 ** count throws of `count` dice score nothing."""
    return sum(ways for throw, ways in engine.throws(count) if not scores(throw))


@cache
def gains(count: int, five_of_a_kind: int) -> int:
    """The values of the best selections of all 6 ** count throws, added up; five ones are left out."""
    return sum(ways * _best(throw, five_of_a_kind) for throw, ways in engine.throws(count))


def _best(throw: Dice, five_of_a_kind: int) -> int:
    return max((selection.value for selection in selections(throw, five_of_a_kind).values()), default=0)
