"""Kozel (kozel.md)."""

from __future__ import annotations

from tests.records.dominoes import ROUND_LIMITS, DominoReader, first_held, pips, weight

RANKS = {"lowest": "00 11 22 33 44 55 66", "last": "11 22 33 44 55 66 00"}


def opening(hands: list[list[str]], blank_double_rank: str) -> tuple[int, str]:
    """Section 4: 1/1, else the lowest double, else the lightest tile of all hands."""
    held = sorted((tile for hand in hands for tile in hand), key=weight)
    found = first_held(hands, ["11", *RANKS[blank_double_rank].split(), *held])
    assert found is not None
    return found


def hand_value(hand: list[str]) -> int:
    """Section 8."""
    special = {("00",): 25, ("66",): 50, ("00", "66"): 75}
    return special.get(tuple(sorted(hand)), sum(pips(tile) for tile in hand))


class KozelReader(DominoReader):
    OPTIONS = {
        "teams": (True, False),
        "target": (101,),
        "entry_13": (False, True),
        "bald": (False, True),
        "blank_double_rank": ("lowest", "last"),
        "round_limit": ROUND_LIMITS,
    }
    LOW_WINS = True
    BRANCHES = False

    def first_opening(self) -> tuple[int, str | None]:
        return opening(self.hands, self.options["blank_double_rank"])

    def sum_now(self) -> int:
        return 0

    def points_for(self, total: int, opening: bool) -> int:
        return 0

    def goes_out(self) -> str:
        return "bald" if self.options["bald"] and self.last_tile == "00" else "out"

    def value(self, hand: list[str]) -> int:
        return hand_value(hand)

    def count(self, how: str, seat: int, totals: list[int]) -> tuple[int | None, list[int], int]:
        """Sections 8 to 10: losers write their own totals; eggs wait for one loser."""
        best = min(totals)
        if how == "blocked" and totals.count(best) > 1:
            return None, [0] * len(totals), self.carried + sum(totals)
        winner = self.side_of(seat) if how == "out" else totals.index(best)
        written = [0 if side == winner else total for side, total in enumerate(totals)]
        eggs = self.carried
        losers = [side for side in range(len(totals)) if side != winner]
        worst = max(totals[side] for side in losers)
        highest = [side for side in losers if totals[side] == worst]
        if len(highest) == 1:
            written[highest[0]] += eggs
            eggs = 0
        return winner, [self.entered(side, penalty) for side, penalty in enumerate(written)], eggs

    def entered(self, side: int, penalty: int) -> int:
        """Section 13: while the score is 0, less than 13 lapses."""
        lapses = self.options["entry_13"] and self.scores[side] == 0 and penalty < 13
        return 0 if lapses else penalty

    def next_leader(self, how: str, winner: int | None, values: list[int]) -> int:
        """Section 12."""
        if how == "out" or winner is None:
            return self.last
        clockwise = [(self.last + step) % self.players for step in range(self.players)]
        partners = [seat for seat in clockwise if seat in self.sides[winner]]
        return min(partners, key=lambda seat: values[seat])

    def why_over(self) -> str | None:
        if max(self.scores) < 101:
            return None
        fewest = min(self.scores)
        self.best = [side for side, score in enumerate(self.scores) if score == fewest]
        return "target"
