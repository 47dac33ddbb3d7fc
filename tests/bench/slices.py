"""Which slices stand: quiet ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

QUIET = 0.3
"""The work of others, in cores, above which a slice is measured again."""


class Measured(Protocol):
    """A slice; `others` is the work of others meanwhile, in cores."""

    @property
    def others(self) -> float: ...


Slice = TypeVar("Slice", bound=Measured)


def choose(taken: Iterable[Slice | None], wanted: int) -> tuple[list[Slice], int]:
    """Take slices until `wanted` of them were quiet; those that stand, and how many were dropped.

    None is a void slice. When they end too soon, the least disturbed ones fill up.
    """
    slices: list[Slice] = []
    void = 0
    for each in taken:
        if each is None:
            void += 1
        else:
            slices.append(each)
        if len(slices) - disturbed(slices) == wanted:
            break
    standing = sorted(slices, key=lambda each: each.others)[:wanted]
    return standing, len(slices) + void - len(standing)


def disturbed(slices: Sequence[Measured]) -> int:
    """How many slices others disturbed."""
    return sum(each.others > QUIET for each in slices)
