"""Dice Thousand (thousand.md): every throw, set-aside, bust and bank."""

from __future__ import annotations

from collections import Counter
from itertools import product

from tests.records.match import Facts, Reader, Record


def equal(face: int, count: int, five_of_a_kind: int) -> int | None:
    """Section 4: the worth of equal dice as one part; None where they are no part."""
    if count < 3:
        return {1: 100, 5: 50}.get(face) if count == 1 else None
    three = 1000 if face == 1 else face * 100
    return three * {3: 1, 4: 2, 5: five_of_a_kind}[count]


def worth(kept: tuple[int, ...], thrown: int, five_of_a_kind: int) -> int | None:
    """Section 5: the largest total over all splits of the ascending dice into scoring parts; None if there is none."""
    if not kept:
        return 0
    found = []
    if thrown == 5 and kept in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)):
        found.append(125 if kept[0] == 1 else 250)
    for count in range(1, kept.count(kept[0]) + 1):
        points = equal(kept[0], count, five_of_a_kind)
        rest = worth(kept[count:], thrown, five_of_a_kind)
        if points is not None and rest is not None:
            found.append(points + rest)
    return max(found, default=None)


def selections(dice: list[int], five_of_a_kind: int) -> dict[tuple[int, ...], int]:
    """Every valid selection of a throw and its value, by trying all of its subsets."""
    found = {}
    for mask in product((False, True), repeat=len(dice)):
        kept = tuple(sorted(face for face, keep in zip(dice, mask, strict=True) if keep))
        value = worth(kept, len(dice), five_of_a_kind)
        if kept and value is not None:
            found[kept] = value
    return found


def dice_next(dice: list[int], kept: list[int]) -> tuple[int, str | None]:
    """Section 6: how many dice come next, and why if it is not those that are left."""
    rest = sorted((Counter(dice) - Counter(kept)).elements())
    if not rest:
        return 5, "hot"
    if len(rest) == 2 and rest[0] == rest[1] and rest[0] in (2, 3, 4, 6):
        return 5, "double"
    return len(rest), None


class ThousandReader(Reader):
    OPTIONS = {"target": (1000,), "opening_min": (75,), "bank_min": (25,), "five_of_a_kind": (4, 3, 5, 10)}

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self.opened = [False] * self.players
        self.turns = 0
        self.seat = 0
        self.points = 0
        self.dice = 5
        self.thrown: list[int] = []
        self.phase = "roll"

    def on_match_started(self, event: Facts, payload: Facts) -> None:
        first = payload["first_seat"]
        self.must(type(first) is int and first in range(self.players), f"first_seat is {first!r}")
        self.tells({"first_seat": first})
        self.seat = (first - 1) % self.players
        self.due = "turn_started"

    def on_turn_started(self, event: Facts, payload: Facts) -> None:
        self.seat = self.turn = (self.seat + 1) % self.players
        self.same("seat", event["seat"], self.seat)
        number = self.turns // self.players + 1
        self.tells({"round": number, "totals": self.scores, "opened": self.opened})
        self.turns += 1
        self.points, self.dice, self.phase, self.due = 0, 5, "roll", None

    def on_threw(self, event: Facts, payload: Facts) -> None:
        self.must(self.phase in ("roll", "decide"), "something must be set aside first")
        self.must(self.lapsed is None, "no die is thrown for anybody")
        self.offered("throw")
        thrown = payload["dice"]
        self.tells({"dice": thrown})
        self.same("the number of dice", len(thrown), self.dice)
        self.must(all(type(face) is int and 1 <= face <= 6 for face in thrown), f"the dice are {thrown}")
        self.thrown, self.phase = thrown, "choose"
        if thrown == [1] * 5:
            self.over, self.due = "instant", "match_ended"
        elif not self.selections():
            self.due = "bust"

    def selections(self) -> dict[tuple[int, ...], int]:
        return selections(self.thrown, self.options["five_of_a_kind"])

    def offered(self, move: str) -> None:
        self.same("seat", self.event["seat"], self.turn)
        if self.phase == "choose":
            legal = ["keep " + " ".join(map(str, kept)) for kept in self.selections()]
        else:
            legal = ["throw"] + (["bank"] if self.bankable() else [])
        self.must(move in legal, f"{move} is not legal; legal are {sorted(legal)}")
        if "legal" in self.event:
            self.same("legal", self.event["legal"], sorted(legal))
        self.must(self.by() != "forced", "no move is forced at dice")

    def bankable(self) -> bool:
        """Section 8."""
        return self.phase == "decide" and self.points >= (25 if self.opened[self.seat] else 75)

    def on_kept(self, event: Facts, payload: Facts) -> None:
        kept = payload["dice"]
        self.same("the phase", self.phase, "choose")
        self.must(self.lapsed is None, "nothing is set aside for anybody")
        self.offered("keep " + " ".join(map(str, kept)))
        value = self.selections()[tuple(kept)]
        self.points += value
        self.dice, bonus = dice_next(self.thrown, kept)
        told = {"dice": kept, "value": value, "turn_points": self.points}
        self.tells({**told, "next_dice": self.dice, "bonus": bonus})
        self.phase = "decide"

    def on_bust(self, event: Facts, payload: Facts) -> None:
        self.same("seat", event["seat"], self.seat)
        self.tells({"lost": self.points})
        self.due = "turn_started"

    def on_banked(self, event: Facts, payload: Facts) -> None:
        self.offered("bank")
        seat = self.seat
        self.scores = [total + self.points if at == seat else total for at, total in enumerate(self.scores)]
        self.opened = [opened or at == seat for at, opened in enumerate(self.opened)]
        self.tells({"points": self.points, "totals": self.scores, "opened": self.opened})
        self.due = "turn_started"
        if self.scores[seat] >= 1000:
            self.over, self.due = "target", "match_ended"

    def on_turn_ended(self, event: Facts, payload: Facts) -> None:
        self.same("seat", event["seat"], self.lapsed)
        self.must(not self.bankable(), "the club banks what may be banked")
        self.tells({})
        self.due = "turn_started"

    def victors(self) -> list[int]:
        return [self.seat]
