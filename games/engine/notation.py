"""Positions as the rules pages write them: `35 55* 52 / U 54 / D 51` (domino-common 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.engine.dominoes import EMPTY, End, Layout, ends, lay

_TILES = r"[0-6]{2}(?: [0-6]{2})*"
_WRITTEN = re.compile(
    rf"(?P<line>[0-6]{{2}}\*?(?: [0-6]{{2}}\*?)*)(?: / U (?P<up>{_TILES}))?(?: / D (?P<down>{_TILES}))?"
)


def layout(text: str, *, branching: bool = True) -> Layout:
    """The layout that `text` writes, laid tile by tile, so that there is none the rules do not allow.

    The line from left to right, each tile as it lies, `*` behind the hub; then the side arms from the hub outwards.
    In a game without `branching` there is no hub. Raises ValueError, naming what cannot be, for every other text.
    """
    read = _WRITTEN.fullmatch(text)
    if read is None:
        raise ValueError(f"not a position: {text!r}")
    line = read["line"].split()
    hubs = [place for place, tile in enumerate(line) if tile.endswith("*")]
    if len(hubs) > 1:
        raise ValueError(f"two hubs: {text!r}")
    arms = ((read["up"] or "").split(), (read["down"] or "").split())
    tiles = [tile[:2] for tile in line]
    laid = _laid(_steps(tiles, hubs[0] if hubs else 0, *arms), branching, text)
    if laid.hub != (tiles[hubs[0]] if hubs else None):
        raise ValueError(f"the hub is {laid.hub}: {text!r}")
    return laid


def _steps(line: list[str], first: int, up: list[str], down: list[str]) -> Iterator[tuple[str, End | None]]:
    """An order in which the tiles may have been laid: the hub becomes one only if no other double is closed before."""
    yield line[first], None
    right = [(tile, "R") for tile in line[first + 1 :]]
    yield from right[:1]
    yield from ((tile, "L") for tile in reversed(line[:first]))
    yield from right[1:]
    yield from ((tile, "U") for tile in up)
    yield from ((tile, "D") for tile in down)


def _laid(steps: Iterator[tuple[str, End | None]], branching: bool, text: str) -> Layout:
    laid, seen = EMPTY, set()
    for written, end in steps:
        tile = min(written, written[::-1])
        if tile in seen:
            raise ValueError(f"{tile} lies there twice: {text!r}")
        seen.add(tile)
        if end is None:
            laid = Layout((written,))
            continue
        touching = written[1] if end == "L" else written[0]
        if ends(laid).get(end) != int(touching):
            raise ValueError(f"{written} does not fit end {end}: {text!r}")
        laid = lay(laid, tile, end, branching=branching)
    return laid
