"""What happens in All Fives, in sentences (user interface, section 7), and why its numbers are what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from games.engine import fives
from games.engine.contract import Event, Move, Phrase, Seat, SeatName, gettext_noop
from games.engine.dominoes import points
from games.engine.match import CLAIM
from games.engine.rounds import words
from games.engine.rounds.words import name, phrase
from games.titles.allfives.muggins import BURNT, CLAIMED, State
from games.titles.allfives.rules import GAME


def describe(event: Event) -> tuple[Phrase, ...]:
    """What happened. Drawn tiles are named only if `event.secret` holds them; kinds of others say nothing."""
    tell = _TELLERS.get(event.kind)
    return tuple(tell(event)) if tell else ()


def explain(state: State, event: Event) -> tuple[Phrase, ...]:
    """How a move came to its points, and a round to its bonus. Points that wait are counted when their wait is over."""
    if event.kind == "played":
        return tuple(_why_move(state, event))
    if event.kind in (CLAIMED, BURNT):
        return tuple(_why_claimed(state, event))
    return tuple(fives.why_written(state.table, event)) if event.kind == "round_ended" else ()


def label(state: State, seat: Seat, move: Move) -> Phrase:
    """A legal move in words, for its button."""
    if move == CLAIM:
        return Phrase(gettext_noop("Claim the points"))
    return words.label(state.table, seat, move)


def _played(event: Event) -> Iterator[Phrase]:
    waits = points(event.payload["sum"]) != event.payload["points"]
    return words.played(event) if waits else words.counted_move(event)


def _claimed(event: Event) -> Iterator[Phrase]:
    yield phrase(gettext_noop("{n}: claimed. Plus {p}."), n=name(event), p=event.payload["points"])


def _burnt(event: Event) -> Iterator[Phrase]:
    yield phrase(gettext_noop("Not claimed, so they are burnt: {p}."), p=event.payload["points"])


def _why_move(state: State, event: Event) -> Iterator[Phrase]:
    if state.table.round.options.strict:
        # The counting is the players' own.
        yield from words.new_hub(state.table.layout, words.after(state.table, event))
    else:
        yield from fives.why_move(GAME, state.table, event)


def _why_claimed(state: State, event: Event) -> Iterator[Phrase]:
    assert state.claim is not None
    layout, options = state.table.layout, state.table.round.options
    yield words.counted_ends(layout, options.hub_count)
    yield from fives.why_spinner(options, layout, layout)
    if event.kind == CLAIMED and event.seat != state.claim.owner:
        yield phrase(gettext_noop("{n}: not claimed in time."), n=SeatName(state.claim.owner))


_TELLERS: Mapping[str, Callable[[Event], Iterator[Phrase]]] = {
    **fives.TELLERS,
    "played": _played,
    CLAIMED: _claimed,
    BURNT: _burnt,
}
