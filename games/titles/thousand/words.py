"""Dice Thousand in words: events for history, mail and screen reader, moves for buttons (ui/design.md 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from games.engine import dice as engine
from games.engine.contract import Event, Move, Phrase, Seat, SeatName, Sum, Value, gettext_noop
from games.engine.dice import Dice
from games.titles.thousand import rules, scoring
from games.titles.thousand.position import Position
from games.titles.thousand.scoring import FIVE_ONES, SINGLES, STRAIGHTS, THREES, Part, Selection

HOT = gettext_noop("Hot hand: again five dice.")
DOUBLE = gettext_noop("Double: again five dice.")


# What.


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
    return _phrase(text, n=SeatName(event.seat or 0), **values)


_TELL: Mapping[str, Callable[[Event], tuple[Phrase, ...]]] = {
    "match_started": _match_started,
    "turn_started": _turn_started,
    "threw": _threw,
    "kept": _kept,
    "bust": _bust,
    "banked": _banked,
    "turn_ended": _turn_ended,
}


# Why.


def explain(position: Position, event: Event) -> tuple[Phrase, ...]:
    """How `event` came to its numbers in `position`, part by part; nothing where nothing was counted."""
    why = _WHY.get(event.kind)
    return tuple(why(position, event)) if why else ()


def _why_threw(position: Position, event: Event) -> Iterator[Phrase]:
    if tuple(event.payload["dice"]) == FIVE_ONES:
        yield Phrase(gettext_noop("Five dice of one throw show 1: that wins the match, whatever the scores."))


def _why_kept(position: Position, event: Event) -> Iterator[Phrase]:
    fact = event.payload
    dice, value, points = tuple(fact["dice"]), fact["value"], fact["turn_points"]
    parts = scoring.parts(dice, position.turn.options.five_of_a_kind)
    yield from map(_part, parts)
    if len(parts) > 1:
        yield _phrase(gettext_noop("Together: {terms} = {p}."), terms=_sum(part.points for part in parts), p=value)
    if points != value:
        yield _phrase(gettext_noop("This turn: {terms} = {k}."), terms=_sum((points - value, value)), k=points)
    rest = engine.without(position.dice, dice)
    yield _next_throw(rest) if fact["bonus"] else _phrase(gettext_noop("Dice for the next throw: {k}."), k=len(rest))


def _next_throw(rest: Dice) -> Phrase:
    """Why five dice come next, although some lie aside: `rest` are those left over."""
    if not rest:
        return Phrase(gettext_noop("No die is left over: five are thrown again, and the points stay."))
    text = gettext_noop("Only the pair {dice} is left over: five dice are thrown again, and the points stay.")
    return _phrase(text, dice=rules.show(rest))


def _part(part: Part) -> Phrase:
    """Why dice that score together do so; the sentences follow the table of section 4."""
    if part.dice in STRAIGHTS:
        return _straight(part)
    return _single(part) if len(part.dice) < 3 else _equal(part)


def _straight(part: Part) -> Phrase:
    small = gettext_noop("Small straight, {dice}: {p}.")
    text = small if 1 in part.dice else gettext_noop("Large straight, {dice}: {p}.")
    return _phrase(text, dice=rules.show(part.dice), p=part.points)


def _single(part: Part) -> Phrase:
    face, each = part.dice[0], SINGLES[part.dice[0]]
    if len(part.dice) == 1:
        return _phrase(gettext_noop("{face} alone: {p}."), face=face, p=each)
    return _phrase(
        gettext_noop("Each {face} alone: {terms} = {p}."), face=face, terms=_sum((each, each)), p=part.points
    )


def _equal(part: Part) -> Phrase:
    face, count, three = part.dice[0], len(part.dice), THREES[part.dice[0]]
    if count == 3:
        return _phrase(gettext_noop("Three equal, {face}: {p}."), face=face, p=three)
    four = gettext_noop("Four equal, {face}: {times} × {three} = {p}.")
    text = four if count == 4 else gettext_noop("Five equal, {face}: {times} × {three} = {p}.")
    return _phrase(text, face=face, times=part.points // three, three=three, p=part.points)


def _why_bust(position: Position, event: Event) -> Iterator[Phrase]:
    yield Phrase(gettext_noop("No 1, no 5 and no three equal dice: nothing here can be set aside."))
    if len(position.dice) == 2 and len(set(position.dice)) == 1:
        yield Phrase(gettext_noop("A pair is a double only when it is left over beside dice that are set aside."))
    if len(position.kept) > 1:
        yield _lost(position)
    yield _score_stays(position)


def _why_banked(position: Position, event: Event) -> Iterator[Phrase]:
    turn, points = position.turn, event.payload["points"]
    before, total = turn.totals[turn.seat], event.payload["totals"][turn.seat]
    if len(position.kept) > 1:
        yield _of_kept(gettext_noop("This turn: {terms} = {k}."), position)
    yield _phrase(gettext_noop("Score: {before} + {p} = {s}."), before=before, p=points, s=total)
    if not turn.opened[turn.seat]:
        text = gettext_noop("The first banking needs {first} or more, every later one {later} or more.")
        yield _phrase(text, first=turn.options.opening_min, later=turn.options.bank_min)
    if total >= turn.options.target:
        yield _phrase(gettext_noop("A score of {target} or more wins at once."), target=turn.options.target)


def _why_turn_ended(position: Position, event: Event) -> Iterator[Phrase]:
    if position.phase == "decide":
        yield rules.too_little(position)
    elif position.phase == "choose":
        yield Phrase(gettext_noop("A throw lay on the table: before banking, dice must be set aside from it."))
    else:
        yield Phrase(gettext_noop("Nothing had been set aside, so there was nothing to bank."))
    if position.points:
        yield _lost(position)
    yield _score_stays(position)


def _lost(position: Position) -> Phrase:
    if len(position.kept) == 1:
        return _phrase(gettext_noop("Lost: {k}."), k=position.points)
    return _of_kept(gettext_noop("Lost: {terms} = {k}."), position)


def _of_kept(text: str, position: Position) -> Phrase:
    """A sentence about the points of the turn, with the sets they come from."""
    return _phrase(text, terms=_sum(kept.value for kept in position.kept), k=position.points)


def _score_stays(position: Position) -> Phrase:
    return _phrase(gettext_noop("The score stays: {s}."), s=position.turn.totals[position.turn.seat])


def _sum(numbers: Iterable[int]) -> Sum:
    return Sum(tuple((number, None) for number in numbers))


def _phrase(text: str, **values: Value) -> Phrase:
    return Phrase(text, values)


_WHY: Mapping[str, Callable[[Position, Event], Iterator[Phrase]]] = {
    "threw": _why_threw,
    "kept": _why_kept,
    "bust": _why_bust,
    "banked": _why_banked,
    "turn_ended": _why_turn_ended,
}


# Moves.


def label(position: Position, seat: Seat, move: Move) -> Phrase:
    """A legal move in words; the button says what will happen."""
    if move == "throw":
        return _throw_label(position)
    if move == "bank":
        values = {"points": position.points, "total": position.turn.totals[seat] + position.points}
        return Phrase(gettext_noop("Bank {points}: total {total}"), values)
    return _keep_label(rules.selections(position)[move])


def _throw_label(position: Position) -> Phrase:
    if not position.points:
        return Phrase(gettext_noop("Throw {count}"), {"count": position.next_dice})
    values = {"count": position.next_dice, "points": position.points}
    return Phrase(gettext_noop("Throw {count}: a bust loses {points}"), values)


def _keep_label(selection: Selection) -> Phrase:
    text = {
        "hot": gettext_noop("Keep {dice}: {points}, hot hand"),
        "double": gettext_noop("Keep {dice}: {points}, double"),
    }.get(selection.bonus or "", gettext_noop("Keep {dice}: {points}"))
    return Phrase(text, {"dice": rules.show(selection.dice), "points": selection.value})
