"""Dice Thousand in words: events for history, mail and screen reader, moves for buttons (ui/design.md 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.engine.contract import Event, Move, Phrase, Seat, SeatName, Value, gettext_noop
from games.titles.thousand import rules
from games.titles.thousand.position import Position, Turn
from games.titles.thousand.scoring import FIVE_ONES, Selection

HOT = gettext_noop("Hot hand: again five dice.")
DOUBLE = gettext_noop("Double: again five dice.")


def describe(event: Event) -> tuple[Phrase, ...]:
    """What happened, in sentences; nothing for kinds that are not of this title."""
    tell = _TELL.get(event.kind)
    return tell(event) if tell else ()


def _match_started(event: Event) -> tuple[Phrase, ...]:
    return (Phrase(gettext_noop("The lot for the first throw: {n}."), {"n": SeatName(event.payload["first_seat"])}),)


def _turn_started(event: Event) -> tuple[Phrase, ...]:
    return (_of_seat(event, gettext_noop("Round {round}. To move: {n}."), round=event.payload["round"]),)


def _threw(event: Event) -> tuple[Phrase, ...]:
    dice = tuple(event.payload["dice"])
    roll = _of_seat(event, gettext_noop("{n}: roll {dice}."), dice=rules.show(dice))
    return (roll, Phrase(gettext_noop("Five ones win at once."))) if dice == FIVE_ONES else (roll,)


def _kept(event: Event) -> tuple[Phrase, ...]:
    fact = event.payload
    text = gettext_noop("{n}: kept {dice}. This turn {k}.")
    kept = _of_seat(event, text, dice=rules.show(fact["dice"]), k=fact["turn_points"])
    bonus = {"hot": HOT, "double": DOUBLE}.get(fact["bonus"])
    return (kept, Phrase(bonus)) if bonus else (kept,)


def _bust(event: Event) -> tuple[Phrase, ...]:
    return (_of_seat(event, gettext_noop("{n}: bust. Lost {p}."), p=event.payload["lost"]),)


def _banked(event: Event) -> tuple[Phrase, ...]:
    fact, seat = event.payload, event.seat or 0
    return (_of_seat(event, gettext_noop("{n}: banked {p}. Total {s}."), p=fact["points"], s=fact["totals"][seat]),)


def _turn_ended(event: Event) -> tuple[Phrase, ...]:
    return (_of_seat(event, gettext_noop("{n}: the turn is over without points.")),)


def _of_seat(event: Event, text: str, **values: Value) -> Phrase:
    return Phrase(text, {"n": SeatName(event.seat or 0), **values})


_TELL: Mapping[str, Callable[[Event], tuple[Phrase, ...]]] = {
    "match_started": _match_started,
    "turn_started": _turn_started,
    "threw": _threw,
    "kept": _kept,
    "bust": _bust,
    "banked": _banked,
    "turn_ended": _turn_ended,
}


def label(position: Position, seat: Seat, move: Move) -> Phrase:
    """A legal move in words; the button says what will happen."""
    turn = position.turn
    if move == "throw":
        return _throw_label(turn)
    if move == "bank":
        values = {"points": turn.points, "total": position.totals[seat] + turn.points}
        return Phrase(gettext_noop("Bank {points}: total {total}"), values)
    return _keep_label(rules.selections(position)[move])


def _throw_label(turn: Turn) -> Phrase:
    if not turn.points:
        return Phrase(gettext_noop("Throw {count}"), {"count": turn.next_dice})
    values = {"count": turn.next_dice, "points": turn.points}
    return Phrase(gettext_noop("Throw {count}: a bust loses {points}"), values)


def _keep_label(selection: Selection) -> Phrase:
    text = {
        "hot": gettext_noop("Keep {dice}: {points}, hot hand"),
        "double": gettext_noop("Keep {dice}: {points}, double"),
    }.get(selection.bonus or "", gettext_noop("Keep {dice}: {points}"))
    return Phrase(text, {"dice": rules.show(selection.dice), "points": selection.value})
