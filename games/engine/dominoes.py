"""The double-six set, the layout of a round and the arithmetic the domino titles share.

Everything follows the common domino rules (domino-common). A tile is written as two digits, the smaller first
(`"25"`); a tile in a layout is written as it lies, so `"52"` shows its five to the left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Literal

Tile = str
"""Two digits, the smaller first."""

End = str
"""`L` and `R` of the line, `U` and `D` of the two side arms."""

Hand = tuple[Tile, ...]

HubCount = Literal["zero", "until_first_side_arm", "until_both_side_arms"]

ENDS: tuple[End, ...] = ("L", "R", "U", "D")

TILES: tuple[Tile, ...] = tuple(a + b for a, b in combinations_with_replacement("0123456", 2))

DOUBLES: tuple[Tile, ...] = tuple(tile for tile in TILES if tile[0] == tile[1])

HALVES: Mapping[str, tuple[int, int]] = {a + b: (int(a), int(b)) for a in "0123456" for b in "0123456"}
"""The two halves of a tile, written either way round."""

PIPS: Mapping[str, int] = {written: sum(halves) for written, halves in HALVES.items()}

SUITS: tuple[frozenset[Tile], ...] = tuple(frozenset(tile for tile in TILES if digit in tile) for digit in "0123456")
"""The seven tiles that carry each face."""

# Every way a placement of one tile may be typed. A look-up here is the whole check of hostile input.
_PLACEMENTS: Mapping[str, tuple[Tile, End | None]] = {
    written if end is None else f"{written}@{end}": (min(written, written[::-1]), end)
    for written in HALVES
    for end in (None, *ENDS)
}

# How many built side arms end the counting of the closed hub.
_HUB_COUNTS_BELOW: Mapping[HubCount, int] = {"zero": 0, "until_first_side_arm": 1, "until_both_side_arms": 2}


@dataclass(frozen=True, slots=True)
class Layout:
    """The tiles on the table.

    `line` runs from left to right, the arms from the hub outwards, each tile written as it lies. `hub` is the
    double the side arms `U` and `D` grow from; games without a hub never have one.
    """

    line: tuple[str, ...] = ()
    hub: Tile | None = None
    arms: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


EMPTY = Layout()


def weight(tile: Tile) -> tuple[int, int]:
    """The key that sorts tiles from the lightest to the heaviest: pips, then the larger half. Never equal for two."""
    return PIPS[tile], max(HALVES[tile])


def is_double(tile: str) -> bool:
    return tile[0] == tile[1]


def read_placement(move: str) -> tuple[Tile, End | None] | None:
    """The tile and the end that `25@R`, `52@R` or `25` (the opening tile) names; None for anything else."""
    return _PLACEMENTS.get(move)


def write_placement(tile: Tile, end: End | None) -> str:
    """A placement as the match record writes it."""
    return tile if end is None else f"{tile}@{end}"


def deal(order: Sequence[Tile], seats: int, size: int) -> tuple[tuple[Hand, ...], tuple[Tile, ...]]:
    """The hands by seat and the boneyard in drawing order (domino-common 4).

    Raises ValueError if `order` is not the 28 tiles: such a round must never be played.
    """
    if sorted(order) != list(TILES):
        raise ValueError("a deal must hold each of the 28 tiles once")
    hands = tuple(tuple(order[seat * size : (seat + 1) * size]) for seat in range(seats))
    return hands, tuple(order[seats * size :])


def without(hand: Hand, tile: Tile) -> Hand:
    """The hand after `tile` has left it."""
    place = hand.index(tile)
    return hand[:place] + hand[place + 1 :]


def ends(layout: Layout) -> dict[End, int]:
    """The playable ends and the face each wants, in the order L R U D (domino-common 6). Empty for an empty table."""
    line = layout.line
    if not line:
        return {}
    wanted = {"L": HALVES[line[0]][0], "R": HALVES[line[-1]][1]}
    if layout.hub:
        up, down = layout.arms
        wanted["U"] = HALVES[up[-1] if up else layout.hub][1]
        wanted["D"] = HALVES[down[-1] if down else layout.hub][1]
    return wanted


def lay(layout: Layout, tile: Tile, end: End | None, *, branching: bool) -> Layout:
    """The layout with `tile` put on `end` (None: it opens the round). The placement must be legal.

    With `branching` the first double that gets closed becomes the hub at that very placement (domino-common 5).
    """
    line, hub = layout.line, layout.hub
    if end is None:
        return Layout((tile,))
    if end in "UD":
        return _lay_on_arm(layout, tile, "UD".index(end))
    touched = line[0] if end == "L" else line[-1]
    if branching and hub is None and len(line) > 1 and is_double(touched):
        hub = touched
    line = (_leading(tile, touched[0])[::-1], *line) if end == "L" else (*line, _leading(tile, touched[1]))
    return Layout(line, hub, layout.arms)


def _lay_on_arm(layout: Layout, tile: Tile, which: int) -> Layout:
    up, down = layout.arms
    arm = (up, down)[which]
    touched = arm[-1] if arm else layout.hub
    if touched is None:
        raise ValueError("side arms grow from a hub")
    arm = (*arm, _leading(tile, touched[1]))
    return Layout(layout.line, layout.hub, (up, arm) if which else (arm, down))


def _leading(tile: Tile, digit: str) -> str:
    """The tile turned so that the half with `digit` comes first."""
    return tile if tile[0] == digit else tile[::-1]


def placements(hand: Collection[Tile], wanted: Mapping[End, int]) -> list[tuple[Tile, End]]:
    """Every legal placement, in no order that may be relied on."""
    return [(tile, end) for end, face in wanted.items() for tile in SUITS[face].intersection(hand)]


def fits(hand: Collection[Tile], wanted: Iterable[int]) -> bool:
    """Whether any tile of the hand carries a wanted face."""
    for face in wanted:  # noqa: SIM110 - a loop is twice as fast as `any`, and every move asks
        if not SUITS[face].isdisjoint(hand):
            return True
    return False


def draw_run(drawable: Sequence[Tile], wanted: Collection[int]) -> tuple[Tile, ...]:
    """The tiles a player without a placement takes: up to the first that fits, else all (domino-common 4)."""
    for taken, tile in enumerate(drawable, start=1):
        if fits((tile,), wanted):
            return tuple(drawable[:taken])
    return tuple(drawable)


def is_blocked(wanted: Collection[int], hands: Iterable[Hand], drawable: Collection[Tile] = ()) -> bool:
    """Whether neither a hand nor a drawable tile fits any end (domino-common 10).

    Titles in which a round is blocked only when the boneyard is empty ask then, and hand in no `drawable`.
    """
    return not fits(drawable, wanted) and not any(fits(hand, wanted) for hand in hands)


def cautious(legal: Iterable[tuple[Tile, End | None]]) -> tuple[Tile, End | None]:
    """What the club lays for somebody who is away: the heaviest tile, on its first end in the order L R U D."""
    return max(legal, key=lambda placement: (weight(placement[0]), -(ENDS.index(placement[1]) if placement[1] else 0)))


def open_sum(layout: Layout, hub_count: HubCount) -> int:
    """`S`, the sum of the counted open ends (domino-common 7)."""
    line, hub, arms = layout.line, layout.hub, layout.arms
    if len(line) < 2:
        return pips(line)
    total = _worth(line[0][::-1]) + _worth(line[-1])
    if hub:
        built = [arm for arm in arms if arm]
        total += sum([_worth(arm[-1]) for arm in built])
        if len(built) < _HUB_COUNTS_BELOW[hub_count]:
            total += PIPS[hub]
    return total


def _worth(outermost: str) -> int:
    """What the tile at the end of a branch counts, written outwards: a double counts both halves."""
    return PIPS[outermost] if is_double(outermost) else HALVES[outermost][1]


def points(total: int) -> int:
    """What an open sum is worth: itself if it is a multiple of five, else nothing."""
    return total if total % 5 == 0 else 0


def pips(tiles: Iterable[str]) -> int:
    return sum(PIPS[tile] for tile in tiles)


def up5(n: int) -> int:
    """Rounded up to a multiple of five."""
    return -(-n // 5) * 5


def near5(n: int) -> int:
    """Rounded to the nearest multiple of five; integers never fall half way."""
    return (n + 2) // 5 * 5


def side_totals(values: Sequence[int], sides: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Hand values by seat, added up by side."""
    return tuple(sum(values[seat] for seat in seats) for seats in sides)


def lowest(totals: Sequence[int]) -> int | None:
    """The side that wins a blocked round: the one with the lowest total, None if the lowest is shared."""
    least = min(totals)
    return totals.index(least) if totals.count(least) == 1 else None


def clockwise(first: int, seats: int) -> Iterator[int]:
    """All seats, once round from `first`."""
    return ((first + step) % seats for step in range(seats))
