"""What tests of titles share."""

from __future__ import annotations

from random import Random

from games.engine.contract import Seat
from games.engine.dominoes import TILES


class SeededChance:
    """A chance that gives the same draws for the same seed, whatever has been drawn before."""

    def __init__(self, seed: object) -> None:
        self.seed = seed

    def deal(self, epoch: int, attempt: int) -> tuple[str, ...]:
        return tuple(self._random("deal", epoch, attempt).sample(TILES, len(TILES)))

    def dice(self, epoch: int, throw: int, count: int) -> tuple[int, ...]:
        numbers = self._random("dice", epoch, throw)
        return tuple(numbers.randint(1, 6) for _ in range(count))

    def lot(self, epoch: int, seats: int) -> Seat:
        return self._random("lot", epoch).randrange(seats)

    def _random(self, *what: object) -> Random:
        return Random(f"{self.seed}/{what}")
