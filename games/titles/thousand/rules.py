"""The course of dice Thousand: who may do what, and what follows (thousand rules, sections 1, 3 and 7 to 10)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn

from games.engine.contract import Chance, Event, IllegalMove, Json, Move, Outcome, Phrase, Seat, Shuffle, gettext_noop
from games.engine.dice import Dice
from games.engine.ranking import places
from games.titles.thousand import scoring
from games.titles.thousand.position import Opened, Position, Totals, Turn
from games.titles.thousand.scoring import FIVE_ONES, Selection

_KEEP = re.compile(r"keep((?: [1-6]){1,5})")


def sides(options: Mapping[str, Json]) -> tuple[tuple[Seat, ...], ...]:
    """Each seat is a side of its own."""
    return tuple((seat,) for seat in range(options["players"]))


def to_act(position: Position) -> frozenset[Seat]:
    """The seat whose turn it is."""
    return frozenset() if position.phase == "over" else frozenset((position.turn.seat,))


def window(position: Position) -> None:
    """Nothing is ever claimed at dice."""
    return None


def minimum(position: Position) -> int:
    """The points that the seat to act needs to bank (section 8)."""
    turn = position.turn
    return turn.options.bank_min if turn.opened[turn.seat] else turn.options.opening_min


def can_bank(position: Position) -> bool:
    """Whether the seat to act may bank now."""
    return position.phase == "decide" and position.points >= minimum(position)


def selections(position: Position) -> Mapping[Move, Selection]:
    """What may be set aside now, by move; empty unless a throw lies there to choose from."""
    if position.phase != "choose":
        return {}
    return scoring.selections(position.dice, position.turn.options.five_of_a_kind)


def legal_moves(position: Position, seat: Seat) -> tuple[Move, ...]:
    """Every move of `seat`, sorted."""
    if seat != position.turn.seat or position.phase == "over":
        return ()
    if position.phase == "choose":
        return tuple(selections(position))
    return ("bank", "throw") if can_bank(position) else ("throw",)


def forced_move(position: Position, seat: Seat) -> Move | None:
    """Nothing is forced: every throw is the player's own act, and dice are never thrown for anybody."""
    return None


def scores(position: Position) -> Totals:
    """The total of each seat; points of the running turn do not count (section 10)."""
    return position.turn.totals


def outcome(position: Position) -> Outcome | None:
    """The winner is who reached the target or threw five ones, the others follow by total (sections 9 and 10)."""
    reason = _won(position)
    if reason is None:
        return None
    winner, totals = position.turn.seat, position.turn.totals
    keys = [(0, 0) if seat == winner else (1, -total) for seat, total in enumerate(totals)]
    return Outcome((winner,), places(keys), totals, reason)


def _won(position: Position) -> str | None:
    """Why the seat of the turn has won the match; None while the match runs."""
    if position.phase != "over":
        return None
    if position.dice == FIVE_ONES:
        return "instant"
    turn = position.turn
    return "target" if turn.totals[turn.seat] >= turn.options.target else None


def resample(position: Position, seat: Seat | None, shuffle: Shuffle) -> Position:
    """Nothing is hidden at dice."""
    return position


# Decisions.


def setup(options: Mapping[str, Json], chance: Chance) -> tuple[Event, ...]:
    """The lot for the first seat, and its turn."""
    players = options["players"]
    first = chance.lot(1, players)
    return (
        Event("match_started", None, {"first_seat": first}),
        _turn_started(first, 1, (0,) * players, (False,) * players),
    )


def decide(position: Position, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    """The facts that follow from a move. Raises IllegalMove for every other string."""
    _require_turn(position, seat)
    if move == "throw":
        return _throw(position, chance)
    if move == "bank":
        return _bank(position)
    return _keep(position, move)


def absent(position: Position, seat: Seat, chance: Chance) -> tuple[Event, ...]:
    """The turn of an absent member is banked where that is allowed, else it ends without points (section 14, Y13)."""
    _require_turn(position, seat)
    if can_bank(position):
        return _bank(position)
    turn = position.turn
    return Event("turn_ended", seat), _next_turn(turn, turn.totals, turn.opened)


def _require_turn(position: Position, seat: Seat) -> None:
    if position.phase != "over" and seat == position.turn.seat:
        return
    _refuse(gettext_noop("The match is over.") if _won(position) else gettext_noop("It is not your turn."))


def _throw(position: Position, chance: Chance) -> tuple[Event, ...]:
    if position.phase == "choose":
        _refuse_skipping()
    turn = position.turn
    dice = chance.dice(_epoch(turn), len(position.kept), position.next_dice)
    threw = Event("threw", turn.seat, {"dice": list(dice)})
    if scoring.scores(dice):
        return (threw,)
    bust = Event("bust", turn.seat, {"lost": position.points})
    return threw, bust, _next_turn(turn, turn.totals, turn.opened)


def _keep(position: Position, move: Move) -> tuple[Event, ...]:
    selection = selections(position).get(move) or _selection(position, move)
    fact = {
        "dice": list(selection.dice),
        "value": selection.value,
        "turn_points": position.points + selection.value,
        "next_dice": selection.next_dice,
        "bonus": selection.bonus,
    }
    return (Event("kept", position.turn.seat, fact),)


def _selection(position: Position, move: Move) -> Selection:
    """What a `keep` move selects, in whatever order it names the dice."""
    found = _KEEP.fullmatch(move)
    if not found:
        _refuse(gettext_noop("This is not a move at dice."))
    dice = tuple(int(face) for face in found[1].split())
    selection = selections(position).get(scoring.keep(dice))
    return selection or _refuse_keeping(position, dice)


def _bank(position: Position) -> tuple[Event, ...]:
    if not can_bank(position):
        _refuse_banking(position)
    turn, seat, points = position.turn, position.turn.seat, position.points
    totals = (*turn.totals[:seat], turn.totals[seat] + points, *turn.totals[seat + 1 :])
    opened = (*turn.opened[:seat], True, *turn.opened[seat + 1 :])
    banked = Event("banked", seat, {"points": points, "totals": list(totals), "opened": list(opened)})
    if totals[seat] >= turn.options.target:
        return (banked,)
    return banked, _next_turn(turn, totals, opened)


def _next_turn(turn: Turn, totals: Totals, opened: Opened) -> Event:
    seat = (turn.seat + 1) % len(totals)
    return _turn_started(seat, turn.round + (seat == turn.first_seat), totals, opened)


def _turn_started(seat: Seat, round_: int, totals: Totals, opened: Opened) -> Event:
    return Event("turn_started", seat, {"round": round_, "totals": list(totals), "opened": list(opened)})


def _epoch(turn: Turn) -> int:
    """The number of the turn in the match, from 1 (fairness.md 2)."""
    players = turn.options.players
    return (turn.round - 1) * players + (turn.seat - turn.first_seat) % players + 1


# Refusals.


def _refuse_skipping() -> NoReturn:
    _refuse(gettext_noop("First set aside at least one die that scores."))


def _refuse_keeping(position: Position, dice: Dice) -> NoReturn:
    if position.phase == "roll":
        _refuse(gettext_noop("First throw the dice."))
    if position.phase == "decide":
        _refuse(gettext_noop("Nothing more can be set aside before the next throw."))
    if any(dice.count(face) > position.dice.count(face) for face in dice):
        _refuse(gettext_noop("Not on the table: {dice}."), dice=show(dice))
    _refuse(gettext_noop("Not every die of these scores: {dice}."), dice=show(dice))


def _refuse_banking(position: Position) -> NoReturn:
    if position.phase == "choose":
        _refuse_skipping()
    raise IllegalMove(too_little(position))


def too_little(position: Position) -> Phrase:
    """Why the points of the turn cannot be banked."""
    if position.turn.opened[position.turn.seat]:
        text = gettext_noop("This turn {k}. The least to bank is {minimum}.")
    else:
        text = gettext_noop("This turn {k}. The least to bank is {minimum} while nothing has been banked yet.")
    return Phrase(text, {"k": position.points, "minimum": minimum(position)})


def show(dice: Dice) -> str:
    """Dice as they are read: `1, 5, 3`."""
    return ", ".join(str(face) for face in dice)


def _refuse(text: str, **values: int | str) -> NoReturn:
    raise IllegalMove(Phrase(text, values))
