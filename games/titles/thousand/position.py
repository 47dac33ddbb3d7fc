"""The position of dice Thousand, folded from its events (thousand rules, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

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
    """The turn of one seat.

    `dice` lie on the table in the order thrown, without those set aside; `kept` is all that was set aside in this
    turn; `throws` counts the throws made. The phase is `over` between two turns and after the match.
    """

    seat: Seat
    phase: Phase = "roll"
    points: int = 0
    next_dice: int = ALL
    dice: Dice = ()
    kept: tuple[Kept, ...] = ()
    throws: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """A match. `totals` and `opened` are indexed by seat; `won` is the reason why the seat of `turn` has won."""

    options: Options
    first_seat: Seat
    round: int
    totals: Totals
    opened: Opened
    turn: Turn
    won: str | None = None


def initial(options: Mapping[str, Json]) -> Position:
    """The position before the first event: nobody has a turn yet."""
    players = options["players"]
    return Position(Options(**options), 0, 0, (0,) * players, (False,) * players, Turn(0, "over"))


def evolve(position: Position, event: Event) -> Position:
    """The position after `event`, whose facts are taken as they stand; kinds of the match itself change nothing."""
    after = _AFTER.get(event.kind)
    return after(position, event) if after else position


def _after_match_started(position: Position, event: Event) -> Position:
    return replace(position, first_seat=event.payload["first_seat"])


def _after_turn_started(position: Position, event: Event) -> Position:
    fact, seat = event.payload, event.seat
    assert seat is not None
    totals, opened = tuple(fact["totals"]), tuple(fact["opened"])
    return Position(position.options, position.first_seat, fact["round"], totals, opened, Turn(seat))


def _after_threw(position: Position, event: Event) -> Position:
    turn, dice = position.turn, tuple(event.payload["dice"])
    won = dice == FIVE_ONES
    phase: Phase = "over" if won else "choose"
    thrown = Turn(turn.seat, phase, turn.points, turn.next_dice, dice, turn.kept, turn.throws + 1)
    return _with(position, thrown, "instant" if won else None)


def _after_kept(position: Position, event: Event) -> Position:
    turn, fact = position.turn, event.payload
    kept = Kept(tuple(fact["dice"]), fact["value"], fact["bonus"])
    rest = engine.without(turn.dice, kept.dice)
    sets = (*turn.kept, kept)
    return _with(position, Turn(turn.seat, "decide", fact["turn_points"], fact["next_dice"], rest, sets, turn.throws))


def _after_banked(position: Position, event: Event) -> Position:
    turn, fact = position.turn, event.payload
    totals, opened = tuple(fact["totals"]), tuple(fact["opened"])
    won = "target" if totals[turn.seat] >= position.options.target else None
    return Position(position.options, position.first_seat, position.round, totals, opened, _over(turn), won)


def _after_end(position: Position, event: Event) -> Position:
    return _with(position, _over(position.turn))


def _over(turn: Turn) -> Turn:
    return Turn(turn.seat, "over", 0, turn.next_dice, turn.dice, turn.kept, turn.throws)


# Positions are written out in full: `replace` takes twice as long, and every throw comes through here.


def _with(position: Position, turn: Turn, won: str | None = None) -> Position:
    return Position(position.options, position.first_seat, position.round, position.totals, position.opened, turn, won)


_AFTER: Mapping[str, Callable[[Position, Event], Position]] = {
    "match_started": _after_match_started,
    "turn_started": _after_turn_started,
    "threw": _after_threw,
    "kept": _after_kept,
    "bust": _after_end,
    "banked": _after_banked,
    "turn_ended": _after_end,
}
