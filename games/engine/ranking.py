"""Places from scores."""

from __future__ import annotations

from collections.abc import Sequence


def places(keys: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The place of each key, the smallest key first; equal keys share a place: 1, 1, 3."""
    return tuple(1 + sum(other < key for other in keys) for key in keys)
