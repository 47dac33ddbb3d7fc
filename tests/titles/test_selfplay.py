"""Whole matches of every title, seat count, team setting and option value, checked twice.

A reader that knows the rules pages alone checks each record (tests/records), and the rules replay it from its facts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

from games import titles
from games.engine import chance
from games.engine.contract import Json, Title
from games.engine.options import complete, needs_live
from games.replay import replay
from games.selfplay import BOT, LIVE_START, RANDOM, Plan, play_match, records
from tests import records as reader

SHORT = 8
"""Matches of each cell in the normal run."""

LONG = 500


class Cell(NamedTuple):
    """One table: a title, its seats, and the options that differ from the usual ones."""

    slug: str
    seats: int
    given: tuple[tuple[str, Json], ...] = ()

    def plan(self, seed: int, policy: str = RANDOM) -> Plan:
        options = complete(titles.get(self.slug).OPTIONS, self.seats, dict(self.given), live=True)
        return Plan(self.slug, options, seed, policy, legal=True)

    def __str__(self) -> str:
        return "-".join([self.slug, str(self.seats), *(f"{name}={value}" for name, value in self.given)])


def cells(slug: str, seats: int) -> list[Cell]:
    """The team settings, each with the usual options and with every other value of each."""
    title = titles.get(slug)
    teams = others(title, seats, "teams")
    rest = {option.name for option in title.OPTIONS} - {"teams"}
    changed = [(), *(other for name in sorted(rest) for other in others(title, seats, name))]
    return [Cell(slug, seats, team + other) for team, other in product([(), *teams], changed)]


def others(title: Title, seats: int, name: str) -> list[tuple[tuple[str, Json]]]:
    return [
        ((name, choice.value),)
        for option in title.OPTIONS
        if option.name == name and seats in option.seats
        for choice in option.choices
        if choice.value != option.default
    ]


TABLES = [(slug, seats) for slug in titles.slugs() for seats in titles.get(slug).SEATS]


def check(plan: Plan, matches: int) -> Iterator[dict[str, Any]]:
    """The records of matches that both find right."""
    for line in records(plan, matches):
        record = json.loads(line)
        reader.check(record)
        assert replay(record) == len(record["events"])
        yield record


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_every_match_is_right_to_the_last_fact(slug: str, seats: int) -> None:
    for cell in cells(slug, seats):
        assert len([*check(cell.plan(seed=1), SHORT)]) == SHORT, cell
    assert len([*check(Cell(slug, seats).plan(seed=1, policy=BOT), SHORT)]) == SHORT


@pytest.mark.long
@pytest.mark.parametrize("cell", [cell for table in TABLES for cell in cells(*table)], ids=str)
def test_every_one_of_many_more_matches_is_right_to_the_last_fact(cell: Cell) -> None:
    assert len([*check(cell.plan(seed=2), LONG)]) == LONG


LIVE = [
    cell
    for table in TABLES
    for cell in cells(*table)
    if needs_live(titles.get(cell.slug).OPTIONS, cell.plan(1).options) and len(cell.given) == 1
]


@pytest.mark.parametrize("cell", LIVE, ids=str)
def test_a_live_match_has_a_clock(cell: Cell) -> None:
    for record in check(cell.plan(seed=4), 3):
        assert record["pace"] == "live"
        times = [event["at"] for event in record["events"]]
        assert times == sorted(times)
        assert times[0] == LIVE_START.strftime("%Y-%m-%dT%H:%M:%SZ")
        assert len({*times}) > 10


@pytest.mark.parametrize("seats", titles.get("allfives").SEATS)
def test_points_that_wait_are_claimed_by_their_owner_by_others_or_burnt(seats: int) -> None:
    ends: Counter[str] = Counter()
    for record in check(Cell("allfives", seats, (("muggins", "strict"),)).plan(seed=6), 20):
        owner = None
        for event, after in zip(record["events"], record["events"][1:], strict=False):
            if event["kind"] == "played":
                owner = event["seat"]
            elif event["kind"] == "claimed":
                ends["owner" if event["seat"] == owner else "other"] += 1
            elif event["kind"] == "burnt":
                ends["by a move" if (after["kind"], after["at"]) == ("played", event["at"]) else "by the clock"] += 1
    assert set(ends) == {"owner", "other", "by a move", "by the clock"}
    assert min(ends.values()) > 10


def test_a_day_match_has_no_times() -> None:
    record = json.loads(play_match(Cell("allfives", 2).plan(seed=4), 0))
    assert record["pace"] == "day"
    assert {event["at"] for event in record["events"]} == {None}


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_the_deal_and_the_dice_are_those_of_the_chain(slug: str, seats: int) -> None:
    record = json.loads(play_match(Cell(slug, seats).plan(seed=3), 0))
    fairness = record["fairness"]
    mid = bytes.fromhex(record["match"].replace("-", ""))
    root = bytes.fromhex(fairness["reveal"]["key"])
    assert fairness["reveal"]["epoch"] == fairness["length"]
    assert chance.descend(mid, fairness["length"], root).hex() == fairness["commitment"]
    lines = [text.encode() for text in (*fairness["setup"], *fairness["log"])]
    assert [*chance.digests(mid, lines)][-1].hex() == fairness["head"]


def test_a_match_beyond_its_chain_is_voided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "LENGTH", 3)
    (record,) = check(Cell("thousand", 2).plan(seed=1), 1)
    assert [event["kind"] for event in record["events"]][-2:] == ["voided", "match_ended"]
    assert record["outcome"]["reason"] == "voided"


def test_the_same_seed_gives_the_same_matches_however_many_processes_play() -> None:
    plan = Cell("thousand", 2).plan(seed=5)
    alone = [*records(plan, 40)]
    assert alone == [*records(plan, 40, processes=2)] == [*records(plan, 40, processes=3)]
    assert len({*alone}) == 40


def test_the_reader_finds_a_wrong_fact() -> None:
    plan = Plan("kozel", complete(titles.get("kozel").OPTIONS, 2, {}), seed=5, legal=True)
    for kind, key, value in (
        ("round_ended", "written", [0, 1]),
        ("played", "ends", {"L": 9, "R": 9}),
        ("dealt", "carried", 4),
        ("drew", "count", 0),
    ):
        record = json.loads(play_match(plan, 0))
        event = next(event for event in record["events"] if event["kind"] == kind)
        event["payload"][key] = value
        with pytest.raises(AssertionError):
            reader.check(record)
