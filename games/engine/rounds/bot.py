"""A bot for the titles in which points are made while tiles are laid; it plays from what its seat may know."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.contract import Move
from games.engine.dominoes import HALVES, PIPS, End, fits, is_double
from games.engine.rounds.position import Placement
from games.engine.rounds.view import View, read_placements


def greedy(view: View, moves: tuple[Move, ...]) -> Move:
    """Takes the most points; else sheds heavy tiles and doubles, and keeps ends open that the rest of the hand fits."""
    points = {preview.move: preview.points for preview in view.previews}
    return max(moves, key=lambda move: (points.get(move, 0), _shape(view, move)))


def ends_after(view: View, placed: Iterable[Placement]) -> dict[End, int]:
    """What the ends that can be seen want once these tiles lie; a hub they make is not foreseen."""
    wanted = {place.end: place.face for place in view.ends}
    for tile, end in placed:
        if end is None:
            wanted["L"], wanted["R"] = HALVES[tile]
        else:
            # A laid tile shows its other half; a double shows its face again.
            wanted[end] = PIPS[tile] - wanted[end]
    return wanted


def _shape(view: View, move: Move) -> int:
    placed = read_placements(move)
    gone = {tile for tile, _ in placed}
    wanted = ends_after(view, placed).values()
    answers = sum(fits((held.tile,), wanted) for held in view.hand if held.tile not in gone)
    return sum(PIPS[tile] + 3 * is_double(tile) for tile in gone) + 2 * answers
