"""Why the numbers of Telefon are what they are."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine import fives
from games.engine.contract import Event, Phrase, Tiles, gettext_noop
from games.engine.rounds.words import phrase
from games.titles.telefon.rules import GAME, SCORING_OPENING, State


def explain(state: State, event: Event) -> tuple[Phrase, ...]:
    """How a move came to its sum and points, and a round to its bonus."""
    if event.kind == "played":
        return tuple(_why_move(state, event))
    return tuple(fives.why_written(state, event)) if event.kind == "round_ended" else ()


def _why_move(state: State, event: Event) -> Iterator[Phrase]:
    yield from fives.why_move(GAME, state, event)
    if not state.layout.line and not event.payload["points"]:
        yield phrase(gettext_noop("An opening tile scores only if it is {t}."), t=Tiles((SCORING_OPENING,)))
