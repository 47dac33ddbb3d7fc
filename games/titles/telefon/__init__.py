"""Telefon (Телефон): two to four seats, open ends that make fives, a spinner. The Telefon rules, as pure functions."""

from __future__ import annotations

from functools import partial

from games.engine.contract import Option, gettext_noop
from games.engine.fives import (
    HUB_COUNT_OPTION,
    MATCH_END_OPTION,
    TARGET_OPTION,
    describe,
    hand_value,
    outcome,
)
from games.engine.rounds import play, position
from games.engine.rounds.bot import greedy as bot
from games.engine.rounds.options import ROUND_LIMIT, TEAMS
from games.engine.rounds.view import view as round_view
from games.engine.rounds.words import label
from games.titles.telefon.rules import GAME
from games.titles.telefon.words import explain

SLUG = "telefon"
RULESET = "telefon/1"
NAME = gettext_noop("Telefon")
SEATS: tuple[int, ...] = (2, 3, 4)
OPENS = frozenset({"dealt"})
CLOSES = frozenset({"round_ended", "match_ended"})
LOW_WINS = False

OPTIONS: tuple[Option, ...] = (TEAMS, TARGET_OPTION, HUB_COUNT_OPTION, MATCH_END_OPTION, ROUND_LIMIT)

sides = partial(position.sides, GAME)
initial = partial(position.initial, GAME)
evolve = partial(position.evolve, GAME)
setup = partial(play.setup, GAME)
to_act = play.to_act
window = play.window
legal_moves = partial(play.legal_moves, GAME)
decide = partial(play.decide, GAME)
forced_move = partial(play.forced_move, GAME)
absent = partial(play.absent, GAME)
scores = position.scores
view = partial(round_view, GAME, counting=True)
resample = play.resample

__all__ = [
    "CLOSES",
    "LOW_WINS",
    "NAME",
    "OPENS",
    "OPTIONS",
    "RULESET",
    "SEATS",
    "SLUG",
    "absent",
    "bot",
    "decide",
    "describe",
    "evolve",
    "explain",
    "forced_move",
    "hand_value",
    "initial",
    "label",
    "legal_moves",
    "outcome",
    "resample",
    "scores",
    "setup",
    "sides",
    "to_act",
    "view",
    "window",
]
