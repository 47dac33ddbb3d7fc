"""Kozel (Козёл): two to four seats, penalties up to 101, no branching. The Kozel rules, as pure functions."""

from __future__ import annotations

from functools import partial

from games.engine.contract import Choice, Option, gettext_noop
from games.engine.rounds import play, position
from games.engine.rounds.options import ROUND_LIMIT, TEAMS
from games.engine.rounds.view import view as round_view
from games.engine.rounds.words import label
from games.titles.kozel.bot import bot
from games.titles.kozel.rules import GAME, outcome
from games.titles.kozel.scoring import hand_value
from games.titles.kozel.words import describe, explain

SLUG = "kozel"
RULESET = "kozel/1"
NAME = gettext_noop("Kozel")
SEATS: tuple[int, ...] = (2, 3, 4)
OPENS = frozenset({"dealt"})
CLOSES = frozenset({"round_ended", "match_ended"})
LOW_WINS = True

_ON_OFF = (Choice(True, gettext_noop("On")), Choice(False, gettext_noop("Off")))

OPTIONS: tuple[Option, ...] = (
    TEAMS,
    Option(
        "target",
        gettext_noop("Played to"),
        gettext_noop("Whoever reaches this penalty has lost."),
        (Choice(101, "101"),),
        default=101,
    ),
    Option(
        "entry_13",
        gettext_noop("Entry at 13"),
        gettext_noop("The first penalty of a side counts only from 13 points."),
        _ON_OFF,
        default=False,
    ),
    Option(
        "bald",
        gettext_noop("Bald"),
        gettext_noop("Going out with the double blank wins the match at once."),
        _ON_OFF,
        default=False,
    ),
    Option(
        "blank_double_rank",
        gettext_noop("Double blank when opening"),
        gettext_noop("Where the double blank stands among the doubles that open the first round."),
        (Choice("lowest", gettext_noop("The lowest double")), Choice("last", gettext_noop("After double 6"))),
        default="lowest",
    ),
    ROUND_LIMIT,
)

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
view = partial(round_view, GAME, counting=False)
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
