"""The trainer of Kozel: what is left in a hand, and what is it worth (section 8)?"""

from __future__ import annotations

from games.engine.contract import Phrase, Sum, Tiles, gettext_noop
from games.engine.dominoes import PIPS, TILES, Hand, is_double, pips
from games.engine.quiz import Answer, Draws, Question, amounts
from games.titles.kozel.scoring import hand_value

SPECIAL = ("00", "66")

_LEFT: tuple[tuple[Hand, int], ...] = (
    (("00",), 0),
    (("66",), 0),
    (("00", "66"), 0),
    (("00",), 1),
    (("66",), 1),
    (("00", "66"), 1),
    (("00",), 2),
    (("66",), 2),
    (("00", "66"), 2),
    ((), 2),
    ((), 3),
    ((), 4),
)
"""Hands worth asking for: the special tiles in them, and how many others."""


def question(number: int) -> Question:
    """Question `number`: a hand, and four amounts."""
    draws = Draws("kozel", number)
    special, others = draws.choose(_LEFT)
    rest = draws.shuffled(tile for tile in TILES if tile not in SPECIAL)[:others]
    hand = tuple(draws.shuffled((*special, *rest)))
    ask = Phrase(gettext_noop("This hand is left at the end of a round. What is it worth?"))
    return Question(ask, _answers(hand), hand=hand)


def _answers(hand: Hand) -> tuple[Answer, ...]:
    specials = [hand_value((tile,)) for tile in SPECIAL if tile in hand]
    ordinary = [pips(tile for tile in hand if tile not in SPECIAL)]
    return amounts(hand_value(hand), (pips(hand), sum(specials) + ordinary[0], *specials, 25), _why(hand))


def _why(hand: Hand) -> tuple[Phrase, ...]:
    value = hand_value(hand)
    if set(hand) <= set(SPECIAL):
        text = gettext_noop("Nothing else is left: {t}. Such a hand is worth {k}.")
        return (Phrase(text, {"t": Tiles(tuple(sorted(hand))), "k": value}),)
    terms = Sum(tuple((PIPS[tile], tile if is_double(tile) else None) for tile in hand))
    counted = Phrase(gettext_noop("All pips: {terms} = {k}."), {"terms": terms, "k": value})
    if set(hand).isdisjoint(SPECIAL):
        return (counted,)
    return counted, Phrase(gettext_noop("25, 50 and 75 are written only if no other tile is left."))
