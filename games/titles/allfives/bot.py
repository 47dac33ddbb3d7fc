"""A bot that plays All Fives from what its seat may know."""

from __future__ import annotations

from games.engine.contract import Move
from games.engine.match import CLAIM
from games.engine.rounds.bot import greedy
from games.engine.rounds.view import View


def bot(view: View, moves: tuple[Move, ...]) -> Move:
    """Claims what can be claimed; else plays as in every title that makes points while tiles are laid."""
    return CLAIM if CLAIM in moves else greedy(view, moves)
