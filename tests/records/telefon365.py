"""Telefon 365 (telefon365.md)."""

from __future__ import annotations

from itertools import combinations, product

from tests.records.dominoes import (
    ROUND_LIMITS,
    DominoReader,
    Layout,
    first_held,
    is_double,
    lowest,
    pips,
    points_of,
    up5,
    weight,
)

PRIORITY = ["23", "11", "22", "33", "44", "55", "66", "00"]
TARGET, CAP, KNOCKOUT = 365, 300, 35


def opening(hands: list[list[str]]) -> tuple[int, str]:
    """Section 4: the first of the list that is in a hand, else the lightest tile of all hands."""
    held = sorted((tile for hand in hands for tile in hand), key=weight)
    found = first_held(hands, [*PRIORITY, *held])
    assert found is not None
    return found


def five_doubles(hand: list[str]) -> bool:
    """R1."""
    return sum(is_double(tile) for tile in hand) >= 5


def five_of_a_suit(hand: list[str]) -> bool:
    """R2: the double of the suit does not count."""
    plain = [tile for tile in hand if not is_double(tile)]
    return any(sum(face in tile for tile in plain) >= 5 for face in "0123456")


def void_deal(hands: list[list[str]]) -> tuple[str, int] | None:
    """The lowest rule that voids the deal, then the lowest seat."""
    for rule, fires in (("R1", five_doubles), ("R2", five_of_a_suit)):
        for seat, hand in enumerate(hands):
            if fires(hand):
                return rule, seat
    return None


def vetoed(hands: list[list[str]], seat: int, tile: str) -> bool:
    """R3: among four, a double is led and neither opponent was dealt a tile of its suit."""
    if len(hands) != 4 or not is_double(tile):
        return False
    opponents = hands[(seat + 1) % 4] + hands[(seat + 3) % 4]
    return not any(tile[0] in held for held in opponents)


def sets_of_doubles(layout: Layout, hand: list[str]) -> list[str]:
    """Section 5: two to four doubles, each on its own end, if the final sum scores."""
    wanted = layout.ends()
    where = {tile: [end for end, face in wanted.items() if tile == face * 2] for tile in hand}
    fitting = sorted(tile for tile, ends in where.items() if ends)
    found = []
    for size in (2, 3, 4):
        for chosen in combinations(fitting, size):
            for ends in product(*(where[tile] for tile in chosen)):
                after = layout.copy()
                for tile, end in zip(chosen, ends, strict=True):
                    after.put(tile, end)
                if points_of(after.total("zero")):
                    moves = [f"{tile}@{end}" for tile, end in zip(chosen, ends, strict=True)]
                    found.append("+".join(sorted(moves)))
    return found


def hand_value(hand: list[str], double_blank: str) -> int:
    """Section 9: pips, and 0/0 counts 10: always, or where it is alone."""
    ten = "00" in hand and (double_blank == "always_10" or hand == ["00"])
    return sum(pips(tile) for tile in hand) + (10 if ten else 0)


def capped(score: int, points: int) -> int:
    """Section 10: what is really added."""
    return 0 if score >= CAP else min(points, CAP - score)


class Telefon365Reader(DominoReader):
    OPTIONS = {
        "opening_scores": ("any", "only_5_5", "none"),
        "double_blank": ("always_10", "alone_10"),
        "blocked_check": ("at_once", "after_draws"),
        "target": (TARGET,),
        "hand_cap": (CAP,),
        "knockout": (KNOCKOUT,),
        "round_limit": ROUND_LIMITS,
    }
    RESERVE = 1

    def right_sides(self) -> list[list[int]]:
        return [[0, 2], [1, 3]] if self.players == 4 else [[seat] for seat in range(self.players)]

    def first_opening(self) -> tuple[int, str | None]:
        return opening(self.hands)

    def voids(self) -> tuple[str, int] | None:
        return void_deal(self.hands)

    def vetoes(self, tile: str) -> bool:
        return self.turn is not None and vetoed(self.hands, self.turn, tile)

    def sets(self, hand: list[str]) -> list[str]:
        return sets_of_doubles(self.layout, hand)

    def sum_now(self) -> int:
        return self.layout.total("zero")

    def points_for(self, total: int, opening: bool) -> int:
        allowed = self.options["opening_scores"]
        if opening and (allowed == "none" or (allowed == "only_5_5" and self.last_tile != "55")):
            return 0
        return points_of(total)

    def ends_at_once(self, total: int) -> str | None:
        return "knockout" if total == KNOCKOUT else None

    def boneyard_helps(self) -> bool:
        if self.options["blocked_check"] == "after_draws":
            return self.drawable() > 0
        return self.layout.fits(self.boneyard[: self.drawable()])

    def value(self, hand: list[str]) -> int:
        return hand_value(hand, self.options["double_blank"])

    def count(self, how: str, seat: int, totals: list[int]) -> tuple[int | None, list[int], int]:
        """Sections 9 to 12: the others' hands and the bank, under the cap; or a seka."""
        written = [0] * len(totals)
        winner = self.side_of(seat) if how == "out" else lowest(totals)
        if winner is None:
            return None, written, self.carried + up5(sum(totals))
        others = sum(total for side, total in enumerate(totals) if side != winner)
        written[winner] = capped(self.scores[winner], up5(others) + self.carried)
        return winner, written, 0

    def next_leader(self, how: str, winner: int | None, values: list[int]) -> int:
        """Section 14: who went out, or the blocker."""
        return self.last

    def why_over(self) -> str | None:
        return self.highest_at_target()
