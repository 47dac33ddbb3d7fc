"""The position of dice Thousand, folded from its events (thousand rules, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from games.engine import dice as engine
from games.engine.contract import Event, Json, Seat
from games.engine.dice import Dice
from games.titles.thousand.scoring import ALL, FIVE_ONES, Bonus

Phase = Literal["roll", "choose", "decide", "over"]
Totals = tuple[int, ...]
Opened = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a match (section 11); minima and target in points."""

    players: int
    target: int
    opening_min: int
    bank_min: int
    five_of_a_kind: int


@dataclass(frozen=True, slots=True)
class Kept:
    """Dice set aside from one throw (ascending), their value in points, and the bonus they brought."""

    dice: Dice
    value: int
    bonus: Bonus | None


@dataclass(frozen=True, slots=True)
class Turn:
    """What holds for the whole turn of `seat`. `totals` and `opened` are by seat, as they stand."""

    options: Options
    first_seat: Seat
    round: int
    seat: Seat
    totals: Totals
    opened: Opened


class Position(NamedTuple):
    """A turn in progress. Every event makes a position, and a named tuple is made three times as fast as a dataclass.

    `points` are those of the turn, not banked yet. `dice` lie on the table in the order thrown, without those set
    aside; `kept` is all that was set aside in this turn, once for each throw before. The phase is `over` between two
    turns and after the match.
    """

    turn: Turn
    phase: Phase = "roll"
    points: int = 0
    next_dice: int = ALL
    dice: Dice = ()
    kept: tuple[Kept, ...] = ()


def initial(options: Mapping[str, Json]) -> Position:
    """The position before the first event: nobody has a turn yet."""
    players = options["players"]
    return Position(Turn(Options(**options), 0, 0, 0, (0,) * players, (False,) * players), "over")


def evolve(position: Position, event: Event) -> Position:
    """The position after `event`, whose facts are taken as they stand; kinds of the match itself change nothing."""
    after = _AFTER.get(event.kind)
    return after(position, event) if after else position


def _after_match_started(position: Position, event: Event) -> Position:
    return position._replace(turn=replace(position.turn, first_seat=event.payload["first_seat"]))


def _after_turn_started(position: Position, event: Event) -> Position:
    turn, fact, seat = position.turn, event.payload, event.seat
    assert seat is not None
    totals, opened = tuple(fact["totals"]), tuple(fact["opened"])
    return Position(Turn(turn.options, turn.first_seat, fact["round"], seat, totals, opened))


def _after_threw(now: Position, event: Event) -> Position:
    dice = tuple(event.payload["dice"])
    phase: Phase = "over" if dice == FIVE_ONES else "choose"
    return Position(now.turn, phase, now.points, now.next_dice, dice, now.kept)


def _after_kept(now: Position, event: Event) -> Position:
    fact = event.payload
    kept = Kept(tuple(fact["dice"]), fact["value"], fact["bonus"])
    rest = engine.without(now.dice, kept.dice)
    return Position(now.turn, "decide", fact["turn_points"], fact["next_dice"], rest, (*now.kept, kept))


def _after_banked(position: Position, event: Event) -> Position:
    turn, fact = position.turn, event.payload
    totals, opened = tuple(fact["totals"]), tuple(fact["opened"])
    return _over(position, Turn(turn.options, turn.first_seat, turn.round, turn.seat, totals, opened))


def _after_end(position: Position, event: Event) -> Position:
    return _over(position, position.turn)


def _over(now: Position, turn: Turn) -> Position:
    return Position(turn, "over", 0, now.next_dice, now.dice, now.kept)


_AFTER: Mapping[str, Callable[[Position, Event], Position]] = {
    "match_started": _after_match_started,
    "turn_started": _after_turn_started,
    "threw": _after_threw,
    "kept": _after_kept,
    "bust": _after_end,
    "banked": _after_banked,
    "turn_ended": _after_end,
}
