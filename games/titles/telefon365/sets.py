"""Moves of several doubles: each on an end of its own, and only if the sum scores (Telefon 365 rules, section 5)."""

from __future__ import annotations

from itertools import combinations

from games.engine.contract import Move, Tiles, gettext_noop
from games.engine.dominoes import DOUBLES, End, Hand, Tile, ends, is_double, lay, open_sum, points, read_placement
from games.engine.rounds.play import check_placement, refusal
from games.engine.rounds.position import O, Placement, State

MOST = 4

_DOUBLES = frozenset(DOUBLES)


def sets(state: State[O], hand: Hand) -> list[Move]:
    """Every move of several doubles that this hand may make, in no order."""
    # Most hands cannot make any, and every turn asks.
    held = _DOUBLES.intersection(hand)
    if len(held) < 2:
        return []
    fitting = [(DOUBLES[face], end) for end, face in ends(state.layout).items() if DOUBLES[face] in held]
    if len(fitting) < 2:
        return []
    total = open_sum(state.layout, "zero")
    return [
        "+".join(sorted([f"{tile}@{end}" for tile, end in placed]))
        for count in range(2, len(fitting) + 1)
        for placed in combinations(fitting, count)
        if _scores(total, placed)
    ]


def read_set(state: State[O], hand: Hand, move: Move) -> tuple[Placement, ...]:
    """What a move of several doubles lays, as the match record sorts it. Raises IllegalMove."""
    if not state.layout.line:
        raise refusal(gettext_noop("The table is empty: the first tile is laid alone."))
    placed = _read(move)
    layout = state.layout
    for tile, end in placed:
        check_placement(hand, ends(layout), tile, end)
    for tile, end in placed:
        layout = lay(layout, tile, end, branching=True)
    total = open_sum(layout, "zero")
    if not points(total):
        raise refusal(gettext_noop("Several doubles must score, but the total would be {s}."), s=total)
    return tuple(placed)


def _scores(total: int, placed: tuple[tuple[Tile, End], ...]) -> bool:
    """Whether these tiles differ and score, laid where the open sum is `total`."""
    # Each end counted one half and counts both now: its face comes in once more.
    more = sum([int(tile[0]) for tile, _ in placed])
    return (total + more) % 5 == 0 and len({tile for tile, _ in placed}) == len(placed)


def _read(move: Move) -> list[tuple[Tile, End]]:
    """The doubles that a move names and their ends, sorted as they are written."""
    parts = move.split("+", MOST)
    if len(parts) > MOST:
        raise refusal(gettext_noop("No more than four doubles can be laid in one move."))
    placed = sorted([_read_part(part) for part in parts])
    tiles, taken = {tile for tile, _ in placed}, {end for _, end in placed}
    if len(tiles) < len(placed):
        raise refusal(gettext_noop("The same tile cannot be laid twice."))
    if len(taken) < len(placed):
        raise refusal(gettext_noop("Each double needs an end of its own."))
    return placed


def _read_part(part: str) -> tuple[Tile, End]:
    placement = read_placement(part)
    if placement is None:
        raise refusal(gettext_noop("There is no such move in this game."))
    tile, end = placement
    if end is None:
        raise refusal(gettext_noop("Choose the end for the tile."))
    if not is_double(tile):
        raise refusal(gettext_noop("{tile}: only doubles can be laid together."), tile=Tiles((tile,)))
    return tile, end
