"""What holds for Telefon and All Fives alike, and the situations that went wrong elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.engine import match
from games.engine.contract import Event
from games.engine.match import Absence, Limits, MatchState
from games.titles import allfives, telefon
from tests.titles import test_allfives, test_telefon
from tests.titles.conftest import SeededChance
from tests.titles.fives import CHANCE, Desk, move_worth, winner

DESKS = pytest.mark.parametrize("desk", [test_telefon.DESK, test_allfives.DESK], ids=["telefon", "allfives"])

BOTH = (telefon, allfives)


@DESKS
@pytest.mark.parametrize(
    ("hub_count", "last", "total", "points"),
    [
        ("until_first_side_arm", "16@R", 16, 0),
        ("until_first_side_arm", "06@R", 15, 15),
        ("zero", "16@R", 4, 0),
        ("zero", "06@R", 3, 0),
    ],
)
def test_a_double_counts_both_halves_at_an_end_and_when_it_is_closed(
    desk: Desk, hub_count: str, last: str, total: int, points: int
) -> None:
    hands = {"A": "36 16 06", "B": "66 11"}
    state = desk.position({"hands": hands, "boneyard": "00 55", "hub_count": hub_count})
    (lead,) = desk.play(state, 0, "36")
    assert (lead.payload["sum"], lead.payload["points"]) == (9, 0)
    state = desk.after(state, lead)
    previews = {preview.move: (preview.sum, preview.points) for preview in desk.title.view(state, 1).previews}
    assert previews == {"66@R": (15, 15)}
    (double,) = desk.play(state, 1, "66@R")
    assert (double.payload["sum"], double.payload["points"]) == (15, 15)
    state = desk.after(state, double)
    previews = {preview.move: (preview.sum, preview.points) for preview in desk.title.view(state, 0).previews}
    played, *_ = desk.play(state, 0, last)
    assert (played.payload["sum"], played.payload["points"]) == previews[last] == (total, points)


@DESKS
def test_a_jam_is_counted_after_the_boneyard_is_drawn(desk: Desk) -> None:
    """Every end wants a 2 and all seven lie, but the boneyard is drawn first: in one step, not tile by tile."""
    line = "20 00 05 52 22* 21 11 16 66 62 23 33 35 51 14 40 06 63 34"
    hands = {"A": "45 46", "B": "24 56"}
    state = desk.position({"table": line, "hands": hands, "boneyard": "01 03 13 44 55", "target": 365}, turn=1)
    (played,) = desk.play(state, 1, "24@R")
    state = desk.after(state, played)
    assert desk.title.forced_move(state, 0) == "draw"
    drew, ended, dealt = desk.play(state, 0, "draw")
    assert drew.payload == {"count": 5, "boneyard": 0}
    assert (ended.payload["how"], ended.payload["seat"], ended.payload["winner"]) == ("blocked", 1, 1)
    assert (ended.payload["values"], ended.payload["written"]) == ([45, 11], [0, 45])
    assert dealt.payload == {"round": 3, "attempt": 0, "leader": 1, "scores": [0, 45], "carried": 0}


OUT = {"players": 4, "teams": False, "hands": {"A": "12", "B": "56", "C": "66", "D": "44 01"}, "table": "46"}


@DESKS
@pytest.mark.parametrize("bots", [{2}, set()])
def test_going_out_counts_every_other_hand_whoever_plays_it(desk: Desk, bots: set[int]) -> None:
    """C has left and a bot plays on; or C has lapsed and is one lapse from leaving."""
    position = desk.position({**OUT, "opened": "D"}, turn=1)
    absences = (Absence(), Absence(), Absence(1, 2), Absence())
    left = frozenset(bots)
    state = MatchState(desk.title, desk.options(OUT), position, absences, left, left)
    step = match.step(state, 1, "56@R", CHANCE)
    _, ended, dealt = step.events
    assert (ended.payload["how"], ended.payload["values"]) == ("out", [3, 0, 12, 9])
    assert (ended.payload["written"], dealt.payload["leader"]) == ([0, 25, 0, 0], 0)
    assert desk.refused(step.state.position, 3, "44@R")
    assert match.lapse(step.state, 0, CHANCE, Limits(), counts=True).events[1].kind == "played"


@DESKS
def test_in_teams_only_the_hands_of_the_opponents_count(desk: Desk) -> None:
    state = desk.position({**OUT, "teams": True}, turn=1)
    _, ended, _ = desk.play(state, 1, "56@R")
    assert ended.payload["written"] == [0, 15]


@DESKS
@pytest.mark.parametrize("points", [5, 10])
def test_a_move_to_the_target_or_beyond_wins_at_once(desk: Desk, points: int) -> None:
    """Nothing is cut off, nothing is added, and the others get no further turn."""
    table, move = move_worth(desk, points)
    given = {"table": table, "hands": {"A": f"{move[:2]} 66", "B": "55 44"}, "boneyard": "00"}
    state = desk.position({**given, "target": 365, "scores": {"A": 360, "B": 350}})
    played, ended = events = desk.play(state, 0, move)
    assert played.payload["scores"] == ended.payload["scores"] == [360 + points, 350]
    payload = ended.payload
    assert (payload["how"], payload["seat"], payload["winner"], payload["written"]) == ("target", 0, 0, [0, 0])
    state = desk.after(state, *events)
    assert (winner(desk, state), desk.title.to_act(state)) == ("A", frozenset())
    assert desk.told(ended)[0] == "Target reached: side 0."
    assert desk.why(state, ended) == [
        f"side 0: {360 + points}, and the match goes to 365. It ends at once, without a bonus."
    ]


def after_hand(desk: Desk, scores: dict[str, int], **given: Any) -> tuple[Event, Any]:
    """The end of a round in which B goes out and writes 15 for the hand of A."""
    start = {"match_end": "after_hand", "hands": {"A": "66 01", "B": "56"}, "table": "46", "scores": scores, **given}
    state = desk.position(start, turn=1)
    _, ended, *_ = events = desk.play(state, 1, "56@R")
    return ended, desk.after(state, *events)


@DESKS
def test_after_the_hand_the_highest_score_at_the_target_wins(desk: Desk) -> None:
    ended, state = after_hand(desk, {"A": 105, "B": 95})
    outcome = desk.title.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.scores, outcome.reason) == ((1,), (2, 1), (105, 110), "target")
    assert (ended.payload["how"], ended.payload["leader"]) == ("out", None)


@DESKS
def test_after_the_hand_a_move_to_the_target_does_not_end_the_round(desk: Desk) -> None:
    table, move = move_worth(desk, 10)
    hands = {"A": f"{move[:2]} 66", "B": "55 44"}
    state = desk.position(
        {"table": table, "hands": hands, "scores": {"A": 90}, "match_end": "after_hand", "boneyard": "00"}
    )
    (played,) = desk.play(state, 0, move)
    state = desk.after(state, played)
    assert (desk.title.outcome(state), desk.table(state).reached) == (None, (0,))


@DESKS
def test_of_equal_scores_after_the_hand_the_first_at_the_target_wins(desk: Desk) -> None:
    """A comes to 100 by a move, B to 100 by the bonus for the round that A then blocks with more pips in the hand."""
    line = "51 12 25 55* 54 40 06 63 35 50 01 16"
    given = {"table": line, "hands": {"A": "56 66", "B": "22"}, "match_end": "after_hand", "scores": {"A": 80, "B": 90}}
    state = desk.position(given)
    played, ended = events = desk.play(state, 0, "56@R")
    assert (played.payload["scores"], ended.payload["scores"]) == ([100, 90], [100, 100])
    outcome = desk.title.outcome(desk.after(state, *events))
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.reason) == ((0,), (1, 2), "target")
    assert desk.why(desk.after(state, played), ended) == [
        "12, to the nearest multiple of five: 10.",
        "Equal scores. First at 100: side 0.",
    ]


@DESKS
def test_a_round_limit_shares_the_win_of_equal_scores(desk: Desk) -> None:
    ended, state = after_hand(desk, {"A": 30, "B": 15}, round_limit=1, round=1)
    outcome = desk.title.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.reason) == ((0, 1), (1, 1), "round_limit")
    assert ended.payload["leader"] is None
    assert desk.title.outcome(after_hand(desk, {"A": 30, "B": 15}, round_limit=3, round=2)[1]) is None


@DESKS
def test_the_target_is_named_before_the_round_limit(desk: Desk) -> None:
    outcome = desk.title.outcome(after_hand(desk, {"B": 85}, round_limit=1, round=1)[1])
    assert outcome is not None
    assert outcome.reason == "target"


@DESKS
def test_the_bonus_is_explained(desk: Desk) -> None:
    state = desk.position({**OUT, "hands": {"A": "56", "B": "", "C": "56", "D": "00"}})
    assert desk.why(state, desk.ended(state, "out", 1)) == ["11 + 11 + 0 = 22, to the nearest multiple of five: 20."]
    ended, after = after_hand(desk, {})
    assert desk.told(ended) == [
        "B: last tile.",
        "A: left in the hand 01 66, worth 13.",
        "side 1: plus 15. Total 15.",
    ]
    assert desk.why(after, ended) == ["A: 1 + 12 (66) = 13.", "13, to the nearest multiple of five: 15."]


@DESKS
def test_a_blocked_round_is_explained_side_by_side(desk: Desk) -> None:
    hands = {"A": "46", "B": "45", "C": "56", "D": "11"}
    state = desk.position({"players": 4, "teams": True, "hands": hands})
    assert desk.why(state, desk.ended(state, "blocked", 3)) == [
        "side 0: 10 + 11 = 21.",
        "side 1: 9 + 2 = 11.",
        "10 + 11 = 21, to the nearest multiple of five: 20.",
    ]


@DESKS
def test_a_blocked_round_with_the_fewest_shared_writes_nothing(desk: Desk) -> None:
    state = desk.position({"players": 3, "hands": {"A": "46", "B": "55", "C": "66"}})
    ended = desk.ended(state, "blocked", 1)
    assert (ended.payload["winner"], ended.payload["written"], ended.payload["leader"]) == (None, [0, 0, 0], 1)
    assert desk.told(ended)[0] == "Blocked. Fewest shared. Nobody scores."
    assert desk.why(state, ended) == ["The fewest pips are shared, so nobody scores."]


SPINNER = "06 66* 63"


@DESKS
@pytest.mark.parametrize(
    ("hub_count", "table", "move", "why"),
    [
        (
            "until_first_side_arm",
            "66 63",
            "06@L",
            [
                "0 + 3 + 12 (66) = 15, a multiple of five.",
                "66 is closed first: from now on ends 3 and 4 are open too.",
                "Closed, but it counts until a side arm starts: 66.",
            ],
        ),
        (
            "zero",
            "66 63",
            "06@L",
            [
                "0 + 3 = 3, not a multiple of five.",
                "66 is closed first: from now on ends 3 and 4 are open too.",
                "Closed, so it counts nothing: 66.",
            ],
        ),
        (
            "until_first_side_arm",
            SPINNER,
            "26@U",
            ["0 + 3 + 2 = 5, a multiple of five.", "A side arm has started, so it counts no more: 66."],
        ),
        (
            "until_both_side_arms",
            SPINNER,
            "26@U",
            [
                "0 + 3 + 2 + 12 (66) = 17, not a multiple of five.",
                "Closed, but it counts until both side arms start: 66.",
            ],
        ),
        (
            "until_both_side_arms",
            f"{SPINNER} / U 62",
            "56@D",
            ["0 + 3 + 2 + 5 = 10, a multiple of five.", "Both side arms have started, so it counts no more: 66."],
        ),
        ("zero", SPINNER, "26@U", ["0 + 3 + 2 = 5, a multiple of five."]),
        ("until_first_side_arm", f"{SPINNER} / U 62", "56@D", ["0 + 3 + 2 + 5 = 10, a multiple of five."]),
        ("zero", "05 51 10", "00@R", ["0 + 0 (00) = 0: zero scores nothing."]),
    ],
)
def test_what_a_spinner_counts_is_explained(desk: Desk, hub_count: str, table: str, move: str, why: list[str]) -> None:
    given = {"table": table, "hub_count": hub_count, "hands": {"A": f"{move[:2]} 11", "B": "44"}, "boneyard": "34"}
    state = desk.position(given)
    played, *_ = desk.play(state, 0, move)
    assert desk.why(state, played) == why


@DESKS
def test_what_is_not_counted_is_not_explained(desk: Desk) -> None:
    state = desk.position({"table": "12", "hands": {"A": "36", "B": "16"}, "boneyard": "45 46"})
    (drew, *_) = desk.play(state, 0, "draw")
    assert desk.why(state, drew) == desk.why(state, Event("passed", 0)) == []
    assert desk.told(Event("bot_seated", 0, {"seat": 0})) == []


@DESKS
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_seats_open_in_turn_through_a_match(desk: Desk, players: int) -> None:
    chance, options = SeededChance("turn"), desk.options({"players": players, "target": 365})
    step = match.begin(desk.title, options, chance)
    openers, bots = [], frozenset(range(players))
    while step.state.outcome is None:
        for event in step.events:
            if event.kind == "dealt":
                (first,) = desk.title.to_act(desk.after(desk.title.initial(options), event))
                openers.append(first)
        acting = match.automatic(replace(step.state, bots=bots))
        assert acting is not None
        step = match.step(step.state, acting.seat, acting.move, chance, acting.by)
    assert len(openers) > 3
    assert openers == [(openers[0] + number) % players for number in range(len(openers))]


@DESKS
def test_the_bot_beats_moves_at_random(desk: Desk) -> None:
    assert sum(bot_against_random(desk, seed) for seed in range(30)) > 20


def bot_against_random(desk: Desk, seed: int) -> bool:
    """Whether the bot in seat A wins a match; B takes the legal moves in an order of chance."""
    title, chance, options = desk.title, SeededChance(seed), desk.options({})
    state, number = desk.after(title.initial(options), *title.setup(options, chance)), 0
    while acting := title.to_act(state):
        (seat,) = acting
        moves = title.legal_moves(state, seat)
        number += 1
        chosen = title.bot(title.view(state, 0), moves) if seat == 0 else moves[chance.lot(number, len(moves))]
        state = desk.after(state, *title.decide(state, seat, chosen, chance))
    return winner(desk, state) == "A"


@pytest.mark.parametrize("title", BOTH)
def test_a_hand_is_worth_its_pips(title: Any) -> None:
    assert [title.hand_value(tuple(held.split())) for held in ("00 12", "00", "00 66", "66")] == [3, 0, 12, 12]
