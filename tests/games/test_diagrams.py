"""Drawn positions and tables of the rules pages: they show what the engine says."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import get_args
from xml.etree import ElementTree

import pytest
from django.template import Context, Template
from django.utils import translation

from games.diagrams import Box, picture
from games.engine.dominoes import HALVES, TILES, HubCount, ends, near5, open_sum, up5
from games.engine.notation import layout
from tests.engine.test_notation import COUNTED, HUB_COUNTS, played

TABLES = sorted({example["given"]["table"] for example in COUNTED})


def draw(tag: str) -> str:
    return Template("{% load diagrams %}{% " + tag + " %}").render(Context())


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def inside(box: Box, view: tuple[int, int, int, int]) -> bool:
    left, top, wide, high = view
    return left <= box[0] and top <= box[1] and box[2] <= left + wide and box[3] <= top + high


# Where things lie


@pytest.mark.parametrize("branching", [True, False])
def test_nothing_lies_on_anything_and_everything_is_in_view(branching: bool) -> None:
    for seed in range(300):
        laid = played(seed, branching=branching)
        drawn = picture(laid, "until_both_side_arms" if branching else None)
        boxes = [item.box for item in (*drawn.pieces, *drawn.marks)]
        assert all(apart(one, other) for one, other in combinations(boxes, 2))
        assert all(inside(box, drawn.view) for box in boxes)


def test_tiles_touch_with_equal_halves() -> None:
    """Halves that lie beside each other along a branch show the same number."""
    for seed in range(200):
        laid = played(seed, branching=True)
        at = {piece.name: piece for piece in picture(laid, "zero").pieces}
        hub = [at[laid.hub]] if laid.hub else []
        for branch in ([at[name] for name in laid.line], *([*hub, *(at[name] for name in arm)] for arm in laid.arms)):
            for one, other in pairwise(branch):
                gap = abs(one.x - other.x) + abs(one.y - other.y)
                assert (one.x == other.x) != (one.y == other.y)
                wide = one.x != other.x
                assert gap == sum((box[2] - box[0] if wide else box[3] - box[1]) // 2 for box in (one.box, other.box))
                assert one.name[1] == other.name[0]


def test_a_half_is_drawn_at_the_side_the_turn_puts_it() -> None:
    drawn = {piece.name: piece for piece in picture(layout("35 55* 52 / U 54 / D 51"), "zero").pieces}
    assert [(drawn[name].lying, drawn[name].turn) for name in ("35", "54", "51")] == [
        (True, 0),  # 3 at the left
        (False, 270),  # 5 below, at the hub
        (False, 90),  # 5 above, at the hub
    ]


def test_a_tile_to_lay_has_a_spot_at_every_end_it_fits() -> None:
    for seed in range(200):
        laid = played(seed, branching=True)
        free = set(TILES) - {min(name, name[::-1]) for name in (*laid.line, *laid.arms[0], *laid.arms[1])}
        for tile in sorted(free):
            drawn = picture(laid, None, tile=tile)
            assert {spot.end for spot in drawn.spots} == {
                end for end, face in ends(laid).items() if face in HALVES[tile]
            }
            assert all(apart(one.box, other.box) for one, other in combinations(drawn.spots, 2))
            assert all(apart(spot.piece.box, piece.box) for spot in drawn.spots for piece in drawn.pieces)
            assert all(inside(spot.box, drawn.view) for spot in drawn.spots)


# The tag


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("hub_count", HUB_COUNTS)
def test_the_numbers_drawn_are_the_open_sum(table: str, hub_count: HubCount) -> None:
    total = open_sum(layout(table), hub_count)
    page = draw(f'position "{table}" counts="{hub_count}" sum=1')
    figure = ElementTree.fromstring(page)  # well-formed, or it raises
    marks = [int(text) for text in re.findall(r"<text[^>]*>(\d+)</text>", page)]
    assert sum(marks) == total
    caption = figure.findtext("figcaption") or ""
    assert caption == f"{' + '.join(map(str, marks))} = {total}"
    assert f"Sum {total}." in page


def test_every_tile_is_drawn_and_the_hub_has_the_pin() -> None:
    page = draw('position "35 55* 52 / U 54 / D 51"')
    halves = re.findall(r'#p-h(\d)" x="-10"/><use href="#p-h(\d)"', page)
    assert sorted("".join(pair) for pair in halves) == ["35", "51", "52", "54", "55"]
    assert page.count("#p-pin") == 1
    assert "figcaption" not in page


def test_where_nothing_is_counted_there_are_no_numbers_and_no_pin() -> None:
    page = draw('position "64 44 42 21" counts=""')
    assert "<text" not in page
    assert "#p-pin" not in page
    assert "counts" not in page


def test_the_drawing_is_said_in_words() -> None:
    said = re.findall('role="img" aria-label="([^"]+)"', draw('position "35 55* 52 / U 54 44"'))
    assert said == [
        "The line from left to right: 3 and 5; double 5; 5 and 2. Side arms grow here: double 5. "
        "Upwards: 5 and 4; double 4. What counts: left 3, right 2, up 8. Sum 13."
    ]
    assert "double 5: 10. Sum 10." in draw('position "55"')


@pytest.mark.parametrize(
    "tag", ['position "35 25"', 'position "35 55 52"', 'position "35" counts="all"', 'position "35 55* 52" counts=""']
)
def test_a_diagram_that_cannot_be_is_no_page(tag: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        draw(tag)


def test_the_ways_to_count_are_those_of_the_engine() -> None:
    assert get_args(HubCount) == HUB_COUNTS


# Rounding


@pytest.mark.parametrize(("name", "rule"), [("up5", up5), ("near5", near5)])
def test_the_rounding_table_says_of_every_number_what_the_engine_says(name: str, rule) -> None:
    with translation.override("en"):
        rows = re.findall(r"<tr><td>(\d+)(?:–(\d+))?</td><td>(\d+)</td></tr>", draw(f'rounding_table "{name}"'))
    told = {n: int(points) for first, last, points in rows for n in range(int(first), int(last or first) + 1)}
    assert told == {n: rule(n) for n in range(max(told) + 1)}
    assert rule(max(told)) == 30 < rule(max(told) + 1)


def test_there_is_no_other_rounding() -> None:
    with pytest.raises(KeyError):
        draw('rounding_table "down5"')
