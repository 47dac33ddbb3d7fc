"""A thousand matches of each title at each seat count, checked by a reader that knows the rules pages alone."""

from __future__ import annotations

import json

import pytest

from games import titles
from games.engine import chance
from games.engine.options import complete
from games.selfplay import BOT, RANDOM, Plan, play_match, records
from tests import records as reader

MATCHES = 1000

CELLS = [(slug, seats) for slug in titles.slugs() for seats in titles.get(slug).SEATS]


def plans(slug: str, seats: int, seed: int) -> list[tuple[Plan, int]]:
    """All settings of each option in turn, beside the default ones, which get half of the matches."""
    title = titles.get(slug)
    others = [
        {option.name: choice.value}
        for option in title.OPTIONS
        if seats in option.seats
        for choice in option.choices
        if choice.value != option.default
    ]
    share = MATCHES // 2 // max(1, len(others))
    varied = [(Plan(slug, complete(title.OPTIONS, seats, given), seed, RANDOM, True), share) for given in others]
    rest = MATCHES - share * len(others)
    standard = complete(title.OPTIONS, seats, {})
    return [(Plan(slug, standard, seed, RANDOM, True), rest - 20), (Plan(slug, standard, seed, BOT, True), 20), *varied]


def checked(slug: str, seats: int, seed: int) -> int:
    """How many matches were played and found right."""
    lines = (line for plan, matches in plans(slug, seats, seed) for line in records(plan, matches))
    return sum(reader.check(json.loads(line)) is None for line in lines)


@pytest.mark.parametrize(("slug", "seats"), CELLS)
def test_every_match_passes_every_fact(slug, seats):
    assert checked(slug, seats, seed=1) == MATCHES


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize(("slug", "seats"), CELLS)
def test_every_one_of_many_more_matches_passes_every_fact(slug, seats, seed):
    assert checked(slug, seats, seed) == MATCHES


@pytest.mark.parametrize(("slug", "seats"), CELLS)
def test_the_deal_and_the_dice_are_those_of_the_chain(slug, seats):
    plan = Plan(slug, complete(titles.get(slug).OPTIONS, seats, {}), seed=3)
    record = json.loads(play_match(plan, 0))
    fairness = record["fairness"]
    mid = bytes.fromhex(record["match"].replace("-", ""))
    root = bytes.fromhex(fairness["reveal"]["key"])
    assert fairness["reveal"]["epoch"] == fairness["length"]
    assert chance.descend(mid, fairness["length"], root).hex() == fairness["commitment"]
    lines = [text.encode() for text in (*fairness["setup"], *fairness["log"])]
    assert [*chance.digests(mid, lines)][-1].hex() == fairness["head"]


def test_the_same_seed_gives_the_same_matches_however_many_processes_play():
    plan = Plan("thousand", complete(titles.get("thousand").OPTIONS, 2, {}), seed=5)
    assert [*records(plan, 6)] == [*records(plan, 6, processes=2)]


def test_the_reader_finds_a_wrong_fact():
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
