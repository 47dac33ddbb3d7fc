"""Template tags for dice on the table: `{% load dice %}`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import template

from games.engine.contract import Phrase
from games.selectors import MatchPage, Offer

register = template.Library()


@dataclass(frozen=True, slots=True)
class Bust:
    """A throw that scored nothing: its dice, and what is said of it."""

    dice: Sequence[int]
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to set dice aside: the move, and what it brings."""

    offer: Offer
    keep: Any


@register.simple_tag
def last_bust(page: MatchPage) -> Bust | None:
    """The throw that ended the turn before, as long as nothing was thrown after it."""
    *_, throw, bust, opened = (None, None, None, *(told for told in page.history if told.number <= page.number))
    if throw is None or bust is None or bust.kind != "bust" or opened is None or opened.kind not in page.title.OPENS:
        return None
    return Bust(throw.payload["dice"], bust.phrases)


@register.simple_tag
def best_first(page: MatchPage) -> list[Way]:
    """The ways to set aside, the one worth most first, of equal ones that which leaves more dice."""
    offers = {offer.move: offer for offer in page.offers}
    keeps = sorted(page.view.keeps, key=lambda keep: (-keep.value, -keep.next_dice))
    return [Way(offers[keep.move], keep) for keep in keeps]


@register.filter
def throw_number(view: Any) -> int:
    """Which throw of the turn lies on the table; each set kept came from one."""
    return len(view.kept) + (view.phase == "choose")
