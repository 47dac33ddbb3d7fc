"""Telefon: what its rules page says beyond what it shares with All Fives (Telefon rules, sections 2 to 7)."""

from __future__ import annotations

from games.engine import fives
from games.engine.contract import Seat
from games.engine.dominoes import Layout, Tile, open_sum, points, weight
from games.engine.fives import Options
from games.engine.rounds import position
from games.engine.rounds.position import Game, Hands

State = position.State[Options]

SCORING_OPENING: Tile = "55"

_OPENINGS: tuple[Tile, ...] = ("23", "11", "22", "33", "44", "55", "66")


def first_lead(options: Options, hands: Hands) -> tuple[Seat, Tile]:
    """Who opens the first round, and with which tile (section 4)."""
    holders = {tile: seat for seat, hand in enumerate(hands) for tile in hand}
    for tile in _OPENINGS:
        if tile in holders:
            return holders[tile], tile
    lightest = min(holders, key=weight)
    return holders[lightest], lightest


def score(state: State, layout: Layout) -> tuple[int, int]:
    """The open sum, and its points; only one tile scores when it opens a round (section 7)."""
    total = open_sum(layout, state.round.options.hub_count)
    if not state.layout.line and layout.line != (SCORING_OPENING,):
        return total, 0
    return total, points(total)


GAME: Game[Options] = Game(
    options=Options,
    hand_size={2: 7, 3: 7, 4: 7},
    first_lead=first_lead,
    score=score,
    settle=fives.settle,
    hub_count=fives.hub_count,
    ends_at_once=fives.ends_at_once,
)
