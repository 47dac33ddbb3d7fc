"""How long the benchmark measures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """`clients` at a time over HTTP; a figure is the median of `slices` slices of `seconds` (whole ones for pgbench).

    At most `spare` slices of a figure are measured again. Without HTTP, a slice plays or loads for `engine_seconds`;
    the self-play of one core takes `selfplay_seconds`.
    """

    clients: tuple[int, ...] = (1, 10, 50)
    slices: int = 5
    seconds: int = 2
    spare: int = 3
    engine_seconds: float = 0.4
    selfplay_seconds: float = 3.0


FULL = Plan()
QUICK = Plan(slices=1, seconds=1, spare=1, engine_seconds=0.05, selfplay_seconds=0.1)
