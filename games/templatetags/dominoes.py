"""Template tags for a line of dominoes: `{% load dominoes %}`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import template

from games.engine.dominoes import read_placement
from games.selectors import MatchPage, Offer

register = template.Library()

OPENS_LEFT = "L"
PLAYED = "played"


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile of the line as it lies; `badge` counts what is new from 1, None for what is not."""

    name: str
    badge: int | None


@dataclass(frozen=True, slots=True)
class Spot:
    """An open end. With a staged offer there: its move, the tile as it would lie and the face it would open."""

    number: int
    face: int
    offer: Offer | None
    ghost: str

    @property
    def opens(self) -> str:
        return self.ghost[0] if self.number == 1 else self.ghost[1]


@register.simple_tag
def line_of(page: MatchPage) -> list[Laid]:
    """The line of a page; new is what was laid since the reader's last move, or the one move looked back at."""
    line = page.view.line
    old = len(line) - _fresh(page)
    return [
        Laid(f"{placed.left}{placed.right}", placed.number - old if placed.number > old else None) for placed in line
    ]


def _fresh(page: MatchPage) -> int:
    if not page.is_latest:
        return sum(told.kind == PLAYED for told in page.history if told.number == page.number)
    opened = max((told.number for told in page.history if told.kind in page.title.OPENS), default=0)
    return sum(told.kind == PLAYED and told.number > opened for told in page.since)


@register.simple_tag
def spots(page: MatchPage, staged: Iterable[Offer]) -> list[Spot]:
    """The open ends from left to right."""
    at = {end: (offer, tile) for offer in staged for tile, end in [_placement(offer)]}
    return [_spot(found, *at.get(found.end, (None, ""))) for found in page.view.ends]


def _placement(offer: Offer) -> tuple[str, str | None]:
    return read_placement(offer.move) or ("", None)


def _spot(found: Any, offer: Offer | None, tile: str) -> Spot:
    turned = tile[::-1] if tile and _touching(tile, found.end) != str(found.face) else tile
    return Spot(found.number, found.face, offer, turned)


def _touching(tile: str, end: str) -> str:
    """The half that meets the line: the right one at its left end."""
    return tile[1] if end == OPENS_LEFT else tile[0]
