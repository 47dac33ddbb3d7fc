"""What a round and a match of Kozel come to (Kozel rules, sections 8 to 13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.engine.contract import Outcome, Seat
from games.engine.dominoes import Tile, clockwise, pips
from games.engine.ranking import places

# What a few tiles left alone in a hand are worth; every other hand is worth its pips.
_LONE: Mapping[frozenset[Tile], int] = {
    frozenset({"00"}): 25,
    frozenset({"66"}): 50,
    frozenset({"00", "66"}): 75,
}

ENTRY = 13


class Written(NamedTuple):
    """What a round adds to the scores, by side, and the eggs after it."""

    penalties: tuple[int, ...]
    eggs: int


def hand_value(hand: Sequence[Tile]) -> int:
    """The penalty for one remaining hand (section 8)."""
    return _LONE.get(frozenset(hand), pips(hand))


def write(totals: Sequence[int], winner: int | None, scores: Sequence[int], eggs: int, entry_13: bool) -> Written:
    """The penalties of a round and the eggs that stay (sections 9, 10 and 13).

    `totals` are by side, `winner` is a side or None for eggs, `scores` are those before the round.
    """
    if winner is None:
        return Written((0,) * len(totals), eggs + sum(totals))
    penalties = [0 if side == winner else total for side, total in enumerate(totals)]
    losing = [total for side, total in enumerate(totals) if side != winner]
    if losing.count(most := max(losing)) == 1:
        loser = next(side for side, total in enumerate(totals) if side != winner and total == most)
        penalties[loser] += eggs
        eggs = 0
    if entry_13:
        penalties = [0 if score == 0 and p < ENTRY else p for p, score in zip(penalties, scores, strict=True)]
    return Written(tuple(penalties), eggs)


def leader_after_block(blocker: Seat, winners: Sequence[Seat], values: Sequence[int]) -> Seat:
    """Who leads after a blocked round (section 12).

    `winners` are the seats of the winning side, none for eggs; `values` are by seat. Of two partners the one with the
    smaller hand leads, of equals the first met clockwise from the blocker.
    """
    if not winners:
        return blocker
    met = [seat for seat in clockwise(blocker, len(values)) if seat in winners]
    return min(met, key=lambda seat: values[seat])


def outcome(scores: Sequence[int], reason: str, bald: int | None) -> Outcome:
    """The places of a match that is over: fewest points first; the side that went out bald before all others."""
    ranked = places([(side != bald and bald is not None, score) for side, score in enumerate(scores)])
    winners = tuple(side for side, place in enumerate(ranked) if place == 1)
    return Outcome(winners, ranked, tuple(scores), reason)
