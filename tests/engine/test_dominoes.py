"""The common domino rules: every worked example, and what the examples leave open."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from games import titles
from games.engine import dominoes, options
from games.engine.contract import Event
from games.engine.dominoes import EMPTY, PIPS, TILES, Layout

EXAMPLES = yaml.safe_load((Path(dominoes.__file__).parent / "examples" / "dominoes.yaml").read_text("utf-8"))

HUB_COUNTS: tuple[dominoes.HubCount, ...] = ("zero", "until_first_side_arm", "until_both_side_arms")


def layout(text: str) -> Layout:
    """The layout that `35 55* 52 / U 54 / D 51` writes."""
    line, *arms = text.split(" / ")
    grown = {arm[0]: tuple(arm[2:].split()) for arm in arms}
    hub = next((tile.rstrip("*") for tile in line.split() if tile.endswith("*")), None)
    return Layout(tuple(line.replace("*", "").split()), hub, (grown.get("U", ()), grown.get("D", ())))


def examples(*checks: str) -> Any:
    chosen = [example for example in EXAMPLES if example["check"] in checks]
    return pytest.mark.parametrize("example", chosen, ids=[example["id"] for example in chosen])


def titled(check: str) -> Any:
    """The examples of a check, once for each title they speak of that exists."""
    pairs = [
        pytest.param(example, slug, id=f"{example['id']}-{slug}")
        for example in EXAMPLES
        if example["check"] == check
        for slug in _named(example)
        if slug in titles.slugs()
    ]
    return pytest.mark.parametrize(("example", "slug"), pairs)


def _named(example: dict[str, Any]) -> list[str]:
    return [example["given"]["game"]] if "game" in example["given"] else list(example["then"])


def test_the_examples_are_all_there() -> None:
    assert [example["id"] for example in EXAMPLES] == [f"D-{number:02}" for number in range(1, 27)]


@examples("count")
def test_counting_open_ends(example: dict[str, Any]) -> None:
    table = layout(example["given"]["table"])
    assert dominoes.open_sum(table, example["given"].get("hub_count", "zero")) == example["then"]["sum"]
    if "ends" in example["then"]:
        assert dominoes.ends(table) == example["then"]["ends"]


@examples("legal")
def test_legal_placements(example: dict[str, Any]) -> None:
    hand = example["given"]["hand"].split()
    found = dominoes.placements(hand, dominoes.ends(layout(example["given"]["table"])))
    assert {dominoes.write_placement(*placement) for placement in found} == set(example["then"]["plays"])
    assert len(found) == len(example["then"]["plays"])


@examples("round")
def test_rounding(example: dict[str, Any]) -> None:
    numbers = example["given"]["n"]
    assert [dominoes.up5(n) for n in numbers] == example["then"]["up5"]
    assert [dominoes.near5(n) for n in numbers] == example["then"]["near5"]


@examples("order")
def test_lightest_first(example: dict[str, Any]) -> None:
    assert sorted(example["given"]["tiles"].split(), key=dominoes.weight) == example["then"]["order"].split()


@titled("hand_value")
def test_hand_values(example: dict[str, Any], slug: str) -> None:
    value = import_module(f"games.titles.{slug}").hand_value(tuple(example["given"]["hand"].split()))
    assert value == example["then"][slug]


@titled("round_limit")
def test_round_limit(example: dict[str, Any], slug: str) -> None:
    told, then = example["given"], example["then"]
    title = titles.get(slug)
    scores, carried = list(told["scores"].values()), told.get("bank", 0)
    complete = options.complete(title.OPTIONS, len(scores), {"round_limit": told["round_limit"]})
    hands = {str(seat): list(TILES[7 * seat : 7 * seat + 7]) for seat in range(len(scores))}
    before = {"round": told["hands_played"], "attempt": 0, "leader": 0, "scores": scores, "carried": carried}
    written = {
        "round": told["hands_played"],
        "how": "out",
        "seat": 0,
        "winner": 0,
        "hands": [[] for _ in scores],
        "values": [0 for _ in scores],
        "written": [0 for _ in scores],
        "carried": carried,
        "scores": scores,
        "leader": None,
    }
    position = title.initial(complete)
    for event in (
        Event("match_started", None, {"first_seat": None}),
        Event("dealt", None, before, {**hands, "club": list(TILES[7 * len(scores) :])}),
        Event("round_ended", None, written),
    ):
        position = title.evolve(position, event)
    outcome = title.outcome(position)
    if not then["over"]:
        assert outcome is None
        return
    assert outcome is not None
    assert outcome.reason == "round_limit"
    assert ["AB"[side] for side in outcome.winners] == then["winners"]


def test_the_set() -> None:
    assert len(set(TILES)) == 28
    assert sum(PIPS[tile] for tile in TILES) == 168
    assert all(len(suit) == 7 for suit in dominoes.SUITS)
    assert len({dominoes.weight(tile) for tile in TILES}) == 28


@pytest.mark.parametrize(("seats", "size", "left"), [(2, 7, 14), (3, 7, 7), (4, 7, 0), (3, 6, 10), (4, 5, 8)])
def test_a_deal_gives_whole_hands_seat_by_seat(seats: int, size: int, left: int) -> None:
    order = TILES[::-1]
    hands, boneyard = dominoes.deal(order, seats, size)
    assert len(boneyard) == left
    assert sum(hands, ()) + boneyard == order
    assert {len(hand) for hand in hands} == {size}


@pytest.mark.parametrize("order", [(*TILES[:27], "00"), TILES[:27], (*TILES, "00")])
def test_a_deal_with_a_wrong_set_is_never_played(order: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="28"):
        dominoes.deal(order, 2, 7)


def test_the_smaller_half_of_the_opening_tile_is_left() -> None:
    assert dominoes.ends(dominoes.lay(EMPTY, "25", None, branching=True)) == {"L": 2, "R": 5}


@pytest.mark.parametrize(
    ("placed", "written"),
    [
        ("55 25@R", "55 52"),
        ("55 25@R 35@L 45@U 15@D 44@U", "35 55* 52 / U 54 44 / D 51"),
        ("55 25@L 35@R", "25 55* 53"),
        ("25 55@R 35@R", "25 55* 53"),
        ("25 55@R 35@R 22@L 24@L", "42 22 25 55* 53"),
        ("25 22@L 55@R 24@L", "42 22* 25 55"),
        ("36 66@R 46@R 44@R 14@R 61@U 11@U", "36 66* 64 44 41 / U 61 11"),
    ],
)
def test_the_first_closed_double_becomes_the_hub(placed: str, written: str) -> None:
    assert laid(placed, branching=True) == layout(written)


def test_without_branching_there_is_never_a_hub() -> None:
    assert laid("12 22@R 24@R 44@R 46@R", branching=False) == layout("12 22 24 44 46")


def laid(placed: str, *, branching: bool) -> Layout:
    table = EMPTY
    for move in placed.split():
        placement = dominoes.read_placement(move)
        assert placement is not None
        table = dominoes.lay(table, *placement, branching=branching)
    return table


@pytest.mark.parametrize("written", ["25@R", "52@R"])
def test_a_tile_may_be_typed_either_way_round(written: str) -> None:
    assert dominoes.read_placement(written) == ("25", "R")


@pytest.mark.parametrize(
    "hostile", ["", "2", "25@", "25@X", "25@R ", "25@r", "77", "25@R+33@L", "@R", "٢٥@R", "25@R" * 99]
)
def test_anything_else_is_no_placement(hostile: str) -> None:
    assert dominoes.read_placement(hostile) is None


@given(st.text(max_size=6))
def test_what_reads_as_a_placement_names_a_tile_and_an_end(text: str) -> None:
    placement = dominoes.read_placement(text)
    if placement is not None:
        assert placement[0] in TILES
        assert placement[1] in (None, *dominoes.ENDS)


@pytest.mark.parametrize(
    ("drawable", "taken"),
    [("00 56 36 11", "00 56 36"), ("36", "36"), ("00 56", "00 56"), ("", "")],
)
def test_a_run_of_draws_stops_at_the_first_tile_that_fits(drawable: str, taken: str) -> None:
    assert dominoes.draw_run(tuple(drawable.split()), (1, 3)) == tuple(taken.split())


@pytest.mark.parametrize(
    ("hands", "drawable", "blocked"),
    [(("55",), "", True), (("55", "13"), "", False), (("55",), "66", True), (("55",), "66 23", False)],
)
def test_a_blocked_round(hands: tuple[str, ...], drawable: str, blocked: bool) -> None:
    held = [tuple(hand.split()) for hand in hands]
    assert dominoes.is_blocked((1, 3), held, tuple(drawable.split())) is blocked


def test_the_club_lays_the_heaviest_tile_on_its_first_end() -> None:
    table = dominoes.ends(layout("16 66* 61"))
    legal = dominoes.placements(("11", "14", "26", "01"), table)
    assert dominoes.cautious(legal) == dominoes.cautious(legal[::-1]) == ("26", "U")
    assert dominoes.cautious([("14", "R"), ("14", "L"), ("11", "L")]) == ("14", "L")
    assert dominoes.cautious([("14", None), ("55", None)]) == ("55", None)


@pytest.mark.parametrize(("total", "points"), [(0, 0), (4, 0), (5, 5), (35, 35), (36, 0)])
def test_points_of_a_sum(total: int, points: int) -> None:
    assert dominoes.points(total) == points


def test_clockwise_goes_once_round() -> None:
    assert list(dominoes.clockwise(2, 4)) == [2, 3, 0, 1]


@given(st.randoms(use_true_random=False))
def test_the_facts_that_always_hold(random: Random) -> None:
    """Any play with a hub, to the last tile that fits (domino-common 8)."""
    rest = random.sample(TILES, len(TILES))
    opening = rest.pop()
    table = dominoes.lay(EMPTY, opening, None, branching=True)
    while legal := dominoes.placements(rest, dominoes.ends(table)):
        tile, end = random.choice(sorted(legal))
        before = dominoes.ends(table)
        if dominoes.is_double(tile) and end in "UD":
            assert table.arms["UD".index(end)], "a double never starts an arm"
        table = dominoes.lay(table, tile, end, branching=True)
        rest.remove(tile)
        after = dominoes.ends(table)
        assert len(after) == (4 if table.hub else 2)
        assert dominoes.is_double(tile) == (after[end] == before[end])
        assert_joined(table)
        sums = [dominoes.open_sum(table, count) for count in HUB_COUNTS]
        assert sums == sorted(sums)
        assert 0 <= sums[0] <= sums[-1] <= 36


def assert_joined(table: Layout) -> None:
    """Touching halves are equal, and two doubles never touch."""
    hub = (table.hub,) if table.hub else ()
    for branch in (table.line, *((*hub, *arm) for arm in table.arms)):
        for inner, outer in pairwise(branch):
            assert inner[1] == outer[0]
            assert not (dominoes.is_double(inner) and dominoes.is_double(outer))
