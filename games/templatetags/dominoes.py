"""Template tags for dominoes on the table and in the hand: `{% load dominoes %}`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import template

from games.engine.contract import Phrase, gettext_noop
from games.engine.dominoes import ENDS, End, Layout, Tile
from games.engine.rounds.view import end_number, read_placements
from games.engine.rounds.words import open_ends
from games.selectors import MatchPage, Offer, Told

register = template.Library()

PLAYED = "played"

LEFTWARDS = ("L", "U")
"""Ends that are drawn at the left of their row; a tile comes to lie there with its touching half at the right."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile as it lies in its row; `badge` counts what is new from 1, None for what is not.

    `pinned` is the hub. In the row of the side arms it stands once more, as their `root`.
    """

    name: str
    badge: int | None
    pinned: bool = False
    root: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A move that lays tiles, as its button shows it: the ends it uses by their numbers, the faces it opens there, and
    where sums are told what it comes to."""

    offer: Offer
    ends: Sequence[int]
    opens: str
    preview: Any

    @property
    def is_several(self) -> bool:
        """Whether it lays several tiles."""
        return len(self.ends) > 1


@dataclass(frozen=True, slots=True)
class Spot:
    """An open end. With a staged tile there: its move, and the tile as it would lie."""

    number: int
    face: int
    way: Way | None
    ghost: str


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles from left to right between two open ends: the line, or the side arms with their hub in the middle."""

    tiles: Sequence[Laid]
    spots: Sequence[Spot]


@dataclass(frozen=True, slots=True)
class Table:
    """What lies on the table. `arms` lead from the hub outwards, each with the number of its end."""

    line: Row
    across: Row | None
    hub: Tile | None
    arms: Sequence[tuple[int, Sequence[Laid]]]
    count: int
    sum: Phrase | None

    @property
    def rows(self) -> list[Row]:
        return [self.line, self.across] if self.across else [self.line]

    @property
    def spots(self) -> list[Spot]:
        return [spot for row in self.rows for spot in row.spots]


@register.simple_tag
def table_of(page: MatchPage, staged: Sequence[Offer]) -> Table | None:
    """The table of a page with the staged moves on it; None while it is empty."""
    view = page.view
    if not view.line:
        return None
    fresh = _Fresh(page)
    spots = _spots(page, staged)
    arms = [fresh.laid(arm) for arm in view.arms]
    line = Row([Laid(tile.name, tile.badge, tile.name == view.hub) for tile in fresh.laid(view.line)], spots[:2])
    return Table(
        line=line,
        across=Row(_across(view.hub, arms), spots[2:]) if view.hub else None,
        hub=view.hub,
        arms=[(end_number(end), arm) for end, arm in zip(ENDS[2:], arms, strict=True) if arm],
        count=len(view.line) + sum(map(len, arms)),
        sum=_sum(page),
    )


def _across(hub: Tile, arms: Sequence[Sequence[Laid]]) -> list[Laid]:
    """The side arms as one row through the hub; the first of them grows to the left."""
    up, down = arms
    return [*(Laid(tile.name[::-1], tile.badge) for tile in reversed(up)), Laid(hub, None, True, True), *down]


class _Fresh:
    """Tells what was laid since the reader's last move, or by the one move looked back at."""

    def __init__(self, page: MatchPage) -> None:
        view = page.view
        self.old = len(view.line) + sum(map(len, view.arms)) - _fresh(page)

    def laid(self, branch: Iterable[Any]) -> list[Laid]:
        return [
            Laid(f"{placed.left}{placed.right}", placed.number - self.old if placed.number > self.old else None)
            for placed in branch
        ]


def _fresh(page: MatchPage) -> int:
    """How many of the tiles on the table are new."""
    if not page.is_latest:
        return _laid_by(told for told in page.history if told.number == page.number)
    opened = max((told.number for told in page.history if told.kind in page.title.OPENS), default=0)
    return _laid_by(told for told in page.since if told.number > opened)


def _laid_by(events: Iterable[Told]) -> int:
    return sum(len(told.payload["tiles"]) for told in events if told.kind == PLAYED)


def _sum(page: MatchPage) -> Phrase | None:
    """The open sum with its parts, where the title tells it."""
    view = page.view
    if view.sum is None:
        return None
    line, up, down = (tuple(f"{placed.left}{placed.right}" for placed in branch) for branch in (view.line, *view.arms))
    # Titles that let the table choose how the hub counts have this option; in the others it never counts.
    terms = open_ends(Layout(line, view.hub, (up, down)), page.match.table.options.get("hub_count", "zero"))
    return Phrase(gettext_noop("Open ends: {terms} = {s}"), {"terms": terms, "s": view.sum})


def _spots(page: MatchPage, staged: Sequence[Offer]) -> tuple[Spot, ...]:
    """The open ends in the order of their numbers."""
    # Several staged moves differ in where the chosen tile goes; what else some of them lay is not chosen yet.
    shown = [way for way in ways(page, staged) if len(staged) == 1 or not way.is_several]
    at = {end: (way, tile) for way in shown for tile, end in read_placements(way.offer.move)}
    return tuple(_spot(place.end, place.face, *at.get(place.end, (None, ""))) for place in page.view.ends)


def _spot(end: End, face: int, way: Way | None, tile: str) -> Spot:
    return Spot(end_number(end), face, way, _turned(tile, end, face) if tile else "")


def _turned(tile: Tile, end: End, face: int) -> str:
    """The tile as it would lie at an end that wants this face."""
    touching = tile[1] if end in LEFTWARDS else tile[0]
    return tile if touching == str(face) else tile[::-1]


@register.simple_tag
def ways(page: MatchPage, staged: Iterable[Offer]) -> list[Way]:
    """The staged moves: one tile before several, by the numbers of the ends, those worth more first."""
    return sorted((_way(page, offer) for offer in staged), key=_rank)


def _way(page: MatchPage, offer: Offer) -> Way:
    preview = next((preview for preview in page.view.previews if preview.move == offer.move), None)
    faces = {place.end: place.face for place in page.view.ends}
    placed = [(tile, end) for tile, end in read_placements(offer.move) if end is not None]
    opens = [_turned(tile, end, faces[end])[0 if end in LEFTWARDS else 1] for tile, end in placed]
    return Way(offer, [end_number(end) for _, end in placed], ", ".join(opens), preview)


def _rank(way: Way) -> tuple[int, int, list[int]]:
    placed = read_placements(way.offer.move)
    worth = way.preview.points if way.preview and len(placed) > 1 else 0
    return len(placed), -worth, [ENDS.index(end) for _, end in placed if end]


@register.simple_tag
def chosen(staged: Sequence[Offer], stage: str) -> set[Tile]:
    """The tiles of the hand that are staged; `stage` is what the address says, hostile unless it staged something."""
    return {part.partition("@")[0] for part in stage.split("+")} if staged else set()


@register.simple_tag
def placing(page: MatchPage) -> bool:
    """Whether a tile may be laid now."""
    return any(read_placements(offer.move) for offer in page.offers)


@register.simple_tag
def without_tiles(page: MatchPage) -> list[Offer]:
    """The moves that lay nothing: a claim, say."""
    return [offer for offer in page.offers if not read_placements(offer.move)]


register.filter("end_number", end_number)
