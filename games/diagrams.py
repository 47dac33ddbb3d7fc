"""Where the tiles of a drawn position lie: one straight line, and two straight arms from the hub.

Lengths are those of `pieces/symbols.svg.html`, where a tile is 40 by 20. The middle of the line's left edge is the
origin, y grows downwards. Straight arms meet nothing, whatever lies there, so nothing has to turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from games.engine.counting import parts
from games.engine.dominoes import ENDS, End, HubCount, Layout, Tile, ends, is_double

LONG, SHORT = 40, 20
AIR = 7
"""Cloth around everything."""
APART = 14
"""From the edge of a tile to the middle of the number beside it."""
MARK = 10
REACH = 23
"""Half the side of a number, and of what can be tapped."""

HEADINGS: dict[End, tuple[int, int]] = {"L": (-1, 0), "R": (1, 0), "U": (0, -1), "D": (0, 1)}
TURNS: dict[End, int] = {"L": 0, "R": 0, "U": 270, "D": 90}
"""Degrees that turn a tile, its first half at the left, so that it runs towards an end; the line runs to the right."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile around its centre; the group of its halves is turned by `turn` degrees."""

    name: str
    x: int
    y: int
    lying: bool
    turn: int
    pinned: bool = False
    fresh: bool = False

    @property
    def box(self) -> Box:
        wide, high = (LONG, SHORT) if self.lying else (SHORT, LONG)
        return self.x - wide // 2, self.y - high // 2, self.x + wide // 2, self.y + high // 2


@dataclass(frozen=True, slots=True)
class Mark:
    """What counts somewhere, as a number around its centre."""

    x: int
    y: int
    count: int

    @property
    def box(self) -> Box:
        return self.x - MARK, self.y - MARK, self.x + MARK, self.y + MARK


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a tile would come to lie at an end; around it there is room for a finger."""

    end: End
    piece: Piece

    @property
    def number(self) -> int:
        """The number people know the end by."""
        return ENDS.index(self.end) + 1

    @property
    def box(self) -> Box:
        return self.piece.x - REACH, self.piece.y - REACH, self.piece.x + REACH, self.piece.y + REACH


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn position. `view` holds everything: left, top, width, height."""

    pieces: tuple[Piece, ...]
    marks: tuple[Mark, ...]
    spots: tuple[Spot, ...]
    view: tuple[int, int, int, int]


def picture(layout: Layout, counts: HubCount | None, *, tile: Tile | None = None, fresh: Tile | None = None) -> Picture:
    """Draw a layout.

    Args:
        counts: how the hub counts; then every end is marked with what it counts. None: nothing is marked.
        tile: a tile to lay; the ends it fits have spots.
        fresh: the tile that has been laid just now.
    """
    pieces, edges = _laid_out(layout)
    pieces = [replace(piece, fresh=fresh in (piece.name, piece.name[::-1])) for piece in pieces]
    marks = tuple(_marks(layout, counts, pieces, edges)) if counts else ()
    spots = tuple(_spots(layout, tile, edges)) if tile else ()
    boxes = [*(piece.box for piece in pieces), *(mark.box for mark in marks), *(spot.box for spot in spots)]
    return Picture(tuple(pieces), marks, spots, _view(boxes))


Edges = dict[End, tuple[int, int]]
"""The middle of the free edge of each end."""


def _laid_out(layout: Layout) -> tuple[list[Piece], Edges]:
    line, right = _run(layout.line, "R", 0, 0)
    edges = {"L": (0, 0), "R": right}
    if layout.hub is None:
        return line, edges
    place = layout.line.index(layout.hub)
    hub = line[place] = replace(line[place], pinned=True)
    pieces = line
    for end, arm in zip("UD", layout.arms, strict=True):
        grown, edges[end] = _run(arm, end, hub.x, hub.y + HEADINGS[end][1] * LONG // 2)
        pieces = pieces + grown
    return pieces, edges


def _run(tiles: Iterable[str], end: End, x: int, y: int) -> tuple[list[Piece], tuple[int, int]]:
    """Tiles one after the other from an edge towards an end, and the edge behind the last."""
    pieces = []
    for name in tiles:
        pieces.append(_next(name, end, x, y))
        x, y = (at + step * _depth(name) for at, step in zip((x, y), HEADINGS[end], strict=True))
    return pieces, (x, y)


def _next(name: str, end: End, x: int, y: int) -> Piece:
    """The tile that touches an edge: along the way, doubles across it."""
    (right, down), across = HEADINGS[end], is_double(name)
    middle = _depth(name) // 2
    lying = (end in "LR") != across
    return Piece(name, x + right * middle, y + down * middle, lying, 0 if lying else TURNS[end] or 90)


def _depth(name: str) -> int:
    return SHORT if is_double(name) else LONG


def _marks(layout: Layout, counts: HubCount, pieces: Sequence[Piece], edges: Edges) -> Iterator[Mark]:
    for part in parts(layout, counts):
        if part.end:
            (x, y), (right, down) = edges[part.end], HEADINGS[part.end]
            yield Mark(x + right * APART, y + down * APART, part.count)
            continue
        # A double that counts as a whole stands across; its number is beside a half where no arm has been built.
        whole = next(piece for piece in pieces if piece.name == part.tile)
        side = 1 if layout.arms[0] else -1
        yield Mark(whole.x, whole.y + side * (LONG // 2 + APART), part.count)


def _spots(layout: Layout, tile: Tile, edges: Edges) -> Iterator[Spot]:
    for end, face in ends(layout).items():
        if str(face) in tile:
            yield Spot(end, _next(tile, end, *edges[end]))


def _view(boxes: Sequence[Box]) -> tuple[int, int, int, int]:
    left, top = (min(box[side] for box in boxes) - AIR for side in (0, 1))
    right, bottom = (max(box[side] for box in boxes) + AIR for side in (2, 3))
    return left, top, right - left, bottom - top
