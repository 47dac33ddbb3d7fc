"""Dice Thousand: five dice, the first to bank 1000 wins. The rules page is the club's thousand rules."""

from __future__ import annotations

from games.engine.contract import Choice, Option, gettext_noop
from games.titles.thousand.bot import bot
from games.titles.thousand.position import evolve, initial
from games.titles.thousand.rules import (
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
    window,
)
from games.titles.thousand.view import view
from games.titles.thousand.words import describe, explain, label

SLUG = "thousand"
RULESET = "thousand/1"
NAME = gettext_noop("Thousand")
SEATS: tuple[int, ...] = (2, 3, 4)
OPENS = frozenset({"turn_started"})
CLOSES = frozenset({"bust", "banked", "turn_ended", "match_ended"})
LOW_WINS = False

OPTIONS: tuple[Option, ...] = (
    Option(
        "target",
        gettext_noop("Target"),
        gettext_noop("The first to bank this many points or more wins at once."),
        (Choice(1000, "1000"),),
        1000,
    ),
    Option(
        "opening_min",
        gettext_noop("First banking"),
        gettext_noop("The least that must be banked while nothing has been banked yet."),
        (Choice(75, "75"),),
        75,
    ),
    Option(
        "bank_min",
        gettext_noop("Later banking"),
        gettext_noop("The least that must be banked in every later turn."),
        (Choice(25, "25"),),
        25,
    ),
    Option(
        "five_of_a_kind",
        gettext_noop("Five of a kind"),
        gettext_noop("What five equal dice of one throw are worth. Five ones always win at once."),
        (
            Choice(3, gettext_noop("3 × three of a kind")),
            Choice(4, gettext_noop("4 × three of a kind")),
            Choice(5, gettext_noop("5 × three of a kind")),
            Choice(10, gettext_noop("10 × three of a kind")),
        ),
        4,
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
    "explain",
    "forced_move",
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
