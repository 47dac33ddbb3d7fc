"""Telefon: every worked example of the rules page, and what is Telefon's alone."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import match
from games.engine.contract import Event, Title
from games.engine.match import Absence, Limits, MatchState
from games.titles import telefon
from games.titles.telefon import rules
from tests.titles import fives
from tests.titles.fives import CHANCE, Desk

# The type checker reads here that the module offers all a title must.
TITLE: Title = telefon

DESK = Desk(telefon, rules.GAME, lambda table: table, lambda state: state)

EXAMPLES = fives.read_examples(telefon, "telefon.yaml")


def test_the_examples_are_all_there() -> None:
    assert [example["id"] for example in EXAMPLES] == [f"T-{number:02}" for number in range(1, 35)]


@fives.of_check(EXAMPLES, "opener")
def test_who_opens_the_first_round(example: dict[str, Any]) -> None:
    fives.check_opener(DESK, example)


@fives.of_check(EXAMPLES, "move")
def test_what_a_move_makes(example: dict[str, Any]) -> None:
    fives.check_move(DESK, example)


@fives.of_check(EXAMPLES, "turn")
def test_drawing_and_passing(example: dict[str, Any]) -> None:
    fives.check_turn(DESK, example)


@fives.of_check(EXAMPLES, "blocked")
def test_blocked(example: dict[str, Any]) -> None:
    fives.check_blocked(DESK, example)


@fives.of_check(EXAMPLES, "hand_end")
def test_counting_a_round(example: dict[str, Any]) -> None:
    fives.check_hand_end(DESK, example)


@fives.of_check(EXAMPLES, "rotation")
def test_the_lead_goes_round(example: dict[str, Any]) -> None:
    fives.check_rotation(DESK, example)


def test_the_options_are_those_of_the_page_in_its_order() -> None:
    assert list(DESK.options({"players": 4})) == [
        "players",
        "teams",
        "target",
        "hub_count",
        "match_end",
        "round_limit",
    ]


@pytest.mark.parametrize(
    ("tile", "points", "why"),
    [
        ("55", 10, ["10 (55) = 10, a multiple of five."]),
        ("46", 0, ["4 + 6 = 10, a multiple of five.", "An opening tile scores only if it is 55."]),
        ("12", 0, ["1 + 2 = 3, not a multiple of five.", "An opening tile scores only if it is 55."]),
        ("00", 0, ["0 (00) = 0: zero scores nothing.", "An opening tile scores only if it is 55."]),
    ],
)
def test_why_an_opening_tile_scores_or_not(tile: str, points: int, why: list[str]) -> None:
    state = DESK.position({"hands": {"A": f"{tile} 03", "B": "16"}, "boneyard": "34"})
    (played,) = DESK.play(state, 0, tile)
    assert (played.payload["points"], DESK.why(state, played)) == (points, why)


def test_the_preview_of_an_opening_knows_that_it_does_not_score() -> None:
    seen = telefon.view(DESK.position({"hands": {"A": "46 55", "B": "16"}}), 0)
    assert [(preview.move, preview.sum, preview.points) for preview in seen.previews] == [("46", 10, 0), ("55", 10, 10)]


# Partners, a lapse, a restart: the sides stay what they are.

BEFORE = "23 33 36 66 62 22* 25 55 53 30 00 04 44 43 31 10 06 61"
HANDS = {"A": "24 46", "B": "15 14 45", "C": "05 56", "D": "02 11 12"}


def partners() -> MatchState:
    """A round of two against two that A has opened; B is to act."""
    given = {"players": 4, "teams": True, "target": 365, "opened": "A", "table": BEFORE, "hands": HANDS}
    return MatchState(telefon, DESK.options(given), DESK.position(given, turn=1), (Absence(),) * 4)


def moved(state: MatchState, *moves: tuple[int, str]) -> tuple[MatchState, list[Event]]:
    told: list[Event] = []
    for seat, move in moves:
        state, events = match.step(state, seat, move, CHANCE)
        told += events
    return state, told


def test_partners_stay_partners_when_a_turn_lapses_and_the_match_is_read_again() -> None:
    start = partners()
    state, lapse = match.lapse(start, 1, CHANCE, Limits(), counts=True)
    assert [event.kind for event in lapse] == ["lapsed", "played"]
    assert lapse[1].payload["tiles"] == [["15", "R"]]
    state, told = moved(state, (2, "05@R"), (3, "02@R"), (0, "24@R"), (1, "14@R"))
    assert match.automatic(state) == (2, "pass", "forced")
    again = match.fold(start, [*lapse, *told])
    assert again == state
    state, told = moved(again, (2, "pass"), (3, "12@R"))
    *_, ended, dealt = told
    assert (ended.payload["how"], ended.payload["seat"], ended.payload["winner"]) == ("blocked", 3, 1)
    assert (ended.payload["values"], ended.payload["written"]) == ([10, 9, 11, 2], [0, 20])
    assert dealt.payload["leader"] == 1
    assert state.sides() == ((0, 2), (1, 3))


def test_a_partner_who_resigns_leaves_a_bot_and_a_match() -> None:
    state, told = match.leave(partners(), 1, match.RESIGNED)
    assert [event.kind for event in told] == ["resigned", "bot_seated"]
    assert match.automatic(state).by == "bot"
    state, told = match.leave(state, 3, match.RESIGNED)
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.reason) == ((0,), "resigned")
