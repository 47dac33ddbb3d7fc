"""What a seat sees of dice Thousand: everything, with what each choice would bring."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.contract import Move, Seat
from games.engine.dice import FACES, Dice
from games.titles.thousand import rules, scoring
from games.titles.thousand.position import Kept, Opened, Phase, Position, Totals
from games.titles.thousand.scoring import SINGLES, Bonus


@dataclass(frozen=True, slots=True)
class Die:
    """A die on the table. `scores`: it can be set aside now; `points`: what it is then worth alone, else 0."""

    face: int
    scores: bool
    points: int


@dataclass(frozen=True, slots=True)
class Keep:
    """A legal selection: its dice (ascending), its value, the points of the turn after it, and what follows."""

    move: Move
    dice: Dice
    value: int
    turn_points: int
    next_dice: int
    bonus: Bonus | None


@dataclass(frozen=True, slots=True)
class Risk:
    """The chance that the next throw is a bust: `busts` of `throws` equally likely throws, rounded to `percent`."""

    busts: int
    throws: int
    percent: int


@dataclass(frozen=True, slots=True)
class ThousandView:
    """The match as `seat` (None: a spectator) sees it; points everywhere, seats index `totals` and `opened`.

    `dice` lie on the table in the order thrown; `kept` are the sets put aside in this turn, in their order; `bonus`
    is what the last of them brought. `minimum` is what the seat to act needs to bank, `banked_total` its total
    after banking now.
    """

    seat: Seat | None
    to_act: Seat | None
    round: int
    phase: Phase
    target: int
    five_of_a_kind: int
    totals: Totals
    opened: Opened
    turn_seat: Seat
    turn_points: int
    dice: tuple[Die, ...]
    keeps: tuple[Keep, ...]
    kept: tuple[Kept, ...]
    bonus: Bonus | None
    next_dice: int
    risk: Risk
    minimum: int
    can_bank: bool
    banked_total: int


def view(position: Position, seat: Seat | None) -> ThousandView:
    """All that `seat` may know: at dice every seat and every spectator may know everything."""
    turn, options = position.turn, position.turn.options
    keeps = _keeps(position)
    return ThousandView(
        seat=seat,
        to_act=next(iter(rules.to_act(position)), None),
        round=turn.round,
        phase=position.phase,
        target=options.target,
        five_of_a_kind=options.five_of_a_kind,
        totals=turn.totals,
        opened=turn.opened,
        turn_seat=turn.seat,
        turn_points=position.points,
        dice=_dice(position.dice, keeps),
        keeps=keeps,
        kept=position.kept,
        bonus=position.kept[-1].bonus if position.kept else None,
        next_dice=position.next_dice,
        risk=_risk(position.next_dice),
        minimum=rules.minimum(position),
        can_bank=rules.can_bank(position),
        banked_total=turn.totals[turn.seat] + position.points,
    )


def _keeps(position: Position) -> tuple[Keep, ...]:
    points = position.points
    return tuple(
        Keep(move, found.dice, found.value, points + found.value, found.next_dice, found.bonus)
        for move, found in rules.selections(position).items()
    )


def _dice(dice: Dice, keeps: tuple[Keep, ...]) -> tuple[Die, ...]:
    scoring_faces = {face for keep in keeps for face in keep.dice}
    return tuple(
        Die(face, True, SINGLES.get(face, 0)) if face in scoring_faces else Die(face, False, 0) for face in dice
    )


def _risk(count: int) -> Risk:
    busts, throws = scoring.busts(count), len(FACES) ** count
    return Risk(busts, throws, round(100 * busts / throws))
