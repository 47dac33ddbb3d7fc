"""What Telefon and All Fives say in the same words: spinner, target, bonus, and a lead that goes round."""

from __future__ import annotations

from tests.records.dominoes import HUB_COUNTS, ROUND_LIMITS, DominoReader, lowest, near5

OPTIONS = {
    "teams": (True, False),
    "target": (50, 100, 150, 200, 250, 365),
    "hub_count": HUB_COUNTS,
    "match_end": ("at_once", "after_hand"),
    "round_limit": ROUND_LIMITS,
}


class FivesReader(DominoReader):
    """telefon.md 7 to 10, allfives.md 7 and 9 to 11."""

    def sum_now(self) -> int:
        return self.layout.total(self.options["hub_count"])

    def ends_at_once(self, total: int) -> str | None:
        return "target" if self.options["match_end"] == "at_once" and self.reached else None

    def count(self, how: str, seat: int, totals: list[int]) -> tuple[int | None, list[int], int]:
        written = [0] * len(totals)
        winner = self.side_of(seat) if how == "out" else lowest(totals)
        if winner is not None:
            written[winner] = near5(sum(total for side, total in enumerate(totals) if side != winner))
        return winner, written, 0

    def next_leader(self, how: str, winner: int | None, values: list[int]) -> int:
        return (self.opened + 1) % self.players

    def why_over(self) -> str | None:
        return self.highest_at_target()
