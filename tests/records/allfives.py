"""All Fives, strict Muggins included (allfives.md)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tests.records.dominoes import first_held, is_double, points_of, weight
from tests.records.fives import OPTIONS, FivesReader
from tests.records.match import Facts, Record


def opening(hands: list[list[str]]) -> tuple[int, str]:
    """Section 4: the heaviest double of all hands, else the heaviest tile."""
    held = sorted((tile for hand in hands for tile in hand), key=weight, reverse=True)
    found = first_held(hands, sorted(held, key=is_double, reverse=True))
    assert found is not None
    return found


@dataclass(slots=True)
class Waiting:
    """Points that wait for a claim."""

    mover: int
    points: int
    at: datetime
    untouched: bool = True
    """Whether nothing has been played since the move."""


class AllFivesReader(FivesReader):
    OPTIONS = {
        **OPTIONS,
        "first_lead": ("forced", "free"),
        "muggins": ("auto", "strict"),
        "claim_seconds": (3, 5, 10),
    }
    HAND = {2: 7, 3: 6, 4: 5}

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self.strict = self.options.get("muggins") == "strict"
        self.waiting: Waiting | None = None
        self.scorer = 0

    def head(self) -> None:
        super().head()
        self.must(not self.strict or self.pace != "day", "strict Muggins is for live games")
        dated = all(event["at"] is not None for event in self.events)
        self.must(not self.strict or dated, "at is null, though strict Muggins is played")

    def first_opening(self) -> tuple[int, str | None]:
        seat, tile = opening(self.hands)
        return (seat, None) if self.options["first_lead"] == "free" else (seat, tile)

    def points_for(self, total: int, opening: bool) -> int:
        return points_of(total)

    def ended_by(self) -> int:
        return self.scorer if self.ending == "target" else self.last

    def score_move(self, total: int, opening: bool) -> int:
        self.scorer = self.last
        points = self.points_for(total, opening)
        if not self.strict:
            return super().score_move(total, opening)
        self.waiting = Waiting(self.last, points, self.now()) if points else None
        return 0

    # Claims (section 8)

    def now(self) -> datetime:
        return datetime.fromisoformat(self.event["at"])

    def since(self, waiting: Waiting) -> float:
        """Seconds since the move whose points these are."""
        return (self.now() - waiting.at).total_seconds()

    def second_step(self, waiting: Waiting) -> bool:
        """Whether the opponents may claim at all."""
        own = self.sides[self.side_of(waiting.mover)]
        opponents = set(range(self.players)) - set(own)
        return self.pace != "hotseat" and not opponents <= self.bots

    def settle(self, at_once: str | None) -> None:
        """While points wait, nothing has ended yet."""
        if self.waiting is None:
            super().settle(at_once)
        else:
            self.due = None

    def moved(self, event: Facts, move: str) -> None:
        if self.waiting is not None:
            self.must(event["kind"] != "played", "the points that wait must be claimed or burnt first")
            self.same("how the hand has ended", self.played_out(), None)
            early = self.since(self.waiting) < self.options["claim_seconds"]
            self.must(not early, "the turn starts when the mover has claimed or has let the time run out")
            self.waiting.untouched = False
        super().moved(event, move)

    def beside(self) -> list[str]:
        """A claim stood beside a draw or a pass, as long as an opponent could make it."""
        waiting = self.waiting
        if waiting is None or not self.second_step(waiting):
            return []
        return ["claim"] if self.since(waiting) <= 2 * self.options["claim_seconds"] else []

    def on_claimed(self, event: Facts, payload: Facts) -> None:
        waiting, seat = self.waiting, event["seat"]
        if waiting is None:
            self.fail("there are no points to claim")
        span, passed = self.options["claim_seconds"], self.since(waiting)
        if seat == waiting.mover:
            self.must(0 <= passed <= span, f"the mover claims after {passed} s")
            self.must(waiting.untouched, "the mover claims after another event")
        else:
            self.must(self.side_of(seat) != self.side_of(waiting.mover), "a partner cannot claim")
            self.must(self.second_step(waiting), "no opponent may claim here")
            self.must(span <= passed <= 2 * span, f"an opponent claims after {passed} s")
        self.write(self.side_of(seat), waiting.points)
        self.tells({"points": waiting.points, "scores": self.scores})
        self.scorer, self.waiting = seat, None
        self.settle(self.ends_at_once(waiting.points))

    def on_burnt(self, event: Facts, payload: Facts) -> None:
        waiting = self.waiting
        if waiting is None:
            self.fail("there are no points to burn")
        self.same("seat", event["seat"], waiting.mover)
        self.tells({"points": waiting.points, "scores": self.scores})
        span, passed = self.options["claim_seconds"], self.since(waiting)
        self.must(passed >= span, f"the points are burnt after {passed} s")
        self.waiting = None
        self.settle(None)
        if passed < 2 * span and self.second_step(waiting):
            self.must(self.due is None, f"the points are burnt after {passed} s, when nobody could lay a tile")
            self.due = "played"
