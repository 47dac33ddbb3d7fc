"""Telefon 365: points for open ends, several doubles at once, a knockout. The Telefon 365 rules, as pure functions."""

from __future__ import annotations

from functools import partial

from games.engine.contract import Choice, Option, gettext_noop
from games.engine.rounds import play, position
from games.engine.rounds.bot import greedy
from games.engine.rounds.options import ROUND_LIMIT
from games.engine.rounds.view import view as round_view
from games.engine.rounds.words import label
from games.titles.telefon365.rules import GAME, outcome
from games.titles.telefon365.scoring import hand_value
from games.titles.telefon365.words import describe, explain

SLUG = "telefon365"
RULESET = "telefon365/1"
NAME = gettext_noop("Telefon 365")
SEATS: tuple[int, ...] = (2, 3, 4)
OPENS = frozenset({"dealt"})
CLOSES = frozenset({"redealt", "round_ended", "match_ended"})
LOW_WINS = False

OPTIONS: tuple[Option, ...] = (
    Option(
        "opening_scores",
        gettext_noop("Points for the opening tile"),
        gettext_noop("Whether the first tile of a round scores when its sum is a multiple of five."),
        (
            Choice("any", gettext_noop("Any tile")),
            Choice("only_5_5", gettext_noop("Only double 5")),
            Choice("none", gettext_noop("Never")),
        ),
        default="any",
    ),
    Option(
        "double_blank",
        gettext_noop("Double blank left in a hand"),
        gettext_noop("When the double blank counts 10 at the end of a round."),
        (
            Choice("always_10", gettext_noop("Always 10")),
            Choice("alone_10", gettext_noop("10 only as the last tile of the hand")),
        ),
        default="always_10",
    ),
    Option(
        "blocked_check",
        gettext_noop("A blocked round ends"),
        gettext_noop("Whether the boneyard is drawn out first when no tile fits any more."),
        (
            Choice("at_once", gettext_noop("At once")),
            Choice("after_draws", gettext_noop("After the boneyard is drawn out")),
        ),
        default="at_once",
    ),
    Option(
        "target",
        gettext_noop("Played to"),
        gettext_noop("The match ends after the round in which somebody reaches this score."),
        (Choice(365, "365"),),
        default=365,
    ),
    Option(
        "hand_cap",
        gettext_noop("Limit for hand points"),
        gettext_noop("From this score on only moves add points."),
        (Choice(300, "300"),),
        default=300,
    ),
    Option(
        "knockout",
        gettext_noop("Knock-out"),
        gettext_noop("Open ends that add up to this win the match at once."),
        (Choice(35, "35"),),
        default=35,
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
view = partial(round_view, GAME, counting=True)
bot = greedy
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
