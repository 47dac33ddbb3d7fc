"""Kozel (Козёл): two to four seats, penalties up to 101, no branching. The Kozel rules, as pure functions."""

from __future__ import annotations

from games.engine.contract import Choice, Option, gettext_noop
from games.titles.kozel.bot import bot
from games.titles.kozel.position import evolve, initial
from games.titles.kozel.rules import (
    absent,
    decide,
    forced_move,
    legal_moves,
    outcome,
    resample,
    scores,
    setup,
    sides,
    to_act,
)
from games.titles.kozel.scoring import hand_value
from games.titles.kozel.view import view
from games.titles.kozel.words import describe, label

SLUG = "kozel"
RULESET = "kozel/1"
NAME = gettext_noop("Kozel")
SEATS: tuple[int, ...] = (2, 3, 4)
OPENS = frozenset({"dealt"})
CLOSES = frozenset({"round_ended", "match_ended"})
LOW_WINS = True

_ON_OFF = (Choice(True, gettext_noop("On")), Choice(False, gettext_noop("Off")))

OPTIONS: tuple[Option, ...] = (
    Option(
        "teams",
        gettext_noop("Teams"),
        gettext_noop("Partners sit opposite and share one score."),
        (Choice(True, gettext_noop("Two against two")), Choice(False, gettext_noop("Each alone"))),
        default=True,
        seats=(4,),
    ),
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
    Option(
        "round_limit",
        gettext_noop("Rounds"),
        gettext_noop("A short match ends after this many rounds; the best score then wins."),
        (Choice(1, "1"), Choice(3, "3"), Choice(5, "5"), Choice(None, gettext_noop("No limit"))),
        default=None,
    ),
)

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
]
