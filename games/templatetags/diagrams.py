"""Template tags for the rules pages: `{% load diagrams %}`. What they show is laid and counted by the engine."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any, NamedTuple, cast, get_args

from django import template
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.diagrams import picture
from games.engine.counting import Part, parts
from games.engine.dominoes import HubCount, Layout, near5, open_sum, up5
from games.engine.notation import layout
from games.phrases import spoken

register = template.Library()

SCALE = 1.3
"""Pixels of a unit where there is room: a tile is 26 px wide."""

ROUNDINGS: dict[str, Callable[[int], int]] = {"up5": up5, "near5": near5}
LAST_ROW = 30
"""Points of the last row of a rounding table."""

SIDES = {
    "L": _("left {count}"),
    "R": _("right {count}"),
    "U": _("up {count}"),
    "D": _("down {count}"),
}


@register.inclusion_tag("pieces/position.html")
def position(text: str, counts: str = "zero", sum: bool = False) -> dict[str, Any]:
    """Draw a position.

    Args:
        text: the position as `games.engine.notation` reads it.
        counts: how the closed hub counts, a `HubCount`; every place is marked with what it counts. Empty for games
            in which nothing is counted and no arms grow.
        sum: with the sum and its parts beneath.
    """
    if counts not in ("", *get_args(HubCount)):
        raise ValueError(f"no way to count: {counts!r}")
    way = cast(HubCount, counts) if counts else None
    laid = layout(text, branching=way is not None)
    return drawing(laid, way) | {"sum": _sum(laid, way) if sum and way else ""}


def drawing(laid: Layout, counts: HubCount | None, scale: float = SCALE, **more: Any) -> dict[str, Any]:
    """What `pieces/position.svg.html` takes; the arguments are those of `diagrams.picture`, and pixels of a unit."""
    drawn = picture(laid, counts, **more)
    *_, wide, high = drawn.view
    return {
        "picture": drawn,
        "width": round(wide * scale),
        "height": round(high * scale),
        "words": described(laid, counts),
    }


def described(laid: Layout, counts: HubCount | None) -> str:
    """A position in words, in the reader's language: the tiles, then what counts."""
    said = [gettext("The line from left to right: {tiles}.").format(tiles=_tiles(laid.line))]
    if laid.hub:
        said.append(gettext("Side arms grow here: {tile}.").format(tile=spoken(laid.hub)))
    for text, arm in zip((_("Upwards: {tiles}."), _("Downwards: {tiles}.")), laid.arms, strict=True):
        if arm:
            said.append(str(text).format(tiles=_tiles(arm)))
    if counts:
        places = ", ".join(map(_place, parts(laid, counts)))
        said.append(gettext("What counts: {places}. Sum {sum}.").format(places=places, sum=open_sum(laid, counts)))
    return " ".join(said)


def _tiles(tiles: tuple[str, ...]) -> str:
    return "; ".join(map(spoken, tiles))


def _place(part: Part) -> str:
    return str(SIDES[part.end]).format(count=part.count) if part.end else f"{spoken(part.tile)}: {part.count}"


def _sum(laid: Layout, counts: HubCount) -> str:
    return f"{' + '.join(str(part.count) for part in parts(laid, counts))} = {open_sum(laid, counts)}"


class Row(NamedTuple):
    """Every number from `first` to `last` is written as `points`."""

    first: int
    last: int
    points: int


@register.inclusion_tag("pieces/rounding.html")
def rounding_table(rule: str) -> dict[str, Any]:
    """Show which numbers are written as which points, up to 30. `rule` is `up5` or `near5`."""
    rounded = ROUNDINGS[rule]
    rows = []
    for points, found in groupby(range(LAST_ROW + 5), rounded):
        numbers = list(found)
        rows.append(Row(numbers[0], numbers[-1], points))
    return {"rows": [row for row in rows if row.points <= LAST_ROW]}
