"""Positions as they are written, and what counts in them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
import yaml

from games.engine import dominoes
from games.engine.counting import parts, why_hub
from games.engine.dominoes import EMPTY, PIPS, TILES, HubCount, Layout, ends, lay, open_sum, placements
from games.engine.notation import layout

EXAMPLES = yaml.safe_load((Path(dominoes.__file__).parent / "examples" / "dominoes.yaml").read_text("utf-8"))
COUNTED = [example for example in EXAMPLES if example["check"] == "count"]
HUB_COUNTS: tuple[HubCount, ...] = get_args(HubCount)


def write(laid: Layout) -> str:
    line = " ".join(f"{tile}*" if tile == laid.hub else tile for tile in laid.line)
    arms = [f" / {name} {' '.join(arm)}" for name, arm in zip("UD", laid.arms, strict=True) if arm]
    return line + "".join(arms)


def played(seed: int, *, branching: bool) -> Layout:
    """A layout of some tiles, each of them laid legally."""
    random = Random(seed)
    left = list(TILES)
    random.shuffle(left)
    laid = lay(EMPTY, left.pop(), None, branching=branching)
    for _ in range(random.randrange(27)):
        legal = sorted(placements(left, ends(laid)))
        if not legal:
            break
        tile, end = random.choice(legal)
        left.remove(tile)
        laid = lay(laid, tile, end, branching=branching)
    return laid


@pytest.mark.parametrize("branching", [True, False])
def test_whatever_was_played_can_be_written_and_read(branching: bool) -> None:
    for seed in range(500):
        laid = played(seed, branching=branching)
        assert layout(write(laid), branching=branching) == laid


@pytest.mark.parametrize("example", COUNTED, ids=[example["id"] for example in COUNTED])
def test_the_examples_can_be_read_and_counted(example: dict[str, Any]) -> None:
    laid = layout(example["given"]["table"])
    counted = parts(laid, example["given"].get("hub_count", "zero"))
    assert sum(part.count for part in counted) == example["then"]["sum"]
    assert ends(laid) == example["then"].get("ends", ends(laid))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a position"),
        ("3", "not a position"),
        ("37", "not a position"),
        ("3 5", "not a position"),
        ("35  52", "not a position"),
        (" 35", "not a position"),
        ("35 55* 52/U 54", "not a position"),
        ("35 55* 52 / D 51 / U 54", "not a position"),
        ("35 55* 52 / U 54 / U 51", "not a position"),
        ("35 55* 52 / L 54", "not a position"),
        ("35 55* 52 / U 55*", "not a position"),
        ("٣٥", "not a position"),
        ("35 52 / U 54", "does not fit end U"),
        ("35 25", "does not fit end R"),
        ("36 55* 52", "does not fit end L"),
        ("35 55* 52 / U 45", "does not fit end U"),
        ("35 55* 52 / D 51 21", "does not fit end D"),
        ("35 55* 52 / U 53", "lies there twice"),
        ("25 55* 52", "lies there twice"),
        ("35 55* 52 22* 26", "two hubs"),
        ("55* 52", "the hub is None"),
        ("35 55*", "the hub is None"),
        ("35 52* 26", "the hub is None"),
        ("35 55 52", "the hub is 55"),
        ("35 55 52 / U 54", "the hub is 55"),
    ],
)
def test_what_cannot_lie_there_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        layout(text)


def test_without_branching_there_is_no_hub() -> None:
    assert layout("35 55 52", branching=False).hub is None
    for text in ("35 55* 52", "35 55 52 / U 54"):
        with pytest.raises(ValueError, match=r"the hub is None|does not fit end U"):
            layout(text, branching=False)


def test_parts_are_the_open_sum_and_only_doubles_count_twice() -> None:
    for seed in range(500):
        laid = played(seed, branching=True)
        for hub_count in HUB_COUNTS:
            counted = parts(laid, hub_count)
            assert sum(part.count for part in counted) == open_sum(laid, hub_count)
            for part in counted:
                wanted = PIPS[part.tile] if part.tile[0] == part.tile[1] else ends(laid)[part.end or ""]
                assert part.count == wanted


def test_nothing_counts_on_an_empty_table() -> None:
    assert parts(EMPTY, "zero") == ()


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("35 55* 52", ["so it counts nothing", "until a side arm starts", "until both side arms start"]),
        ("35 55* 52 / D 54", ["so it counts nothing", "A side arm has started", "until both side arms start"]),
        ("35 55* 52 / U 51 / D 54", ["so it counts nothing", "A side arm has started", "Both side arms have started"]),
        ("20 00* 03", ["so it counts nothing", "until a side arm starts", "until both side arms start"]),
    ],
)
def test_whether_the_hub_counts_has_a_reason(table: str, told: list[str]) -> None:
    for hub_count, words in zip(HUB_COUNTS, told, strict=True):
        why = why_hub(layout(table), hub_count)
        assert why
        assert words in why.text
        assert why_hub(layout("55 52"), hub_count) is None
