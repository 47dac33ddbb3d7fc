"""All Fives: every worked example of the rules page, and strict Muggins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.engine import match
from games.engine.contract import Event, IllegalMove, Title, Window
from games.engine.match import Absence, MatchState
from games.engine.options import BadOption, complete
from games.titles import allfives
from games.titles.allfives import rules
from games.titles.allfives.muggins import Claim, State
from tests.titles import fives
from tests.titles.fives import CHANCE, Desk

# The type checker reads here that the module offers all a title must.
TITLE: Title = allfives

DESK = Desk(allfives, rules.GAME, State, lambda state: state.table)

EXAMPLES = fives.read_examples(allfives, "allfives.yaml")

STRICT = {"muggins": "strict"}


def test_the_examples_are_all_there() -> None:
    assert [example["id"] for example in EXAMPLES] == [f"M-{number:02}" for number in range(1, 43)]


@fives.of_check(EXAMPLES, "deal")
def test_the_deal(example: dict[str, Any]) -> None:
    fives.check_deal(DESK, example)


@fives.of_check(EXAMPLES, "opener")
def test_who_opens_the_first_round(example: dict[str, Any]) -> None:
    fives.check_opener(DESK, example)


@fives.of_check(EXAMPLES, "move")
def test_what_a_move_makes(example: dict[str, Any]) -> None:
    fives.check_move(DESK, example)


@fives.of_check(EXAMPLES, "count")
def test_what_counts(example: dict[str, Any]) -> None:
    fives.check_count(DESK, example)


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


@fives.of_check(EXAMPLES, "muggins")
def test_who_gets_the_points(example: dict[str, Any]) -> None:
    """A makes the points of the example; a press comes so many seconds after that move."""
    given, then = example["given"], example["then"]
    seats = {"mover": 0, "opponent": 1}
    state, told = as_match(fifteen(**{key: given[key] for key in ("muggins", "claim_seconds") if key in given}))
    assert told[0].payload["sum"] == given["points"]
    for press in given["presses"]:
        state, told = pressed(state, seats[press["by"]], press["at"], told)
    if match.window(state) is not None:
        step = match.unclaimed(state, CHANCE)
        state, told = step.state, [*told, *step.events]
    assert state.scores() == (then.get("mover", 0), then.get("opponent", 0))
    assert [event.payload["points"] for event in told if event.kind == "burnt"] == (
        [then["burnt"]] if "burnt" in then else []
    )


def pressed(state: MatchState, seat: int, waited: float, told: list[Event]) -> tuple[MatchState, list[Event]]:
    """The match after a press, which does nothing where it is refused."""
    try:
        step = match.step(state, seat, "claim", CHANCE, waited=waited)
    except IllegalMove:
        return state, told
    assert match.may_act(state, seat, "claim", waited)
    return step.state, [*told, *step.events]


def as_match(state: State) -> tuple[MatchState, list[Event]]:
    """A match in which A has just made points: 6/6 lay there, and 6/3 is laid."""
    options = {"players": state.table.round.options.players, "teams": state.table.round.options.teams}
    step = match.step(MatchState(allfives, options, state, (Absence(),) * options["players"]), 0, "36@R", CHANCE)
    return step.state, list(step.events)


HANDS = {"A": "36 12", "B": "06 11 55", "C": "35 22", "D": "33 44"}


def fifteen(players: int = 2, hands: dict[str, str] | None = None, **given: Any) -> State:
    """A is to lay 6/3 on 6/6, which makes 15."""
    held = {name: (hands or HANDS)[name] for name in "ABCD"[:players]}
    return DESK.position({"players": players, "table": "66", "hands": held, "boneyard": "00 34", **given})


def waiting(players: int = 2, hands: dict[str, str] | None = None, **given: Any) -> State:
    """A has made 15 points, which wait to be claimed."""
    state = fifteen(players, hands, **STRICT, **given)
    (played,) = DESK.play(state, 0, "36@R")
    assert (played.payload["sum"], played.payload["points"]) == (15, 0)
    assert played.payload["scores"] == list(allfives.scores(state))
    state = DESK.after(state, played)
    assert state.claim == Claim(owner=0, points=15)
    return state


# Options


def test_the_options_are_those_of_the_page_in_its_order() -> None:
    assert list(DESK.options({"players": 4})) == [
        "players",
        "teams",
        "target",
        "hub_count",
        "first_lead",
        "muggins",
        "claim_seconds",
        "match_end",
        "round_limit",
    ]


@pytest.mark.parametrize("given", [{"muggins": "strict"}, {"claim_seconds": 3}, {"claim_seconds": 10}])
def test_claims_are_for_live_tables(given: dict[str, Any]) -> None:
    assert complete(allfives.OPTIONS, 2, given, live=True).items() >= given.items()
    with pytest.raises(BadOption):
        complete(allfives.OPTIONS, 2, given)


def test_who_holds_the_heaviest_double_may_lead_any_tile_where_that_is_free() -> None:
    options = DESK.options({"first_lead": "free"})
    state = DESK.after(allfives.initial(options), *allfives.setup(options, CHANCE))
    (leader,) = allfives.to_act(state)
    doubles = {tile: seat for seat, hand in enumerate(state.table.hands) for tile in hand if tile[0] == tile[1]}
    assert leader == doubles[max(doubles)]
    assert allfives.legal_moves(state, leader) == tuple(sorted(state.table.hands[leader]))
    assert allfives.forced_move(state, leader) is None
    forced = DESK.options({})
    state = DESK.after(allfives.initial(forced), *allfives.setup(forced, CHANCE))
    assert allfives.legal_moves(state, leader) == (allfives.forced_move(state, leader),) == (max(doubles),)


# While points wait


def test_the_mover_and_every_opponent_may_act_while_points_wait() -> None:
    assert allfives.to_act(waiting(3)) == {0, 1, 2}
    assert allfives.window(waiting(3, claim_seconds=10)) == Window(0, 10, frozenset({0}), frozenset({1, 2}))
    assert allfives.legal_moves(waiting(3), 0) == allfives.legal_moves(waiting(3), 2) == ("claim",)
    assert allfives.legal_moves(waiting(3), 1) == ("06@L", "claim")


def test_points_written_at_once_open_no_window() -> None:
    state = DESK.played(fifteen(), (0, "36@R"))
    assert (state.claim, allfives.window(state), allfives.scores(state)) == (None, None, (15, 0))
    assert DESK.refused(state, 1, "claim") == "There is no such move in this game."


def test_a_move_without_points_opens_no_window_and_nothing_can_be_claimed() -> None:
    state = DESK.played(DESK.position({"table": "66", "hands": {"A": "26 12", "B": "06 11"}, **STRICT}), (0, "26@R"))
    assert (state.claim, allfives.window(state), allfives.to_act(state)) == (None, None, {1})
    for seat in (0, 1):
        assert DESK.refused(state, seat, "claim") == "There are no points to claim."


@pytest.mark.parametrize(("seat", "scores"), [(0, (15, 0, 0)), (1, (0, 15, 0)), (2, (0, 0, 15))])
def test_who_claims_gets_the_points(seat: int, scores: tuple[int, ...]) -> None:
    state = waiting(3)
    (claimed,) = DESK.play(state, seat, "claim")
    assert (claimed.kind, claimed.seat, claimed.payload) == ("claimed", seat, {"points": 15, "scores": [*scores]})
    state = DESK.after(state, claimed)
    assert (state.claim, allfives.scores(state), allfives.to_act(state)) == (None, scores, {1})
    assert DESK.refused(state, 0, "claim") == "There are no points to claim."


def test_a_partner_cannot_claim() -> None:
    state = waiting(4, teams=True)
    assert allfives.to_act(state) == {0, 1, 3}
    assert allfives.legal_moves(state, 2) == ()
    assert DESK.refused(state, 2, "claim") == "Your partner made these points, so you cannot claim them."
    assert allfives.scores(DESK.played(state, (3, "claim"))) == (0, 15)
    assert allfives.scores(DESK.played(state, (0, "claim"))) == (15, 0)


def test_four_who_play_alone_may_all_claim() -> None:
    assert allfives.scores(DESK.played(waiting(4, teams=False), (2, "claim"))) == (0, 0, 15, 0)


def test_the_next_tile_burns_the_points_and_makes_its_own() -> None:
    """0/6 closes the spinner: 0 + 3 + 12 make 15 again, and now they are B's."""
    state = waiting(3)
    burnt, played = DESK.play(state, 1, "06@L")
    assert (burnt.kind, burnt.seat, burnt.payload) == ("burnt", 0, {"points": 15, "scores": [0, 0, 0]})
    assert (played.kind, played.seat, played.payload["sum"], played.payload["points"]) == ("played", 1, 15, 0)
    state = DESK.after(state, burnt, played)
    assert state.claim == Claim(owner=1, points=15)
    assert allfives.to_act(state) == {0, 1, 2}
    assert allfives.scores(DESK.played(state, (0, "claim"))) == (15, 0, 0)


def test_a_tile_that_does_not_fit_burns_nothing() -> None:
    state = waiting()
    assert DESK.refused(state, 1, "11@L") == "{tile} does not fit there."
    assert DESK.refused(state, 1, "25@L") == "{tile}: not in your hand."


def test_nobody_draws_or_passes_while_points_wait() -> None:
    hands = {"A": "36 12", "B": "11 55"}
    state = waiting(hands=hands)
    assert allfives.legal_moves(state, 1) == ("claim",)
    assert [allfives.forced_move(state, seat) for seat in (0, 1)] == [None, None]
    for move in ("draw", "pass"):
        assert DESK.refused(state, 1, move) == "Wait: the points of the last move can still be claimed."
    state = DESK.played(state, (0, "claim"))
    assert allfives.forced_move(state, 1) == "draw"


def test_the_mover_does_nothing_but_claim() -> None:
    for move in ("12@R", "draw", "pass", "", "claim " * 1000, "Claim"):
        assert DESK.refused(waiting(), 0, move) == "It is not your turn."


def test_hostile_moves_are_refused_while_points_wait() -> None:
    for move in ("", "claim\0", "06", "06@X", "06@L+11@R", "ə" * 9999):
        assert DESK.refused(waiting(), 1, move)


def test_the_club_burns_points_and_does_not_blame_the_mover() -> None:
    (burnt,) = allfives.absent(waiting(), 0, CHANCE)
    assert (burnt.kind, burnt.seat, burnt.payload) == ("burnt", 0, {"points": 15, "scores": [0, 0]})
    (burnt,) = allfives.absent(waiting(3), 2, CHANCE)
    assert (burnt.kind, burnt.seat) == ("burnt", 0)


def test_the_club_plays_on_for_who_is_next_after_the_points_are_burnt() -> None:
    kinds = [event.kind for event in allfives.absent(waiting(), 1, CHANCE)]
    assert kinds == ["burnt", "played"]
    drawing = waiting(hands={"A": "36 12", "B": "11 55"}, boneyard="00 34 25 45")
    assert [event.kind for event in allfives.absent(drawing, 1, CHANCE)] == ["burnt", "drew", "played"]


def test_what_the_club_lays_may_make_points_that_wait() -> None:
    state = waiting(hands={"A": "36 12", "B": "06 11"})
    state = DESK.after(state, *allfives.absent(state, 1, CHANCE))
    assert state.claim == Claim(owner=1, points=15)


# The end of a round with points that wait

LAST = {"A": "36", "B": "06 55", "C": "35 22", "D": "33 44"}


def test_a_round_that_went_out_with_points_is_finished_after_the_claim() -> None:
    state = waiting(hands=LAST)
    claimed, ended, dealt = DESK.play(state, 1, "claim")
    assert claimed.payload == {"points": 15, "scores": [0, 15]}
    assert (ended.payload["how"], ended.payload["seat"], ended.payload["winner"]) == ("out", 0, 0)
    assert (ended.payload["written"], ended.payload["scores"]) == ([15, 0], [15, 15])
    assert dealt.payload == {"round": 3, "attempt": 0, "leader": 1, "scores": [15, 15], "carried": 0}
    assert DESK.after(state, claimed, ended, dealt).claim is None


def test_a_round_that_went_out_with_points_is_finished_after_they_are_burnt() -> None:
    for seat in (0, 1):
        burnt, ended, dealt = allfives.absent(waiting(hands=LAST), seat, CHANCE)
        assert (burnt.kind, ended.payload["how"], ended.payload["scores"]) == ("burnt", "out", [15, 0])
        assert dealt.kind == "dealt"


def test_nobody_lays_a_tile_once_a_hand_is_out() -> None:
    state = waiting(hands=LAST)
    assert allfives.legal_moves(state, 1) == ("claim",)
    for move in ("06@L", "draw", "55"):
        assert DESK.refused(state, 1, move) == "Wait: the points of the last move can still be claimed."
    assert [held.playable for held in allfives.view(state, 1).hand] == [False, False]
    assert [held.playable for held in allfives.view(waiting(), 1).hand] == [True, False, False]


def blocked_with_points() -> State:
    """A holds the last tile with a 5 that is not on the table; with it every end wants a 5."""
    line = "51 12 25 55* 54 40 06 63 35 50 01 16"
    return DESK.position({"table": line, "hands": {"A": "56 34", "B": "33 22"}, **STRICT}, turn=0)


def test_a_blocked_round_is_finished_after_the_claim() -> None:
    state = blocked_with_points()
    (played,) = DESK.play(state, 0, "56@R")
    state = DESK.after(state, played)
    assert (played.payload["ends"], played.payload["sum"]) == ({"L": 5, "R": 5, "U": 5, "D": 5}, 20)
    assert DESK.refused(state, 1, "33@L") == "{tile} does not fit there."
    _, ended, dealt = DESK.play(state, 0, "claim")
    assert (ended.payload["how"], ended.payload["seat"], ended.payload["winner"]) == ("blocked", 0, 0)
    assert (ended.payload["written"], dealt.payload["scores"]) == ([10, 0], [30, 0])
    burnt, ended, _ = allfives.absent(state, 0, CHANCE)
    assert (burnt.kind, ended.payload["how"], ended.payload["scores"]) == ("burnt", "blocked", [10, 0])


@pytest.mark.parametrize("hands", [HANDS, LAST])
def test_a_claim_that_reaches_the_target_ends_the_match_without_a_bonus(hands: dict[str, str]) -> None:
    state = waiting(3, hands, scores={"A": 90, "B": 70, "C": 85})
    claimed, ended = events = DESK.play(state, 2, "claim")
    assert claimed.payload["scores"] == [90, 70, 100]
    payload = ended.payload
    assert (payload["how"], payload["seat"], payload["winner"]) == ("target", 2, 2)
    assert (payload["written"], payload["scores"], payload["leader"]) == ([0, 0, 0], [90, 70, 100], None)
    outcome = allfives.outcome(DESK.after(state, *events))
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.reason) == ((2,), (2, 3, 1), "target")


def test_points_that_would_reach_the_target_are_not_there_before_the_claim() -> None:
    state = waiting(scores={"A": 95, "B": 10})
    assert allfives.outcome(state) is None
    assert allfives.outcome(DESK.after(state, *allfives.absent(state, 0, CHANCE))) is None
    assert fives.winner(DESK, DESK.played(state, (0, "claim"))) == "A"


def test_after_the_hand_a_claim_only_adds() -> None:
    state = waiting(scores={"A": 95, "B": 90}, match_end="after_hand")
    (claimed,) = DESK.play(state, 0, "claim")
    state = DESK.after(state, claimed)
    assert (allfives.outcome(state), state.table.reached) == (None, (0,))


def test_of_equal_scores_after_the_hand_the_first_claim_at_the_target_wins() -> None:
    """B claims 15 and comes to 105; A, who went out, writes 15 and comes to 105 too."""
    state = waiting(hands=LAST, scores={"A": 90, "B": 90}, match_end="after_hand")
    claimed, ended = events = DESK.play(state, 1, "claim")
    assert ended.payload["scores"] == [105, 105]
    outcome = allfives.outcome(DESK.after(state, *events))
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.scores) == ((1,), (2, 1), (105, 105))
    assert DESK.why(DESK.after(state, claimed), ended)[-1] == "Equal scores. First at 100: side 1."


# What is seen and said


def test_where_points_are_claimed_nothing_is_counted_for_anybody() -> None:
    for state in (fifteen(**STRICT), waiting()):
        for seat in (0, 1, None):
            seen = allfives.view(state, seat)
            assert (seen.sum, seen.previews) == (None, ())
    seen = allfives.view(fifteen(), 0)
    assert seen.sum == 12
    assert [(preview.move, preview.points) for preview in seen.previews] == [("36@L", 15), ("36@R", 15)]


def test_who_may_claim_is_told_so() -> None:
    state = waiting(4, teams=True)
    assert [allfives.view(state, seat).phase for seat in (0, 1, 2, 3, None)] == [
        "claim",
        "claim",
        "play",
        "claim",
        "play",
    ]
    assert {allfives.view(state, seat).to_act for seat in (0, 2, None)} == {(0, 1, 3)}
    state = DESK.played(state, (0, "claim"))
    assert [allfives.view(state, seat).phase for seat in (0, 1)] == ["play", "play"]


def test_a_view_of_points_after_the_last_tile_shows_no_round_that_is_over() -> None:
    assert [allfives.view(waiting(hands=LAST), seat).phase for seat in (0, 1, None)] == ["claim", "claim", "play"]


def test_a_bot_claims() -> None:
    for seat in (0, 1):
        assert allfives.bot(allfives.view(waiting(), seat), allfives.legal_moves(waiting(), seat)) == "claim"


def test_claims_are_told_and_explained() -> None:
    state = waiting()
    (claimed,) = DESK.play(state, 1, "claim")
    burnt, played = DESK.play(state, 1, "06@L")
    assert DESK.told(claimed) == ["B: claimed. Plus 15."]
    assert DESK.told(burnt) == ["Not claimed, so they are burnt: 15."]
    counted = "12 (66) + 3 = 15, a multiple of five."
    assert DESK.why(state, claimed) == [counted, "A: not claimed in time."]
    assert DESK.why(state, DESK.play(state, 0, "claim")[0]) == DESK.why(state, burnt) == [counted]
    assert DESK.told(played) == ["B: 06, end 1. Open 0."]
    assert DESK.why(state, played) == ["66 is closed first: from now on ends 3 and 4 are open too."]
    state = DESK.after(state, burnt, played)
    assert DESK.why(state, DESK.play(state, 0, "claim")[0]) == [
        "0 + 3 + 12 (66) = 15, a multiple of five.",
        "Closed, but it counts until a side arm starts: 66.",
        "B: not claimed in time.",
    ]


def test_points_written_at_once_are_told_with_their_sum() -> None:
    state = fifteen()
    (played,) = DESK.play(state, 0, "36@R")
    assert DESK.told(played) == ["A: 36, end 2. Open 3, total 15.", "Plus 15."]
    assert DESK.why(state, played) == ["12 (66) + 3 = 15, a multiple of five."]


def test_the_button_of_a_claim() -> None:
    assert fives.said(allfives.label(waiting(), 0, "claim")) == "Claim the points"
    assert fives.said(allfives.label(waiting(), 1, "06@L")) == "06, end 1"


# In a match


def test_nothing_is_forced_in_a_match_while_others_may_claim() -> None:
    state, _ = as_match(fifteen(hands={"A": "36 12", "B": "11 55"}, **STRICT))
    assert match.automatic(state) is None
    state, _ = match.unclaimed(state, CHANCE)
    assert match.automatic(state) == (1, "draw", "forced")


def test_who_is_next_lays_only_after_the_time_of_the_mover() -> None:
    state, _ = as_match(fifteen(**STRICT))
    with pytest.raises(IllegalMove):
        match.step(state, 1, "06@L", CHANCE, waited=4.9)
    assert [event.kind for event in match.step(state, 1, "06@L", CHANCE, waited=5.1).events] == ["burnt", "played"]


def test_among_bots_alone_there_is_no_time_for_others() -> None:
    state, _ = as_match(fifteen(3, **STRICT))
    assert match.lasts(match.window(replace(state, bots=frozenset({1, 2})))) == 5
    assert match.lasts(match.window(replace(state, bots=frozenset({1})))) == 10
