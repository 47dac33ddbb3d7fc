"""Dice as multisets of faces; what they are worth is a title's affair."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

Dice = tuple[int, ...]
"""Faces, 1 to 6."""

FACES = (1, 2, 3, 4, 5, 6)


@cache
def throws(count: int) -> tuple[tuple[Dice, int], ...]:
    """Every throw of `count` dice, faces ascending, and in how many orders it falls; together 6 ** count."""
    return tuple((dice, _orders(dice)) for dice in combinations_with_replacement(FACES, count))


def _orders(dice: Dice) -> int:
    return factorial(len(dice)) // prod(factorial(n) for n in Counter(dice).values())


def parts(dice: Dice) -> tuple[Dice, ...]:
    """Every different non-empty part of `dice`, its faces ascending, the parts ascending too."""
    ascending = sorted(dice)
    return tuple(sorted({part for n in range(1, len(dice) + 1) for part in combinations(ascending, n)}))


def without(dice: Dice, taken: Dice) -> Dice:
    """`dice` in their order without the faces `taken`. Raises ValueError when one of them is not there."""
    left = list(dice)
    for face in taken:
        left.remove(face)
    return tuple(left)
