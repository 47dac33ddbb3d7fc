"""What a round and a match of Telefon 365 come to (Telefon 365 rules, sections 9 to 13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.contract import Outcome
from games.engine.dominoes import Tile, pips, up5
from games.engine.ranking import places

BLANK = "00"
ALWAYS_10 = "always_10"


class Written(NamedTuple):
    """What a round adds to the scores, by side, and the seka bank after it."""

    points: tuple[int, ...]
    bank: int


def hand_value(hand: Sequence[Tile], double_blank: str = ALWAYS_10) -> int:
    """What one remaining hand is worth: its pips, and ten for the double blank, by the option only if it is alone."""
    counts = BLANK in hand and (double_blank == ALWAYS_10 or len(hand) == 1)
    return pips(hand) + (10 if counts else 0)


def hand_points(totals: Sequence[int], winner: int) -> int:
    """What the hands of all other sides are worth to the winning one; `totals` are by side (sections 9 and 11)."""
    return up5(sum(totals) - totals[winner])


def seka(totals: Sequence[int]) -> int:
    """What a round that nobody won adds to the bank: all hands at the table (section 12)."""
    return up5(sum(totals))


def capped(score: int, points: int, cap: int) -> int:
    """As many of the hand points as fit under the cap (section 10)."""
    return max(0, min(points, cap - score))


def write(totals: Sequence[int], winner: int | None, scores: Sequence[int], bank: int, cap: int) -> Written:
    """The points of a round and the bank that stays; `winner` is a side or None for seka (sections 9 to 12).

    `scores` are those before the round is written, the points of its last move included.
    """
    points = [0] * len(totals)
    if winner is None:
        return Written(tuple(points), bank + seka(totals))
    points[winner] = capped(scores[winner], hand_points(totals, winner) + bank, cap)
    return Written(tuple(points), 0)


def leading(scores: Sequence[int]) -> list[int]:
    """The sides with the highest score."""
    return [side for side, score in enumerate(scores) if score == max(scores)]


def outcome(scores: Sequence[int], reason: str, winners: Sequence[int]) -> Outcome:
    """The places of a match that is over: its winners, then by score, equal scores side by side."""
    ranked = places([(side not in winners, 0 if side in winners else -score) for side, score in enumerate(scores)])
    return Outcome(tuple(winners), ranked, tuple(scores), reason)
