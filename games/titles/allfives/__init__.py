"""All Fives (Все пятёрки), also known as Muggins: two to four seats, open ends that make fives, a spinner.

The All Fives rules, as pure functions.
"""

from __future__ import annotations

from functools import partial

from games.engine.contract import Choice, Option, gettext_noop
from games.engine.fives import HUB_COUNT_OPTION, MATCH_END_OPTION, TARGET_OPTION, hand_value
from games.engine.rounds import play, position
from games.engine.rounds.options import ROUND_LIMIT, TEAMS
from games.titles.allfives.bot import bot
from games.titles.allfives.muggins import (
    absent,
    decide,
    evolve,
    forced_move,
    initial,
    legal_moves,
    outcome,
    resample,
    scores,
    to_act,
    view,
    window,
)
from games.titles.allfives.rules import AUTO, FORCED, FREE, GAME, STRICT
from games.titles.allfives.words import describe, explain, label

SLUG = "allfives"
RULESET = "allfives/1"
NAME = gettext_noop("All Fives")
SEATS: tuple[int, ...] = (2, 3, 4)
OPENS = frozenset({"dealt"})
CLOSES = frozenset({"round_ended", "match_ended"})
LOW_WINS = False

OPTIONS: tuple[Option, ...] = (
    TEAMS,
    TARGET_OPTION,
    HUB_COUNT_OPTION,
    Option(
        "first_lead",
        gettext_noop("First opening tile"),
        gettext_noop("What the holder of the heaviest double opens the first round with."),
        (Choice(FORCED, gettext_noop("That double")), Choice(FREE, gettext_noop("Any tile"))),
        default=FORCED,
    ),
    Option(
        "muggins",
        gettext_noop("Muggins"),
        gettext_noop("Whether points are written by themselves, or have to be claimed before another takes them."),
        (
            Choice(AUTO, gettext_noop("Points are written at once")),
            Choice(STRICT, gettext_noop("Points must be claimed"), live=True),
        ),
        default=AUTO,
    ),
    Option(
        "claim_seconds",
        gettext_noop("Seconds to claim"),
        gettext_noop("First for whoever made the points, then for the opponents, where points must be claimed."),
        (Choice(3, "3", live=True), Choice(5, "5"), Choice(10, "10", live=True)),
        default=5,
    ),
    MATCH_END_OPTION,
    ROUND_LIMIT,
)

sides = partial(position.sides, GAME)
setup = partial(play.setup, GAME)

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
