"""Telefon (telefon.md)."""

from __future__ import annotations

from tests.records.dominoes import first_held, points_of, weight
from tests.records.fives import OPTIONS, FivesReader

PRIORITY = ["23", "11", "22", "33", "44", "55", "66"]


def opening(hands: list[list[str]]) -> tuple[int, str]:
    """Section 4: the first of the list that is in a hand, else the lightest tile of all hands."""
    held = sorted((tile for hand in hands for tile in hand), key=weight)
    found = first_held(hands, [*PRIORITY, *held])
    assert found is not None
    return found


class TelefonReader(FivesReader):
    OPTIONS = OPTIONS

    def first_opening(self) -> tuple[int, str | None]:
        return opening(self.hands)

    def points_for(self, total: int, opening: bool) -> int:
        """Section 7: of openings only 5/5 scores."""
        return points_of(total) if not opening or self.last_tile == "55" else 0
