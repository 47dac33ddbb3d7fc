"""Dice Thousand: every worked example of the rules page, what went wrong elsewhere, and why each number is so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from games.engine import match
from games.engine.contract import Event, IllegalMove, Phrase, Seat, SeatName, Sum, Title
from games.engine.options import complete
from games.titles import thousand
from games.titles.thousand import rules, scoring
from games.titles.thousand.position import Position
from tests.titles.conftest import SeededChance
from tests.titles.ledgers import ONES, Dice, slow_selections

# The type checker reads here that the module offers all a title must.
TITLE: Title = thousand

EXAMPLES = yaml.safe_load((Path(rules.__file__).parent / "examples" / "thousand.yaml").read_text("utf-8"))


class Scripted:
    """A chance that gives the throws it was told, and accepts no other number of dice."""

    def __init__(self, throws: Iterable[Sequence[int]] = (), first: Seat = 0) -> None:
        self.throws = [tuple(throw) for throw in throws]
        self.first = first

    def deal(self, epoch: int, attempt: int) -> tuple[str, ...]:
        raise AssertionError("nothing is dealt at dice")

    def dice(self, epoch: int, throw: int, count: int) -> Dice:
        dice = self.throws.pop(0)
        assert len(dice) == count
        return dice

    def lot(self, epoch: int, seats: int) -> Seat:
        assert (epoch, self.first < seats) == (1, True)
        return self.first


NO_CHANCE = Scripted()


def examples(check: str) -> pytest.MarkDecorator:
    chosen = [example for example in EXAMPLES if example["check"] == check]
    return pytest.mark.parametrize("example", chosen, ids=[example["id"] for example in chosen])


def fold(position: Position, events: Iterable[Event]) -> Position:
    for event in events:
        position = thousand.evolve(position, event)
    return position


def fresh(
    totals: Sequence[int] = (0, 0), opened: Sequence[bool] = (), seat: Seat = 0, first: Seat = 0, five: int = 4
) -> Position:
    """A turn that has just begun, in round 2."""
    options = complete(thousand.OPTIONS, len(totals), {"five_of_a_kind": five})
    flags = list(opened) or [False] * len(totals)
    started = Event("turn_started", seat, {"round": 2, "totals": list(totals), "opened": flags})
    return fold(thousand.initial(options), (Event("match_started", None, {"first_seat": first}), started))


def thrown(dice: Sequence[int], five: int = 4) -> Position:
    """These dice on the table, after throws that brought nothing and left as many dice."""
    return fold(fresh(five=five), (Event("threw", 0, {"dice": list(dice)}),))


def pending(points: int, **more: Any) -> Position:
    """A turn worth `points`, to be thrown on or banked."""
    fact = {"dice": [1], "value": points, "turn_points": points, "next_dice": 4, "bonus": None}
    events = Event("threw", 0, {"dice": [1, 2, 3, 4, 6]}), Event("kept", 0, fact)
    return fold(fresh(**more), events)


def keep(dice: Iterable[int]) -> str:
    return "keep " + " ".join(map(str, dice))


def decided(position: Position, move: str, *throws: Sequence[int]) -> tuple[Position, tuple[Event, ...]]:
    (seat,) = thousand.to_act(position)
    events = thousand.decide(position, seat, move, Scripted(throws))
    return fold(position, events), events


def refusal(position: Position, move: str, seat: Seat = 0) -> Phrase:
    with pytest.raises(IllegalMove) as refused:
        thousand.decide(position, seat, move, NO_CHANCE)
    return refused.value.reason


# The worked examples.


@examples("value")
def test_value(example: dict[str, Any]) -> None:
    given, then = example["given"], example["then"]
    position = thrown(given["throw"])
    move = keep(given["select"])
    if then["value"] == "invalid":
        assert refusal(position, move).values == {"dice": ", ".join(map(str, given["select"]))}
        return
    _, (kept,) = decided(position, move)
    assert (kept.payload["value"], kept.payload["next_dice"]) == (then["value"], then["next"])


@examples("turn")
def test_turn(example: dict[str, Any]) -> None:
    given, then = example["given"], example["then"]
    position = fresh((given.get("total", 0), 0), (given.get("opened", False), False))
    for step in given["steps"]:
        position, events = decided(position, "throw", step["throw"])
        if "select" in step:
            position, events = decided(position, keep(step["select"]))
    outcome = thousand.outcome(position)
    found = {
        "bust": any(event.kind == "bust" for event in events),
        "turn_points": position.points,
        "next": position.next_dice,
        "instant_win": outcome is not None and outcome.reason == "instant" and outcome.winners == (0,),
        "total": thousand.scores(position)[0],
        "opened": position.turn.opened[0],
    }
    assert {key: found[key] for key in then} == then
    assert thousand.to_act(position) == (set() if found["instant_win"] else {1} if found["bust"] else {0})


@examples("can_bank")
def test_can_bank(example: dict[str, Any]) -> None:
    given = example["given"]
    position = pending(given["turn_points"], opened=(given["opened"], False))
    allowed = example["then"]["can_bank"]
    assert ("bank" in thousand.legal_moves(position, 0)) == thousand.view(position, 0).can_bank == allowed
    if not allowed:
        assert refusal(position, "bank").values == {"k": given["turn_points"], "minimum": 25 if given["opened"] else 75}


@examples("bank")
def test_bank(example: dict[str, Any]) -> None:
    given, then = example["given"], example["then"]
    before = pending(given["turn_points"], totals=(given["total"], 500), opened=(given["opened"], True))
    position, events = decided(before, "bank")
    outcome = thousand.outcome(position)
    assert thousand.scores(position) == (then["total"], 500)
    assert position.turn.opened[0] is then.get("opened", True)
    assert [event.kind for event in events] == (["banked"] if then["win"] else ["banked", "turn_started"])
    assert (outcome is not None) == then["win"]
    if outcome:
        assert (outcome.winners, outcome.places, outcome.scores) == ((0,), (1, 2), thousand.scores(position))
        assert outcome.reason == "target"


@examples("order")
def test_order(example: dict[str, Any]) -> None:
    given = example["given"]
    options = complete(thousand.OPTIONS, given["players"], {})
    position = fold(thousand.initial(options), thousand.setup(options, Scripted(first="ABCD".index(given["first"]))))
    order = []
    for _ in range(given["turns"]):
        (seat,) = thousand.to_act(position)
        order.append("ABCD"[seat])
        position, _ = decided(position, "throw", [2, 2, 3, 4, 6])
    assert order == example["then"]["turns"]


def test_every_example_is_checked() -> None:
    assert [example["id"] for example in EXAMPLES] == [f"TH-{number:02}" for number in range(1, 60)]
    assert {example["check"] for example in EXAMPLES} == {"value", "turn", "can_bank", "bank", "order"}


# Facts, by a slow scorer that was written from the rules page alone.


def all_throws(count: int) -> Iterator[Dice]:
    return product(range(1, 7), repeat=count)


@pytest.mark.parametrize("five", [3, 4, 5, 10])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_every_selection_of_every_throw_has_the_value_of_the_slow_scorer(count: int, five: int) -> None:
    best = 0
    for throw in all_throws(count):
        if throw == ONES:
            continue
        slow = slow_selections(throw, five)
        fast = scoring.selections(throw, five)
        assert list(fast) == sorted(keep(dice) for dice in slow)
        assert {selection.dice: selection.value for selection in fast.values()} == slow
        best += max(slow.values(), default=0)
    assert scoring.gains(count, five) == best
    if (count, five) == (5, 4):
        assert best == 1_775_750


@pytest.mark.parametrize(("count", "busts"), [(5, 600), (4, 204), (3, 60), (2, 16), (1, 4)])
def test_a_throw_is_a_bust_exactly_when_no_selection_scores(count: int, busts: int) -> None:
    before = fresh() if count == 5 else with_next(count)
    found = 0
    for throw in all_throws(count):
        _, events = decided(before, "throw", throw)
        kinds = [event.kind for event in events]
        if slow_selections(throw, 4):
            assert kinds == ["threw"]
        else:
            assert kinds == ["threw", "bust", "turn_started"]
            found += 1
    assert found == scoring.busts(count) == busts


def with_next(count: int) -> Position:
    fact = {"dice": [5], "value": 50, "turn_points": 50, "next_dice": count, "bonus": None}
    return fold(fresh(), (Event("threw", 0, {"dice": [5, 2, 3, 4, 6]}), Event("kept", 0, fact)))


@pytest.mark.parametrize(("straight", "points"), [((1, 2, 3, 4, 5), 125), ((2, 3, 4, 5, 6), 250)])
def test_a_straight_falls_in_120_of_7776_throws(straight: Dice, points: int) -> None:
    worth = [scoring.selections(throw, 4).get(keep(straight)) for throw in all_throws(5)]
    assert [selection.value for selection in worth if selection] == [points] * 120


def test_the_least_that_can_be_set_aside_is_50_and_then_100() -> None:
    values = {selection.value for throw in all_throws(5) for selection in scoring.selections(throw, 4).values()}
    assert sorted(values)[:2] == [50, 100]


@pytest.mark.parametrize(("five", "short"), [(3, {2, 3}), (4, {2}), (5, set()), (10, set())])
def test_five_equal_dice_mostly_win_when_banked(five: int, short: set[int]) -> None:
    worth = {face: scoring.selections((face,) * 5, five)[keep((face,) * 5)].value for face in (2, 3, 4, 5, 6)}
    assert {face for face, points in worth.items() if points < 1000} == short


@pytest.mark.parametrize(("count", "percent"), [(1, 67), (2, 44), (3, 28), (4, 16), (5, 8)])
def test_the_risk_is_told_in_percent(count: int, percent: int) -> None:
    view = thousand.view(fresh() if count == 5 else with_next(count), 0)
    assert (view.risk.throws, view.risk.percent) == (6**count, percent)


# What went wrong elsewhere.


def test_a_triple_and_a_single_beside_it_are_paid_in_every_order() -> None:
    orders = set(permutations((1, 5, 5, 5, 6)))
    assert len(orders) == 20
    for throw in orders:
        _, (kept,) = decided(thrown(throw), "keep 1 5 5 5")
        assert (kept.payload["value"], kept.payload["next_dice"]) == (600, 1)
        assert refusal(thrown(throw), "keep 1 5 5 5 6").text == "Not every die of these scores: {dice}."


def test_four_equal_are_paid_once_in_every_order() -> None:
    orders = set(permutations((3, 3, 3, 3, 2)))
    assert len(orders) == 5
    for throw in orders:
        _, (kept,) = decided(thrown(throw), "keep 3 3 3 3")
        assert (kept.payload["value"], kept.payload["next_dice"]) == (600, 1)


@pytest.mark.parametrize("five", [3, 4, 5, 10])
def test_a_gap_makes_no_straight_whatever_the_options(five: int) -> None:
    position = thrown((1, 3, 4, 5, 6), five)
    refusal(position, "keep 1 3 4 5 6")
    assert thousand.legal_moves(position, 0) == ("keep 1", "keep 1 5", "keep 5")
    _, (kept,) = decided(position, "keep 1 5")
    assert (kept.payload["value"], kept.payload["next_dice"]) == (150, 3)


@pytest.mark.parametrize(("five", "value"), [(3, 900), (4, 1200), (5, 1500), (10, 3000)])
def test_the_option_says_what_five_equal_dice_are_worth(five: int, value: int) -> None:
    position = thrown((3, 3, 3, 3, 3), five)
    _, (kept,) = decided(position, "keep 3 3 3 3 3")
    assert kept.payload["value"] == value
    assert thousand.view(position, 1).five_of_a_kind == five


def test_a_hot_hand_throws_five_fresh_dice() -> None:
    position, (kept,) = decided(thrown((2, 2, 2, 1, 5)), "keep 1 2 2 2 5")
    assert dict(kept.payload) == {
        "dice": [1, 2, 2, 2, 5],
        "value": 350,
        "turn_points": 350,
        "next_dice": 5,
        "bonus": "hot",
    }
    position, _ = decided(position, "throw", (1, 2, 3, 4, 6))
    assert position.points == 350


def test_two_pairs_in_one_throw_are_a_bust() -> None:
    _, events = decided(fresh(), "throw", (2, 2, 3, 3, 6))
    assert [event.kind for event in events] == ["threw", "bust", "turn_started"]
    assert dict(events[1].payload) == {"lost": 0}


@pytest.mark.parametrize("before", [fresh(), thrown((1, 5, 2, 3, 3))], ids=["roll", "choose"])
def test_an_absent_seat_that_has_set_nothing_aside_ends_the_turn_without_points(before: Position) -> None:
    events = thousand.absent(before, 0, NO_CHANCE)
    assert events == (
        Event("turn_ended", 0),
        Event("turn_started", 1, {"round": 2, "totals": [0, 0], "opened": [False, False]}),
    )
    assert thousand.to_act(fold(before, events)) == {1}


@pytest.mark.parametrize(
    ("points", "opened", "banks"), [(350, False, True), (75, False, True), (50, False, False), (50, True, True)]
)
def test_an_absent_seat_banks_what_it_may(points: int, opened: bool, banks: bool) -> None:
    before = pending(points, opened=(opened, False))
    events = thousand.absent(before, 0, NO_CHANCE)
    assert [event.kind for event in events] == ["banked" if banks else "turn_ended", "turn_started"]
    assert thousand.scores(fold(before, events)) == (points if banks else 0, 0)


def test_a_second_throw_on_the_table_does_not_bank_for_an_absent_seat() -> None:
    before, _ = decided(pending(350), "throw", (1, 2, 3, 4))
    assert [event.kind for event in thousand.absent(before, 0, NO_CHANCE)] == ["turn_ended", "turn_started"]


def test_an_absent_seat_may_win() -> None:
    before = pending(100, totals=(900, 0), opened=(True, False))
    events = thousand.absent(before, 0, NO_CHANCE)
    assert [event.kind for event in events] == ["banked"]
    outcome = thousand.outcome(fold(before, events))
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0,), "target")


@pytest.mark.parametrize(
    ("kept", "thrown", "events"),
    [
        ((), (2, 2, 2, 1, 5), ["lapsed", "turn_ended", "turn_started"]),
        (("keep 1 2 2 2 5",), (2, 2, 2, 1, 5), ["lapsed", "banked", "turn_started"]),
        (("keep 5",), (5, 2, 3, 4, 4), ["lapsed", "turn_ended", "turn_started"]),
    ],
    ids=["with a throw on the table", "after setting aside", "after setting aside too little"],
)
def test_when_a_turn_lapses_no_die_is_thrown_for_anybody(kept: Sequence[str], thrown: Dice, events: list[str]) -> None:
    state, _ = match.begin(thousand, complete(thousand.OPTIONS, 2, {}), Scripted())
    state, _ = match.step(state, 0, "throw", Scripted([thrown]))
    for move in kept:
        state, _ = match.step(state, 0, move, NO_CHANCE)
    lapsed = match.lapse(state, 0, NO_CHANCE, match.Limits(), counts=True)
    assert [event.kind for event in lapsed.events] == events
    assert lapsed.state.scores() == ((350, 0) if "banked" in events else (0, 0))
    assert lapsed.state.to_act() == {1}


def test_points_that_are_not_banked_do_not_win() -> None:
    before = fold(fresh((950, 0), (True, False)), (Event("threw", 0, {"dice": [1, 1, 2, 3, 4]}),))
    position, _ = decided(before, "keep 1 1")
    assert (position.points, thousand.outcome(position)) == (200, None)


def test_nothing_more_is_set_aside_before_the_next_throw() -> None:
    both, _ = decided(thrown((1, 1, 2, 4, 6)), "keep 1 1")
    assert (both.points, both.next_dice) == (200, 3)
    before, _ = decided(thrown((1, 1, 2, 4, 6)), "keep 1")
    assert (before.points, before.next_dice) == (100, 4)
    for move in ("keep 1", "keep 4", "keep 1 1"):
        assert refusal(before, move).text == "Nothing more can be set aside before the next throw."
    assert thousand.bot(thousand.view(before, 0), thousand.legal_moves(before, 0)) in ("bank", "throw")
    later, _ = decided(before, "throw", (2, 3, 4, 5))
    assert refusal(later, "keep 1").text == "Not on the table: {dice}."


@pytest.mark.parametrize("move", ["keep 1 1 1", "keep 4", "keep 1 1 4"])
def test_dice_that_were_not_thrown_or_do_not_score_stay_where_they_are(move: str) -> None:
    refusal(thrown((1, 1, 2, 4, 6)), move)


@pytest.mark.parametrize(("points", "total", "over"), [(50, 950, False), (100, 1000, True), (150, 1050, True)])
def test_the_target_may_be_passed(points: int, total: int, over: bool) -> None:
    position, _ = decided(pending(points, totals=(900, 0), opened=(True, False)), "bank")
    assert thousand.scores(position)[0] == total
    assert (thousand.to_act(position) == frozenset()) == over
    assert thousand.legal_moves(position, 1) == (() if over else ("throw",))


@pytest.mark.parametrize("gone", [0, 2], ids=["A", "C"])
@pytest.mark.parametrize("mover", [2, 3], ids=["C to move", "D to move"])
def test_a_seat_that_leaves_moves_the_turn_of_nobody(gone: Seat, mover: Seat) -> None:
    options = complete(thousand.OPTIONS, 4, {})
    state, _ = match.begin(thousand, options, Scripted(first=mover))
    state, _ = match.step(state, mover, "throw", Scripted([(1, 1, 5, 2, 3)]))
    state, _ = match.step(state, mover, "keep 1 1 5", NO_CHANCE)
    left, events = match.leave(state, gone, match.RESIGNED)
    assert [event.kind for event in events] == ["resigned", "bot_seated"]
    assert left.position == state.position
    assert left.to_act() == {mover}
    assert match.automatic(left) == (match.Automatic(mover, "bank", "bot") if gone == mover else None)
    done, _ = match.step(left, mover, "bank", NO_CHANCE)
    assert done.to_act() == {(mover + 1) % 4}
    assert done.scores()[mover] == 250


# Turns, moves and refusals.


def test_after_a_bust_the_dice_lie_there_until_the_next_turn() -> None:
    before = pending(250)
    events = thousand.decide(before, 0, "throw", Scripted([(2, 3, 4, 6)]))
    assert [event.kind for event in events] == ["threw", "bust", "turn_started"]
    busted = fold(before, events[:2])
    view = thousand.view(busted, 1)
    assert (view.phase, view.to_act, view.turn_seat, view.turn_points) == ("over", None, 0, 0)
    assert [(die.face, die.scores) for die in view.dice] == [(2, False), (3, False), (4, False), (6, False)]
    after = fold(busted, events[2:])
    assert (after.turn.seat, after.dice, after.next_dice) == (1, (), 5)


def test_the_lot_says_who_begins() -> None:
    options = complete(thousand.OPTIONS, 3, {})
    assert thousand.setup(options, Scripted(first=2)) == (
        Event("match_started", None, {"first_seat": 2}),
        Event("turn_started", 2, {"round": 1, "totals": [0, 0, 0], "opened": [False, False, False]}),
    )


def test_five_ones_win_at_once_whatever_the_totals() -> None:
    before = fresh((0, 950, 300, 950), (False, True, True, True))
    position, events = decided(before, "throw", ONES)
    assert events == (Event("threw", 0, {"dice": list(ONES)}),)
    outcome = thousand.outcome(position)
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.scores) == ((0,), (1, 2, 4, 2), (0, 950, 300, 950))
    assert outcome.reason == "instant"
    assert thousand.legal_moves(position, 0) == ()
    assert refusal(position, "throw").text == "The match is over."


@pytest.mark.parametrize(
    ("position", "move", "text"),
    [
        (fresh(), "bank", "This turn {k}. The least to bank is {minimum} while nothing has been banked yet."),
        (fresh(opened=(True, False)), "bank", "This turn {k}. The least to bank is {minimum}."),
        (fresh(), "keep 1", "First throw the dice."),
        (thrown((1, 2, 3, 4, 6)), "throw", "First set aside at least one die that scores."),
        (thrown((1, 2, 3, 4, 6)), "bank", "First set aside at least one die that scores."),
    ],
)
def test_a_move_of_another_phase_is_refused(position: Position, move: str, text: str) -> None:
    assert refusal(position, move).text == text


def test_only_the_seat_whose_turn_it_is_may_move() -> None:
    for seat in (1, 2, -1):
        assert refusal(fresh(), "throw", seat).text == "It is not your turn."
        assert thousand.legal_moves(fresh(), seat) == ()
    with pytest.raises(IllegalMove):
        thousand.absent(fresh(), 1, NO_CHANCE)


def test_dice_may_be_named_in_any_order() -> None:
    _, (kept,) = decided(thrown((5, 1, 2, 1, 3)), "keep 5 1 1")
    assert kept.payload["dice"] == [1, 1, 5]


STRANGE = [
    "", " ", "keep", "keep ", "keep 0", "keep 7", "keep 1,5", "keep  1", "keep 1 ", " keep 1", "keep 1\n", "KEEP 1",
    "keep １", "keep ١", "keep -1", "keep 11", "keep 1 1 1 1 1 1", "keep " + "1 " * 100_000, "Throw", "throw ",
    "bank\0", "25@R", "draw", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("position", [fresh(), thrown((1, 1, 5, 2, 3)), pending(100)], ids=["roll", "choose", "decide"])
def test_strange_moves_are_refused(position: Position) -> None:
    for move in STRANGE:
        refusal(position, move)


@given(st.text() | st.lists(st.integers(0, 7)).map(keep))
def test_whatever_is_no_legal_move_is_refused(move: str) -> None:
    for position in (fresh(), thrown((1, 1, 5, 2, 3)), pending(100)):
        legal = set(thousand.legal_moves(position, 0))
        if move in legal:
            continue
        try:
            (event,) = thousand.decide(position, 0, move, NO_CHANCE)
        except IllegalMove:
            continue
        assert keep(event.payload["dice"]) in legal
        assert Counter(move) == Counter(keep(event.payload["dice"]))


# What is seen, and what is said.


def test_the_view_shows_what_each_choice_would_bring() -> None:
    position, _ = decided(pending(100, totals=(300, 40), opened=(True, False)), "throw", (4, 5, 4, 1))
    view = thousand.view(position, 1)
    assert (view.seat, view.to_act, view.turn_seat, view.phase, view.round) == (1, 0, 0, "choose", 2)
    assert (view.target, view.totals, view.opened, view.turn_points) == (1000, (300, 40), (True, False), 100)
    assert [(die.face, die.scores, die.points) for die in view.dice] == [
        (4, False, 0),
        (5, True, 50),
        (4, False, 0),
        (1, True, 100),
    ]
    assert [(keep.move, keep.value, keep.turn_points, keep.next_dice, keep.bonus) for keep in view.keeps] == [
        ("keep 1", 100, 200, 3, None),
        ("keep 1 5", 150, 250, 5, "double"),
        ("keep 5", 50, 150, 3, None),
    ]
    assert [(kept.dice, kept.value) for kept in view.kept] == [((1,), 100)]
    assert not view.can_bank


def test_the_view_shows_the_risk_and_the_gain_of_a_decision() -> None:
    position, _ = decided(thrown((4, 1, 4, 5, 1)), "keep 1 1 5")
    view = thousand.view(position, None)
    assert (view.bonus, view.next_dice, view.minimum, view.can_bank, view.banked_total) == ("double", 5, 75, True, 250)
    assert (view.risk.busts, view.risk.throws, view.risk.percent) == (600, 7776, 8)
    assert [(die.face, die.scores, die.points) for die in view.dice] == [(4, False, 0), (4, False, 0)]
    assert view.keeps == ()


def test_dice_that_score_together_carry_no_points_alone() -> None:
    view = thousand.view(thrown((2, 2, 2, 5, 3)), 0)
    assert [(die.scores, die.points) for die in view.dice] == [(True, 0)] * 3 + [(True, 50), (False, 0)]


A = SeatName(0)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Event("match_started", None, {"first_seat": 0}), [("The lot for the first throw: {n}.", {"n": A})]),
        (
            Event("turn_started", 0, {"round": 3, "totals": [0, 0], "opened": [False, False]}),
            [("Round {round}. To move: {n}.", {"n": A, "round": 3})],
        ),
        (Event("threw", 0, {"dice": [1, 5, 3, 3, 2]}), [("{n}: roll {dice}.", {"n": A, "dice": "1, 5, 3, 3, 2"})]),
        (
            Event("threw", 0, {"dice": [1, 1, 1, 1, 1]}),
            [("{n}: roll {dice}.", {"n": A, "dice": "1, 1, 1, 1, 1"}), ("Five ones win at once.", {})],
        ),
        (
            Event("kept", 0, {"dice": [1, 5], "value": 150, "turn_points": 250, "next_dice": 3, "bonus": None}),
            [("{n}: kept {dice}. This turn {k}.", {"n": A, "dice": "1, 5", "k": 250})],
        ),
        (
            Event("kept", 0, {"dice": [1], "value": 100, "turn_points": 100, "next_dice": 5, "bonus": "hot"}),
            [
                ("{n}: kept {dice}. This turn {k}.", {"n": A, "dice": "1", "k": 100}),
                ("Hot hand: again five dice.", {}),
            ],
        ),
        (
            Event("kept", 0, {"dice": [5], "value": 50, "turn_points": 50, "next_dice": 5, "bonus": "double"}),
            [("{n}: kept {dice}. This turn {k}.", {"n": A, "dice": "5", "k": 50}), ("Double: again five dice.", {})],
        ),
        (Event("bust", 0, {"lost": 250}), [("{n}: bust. Lost {p}.", {"n": A, "p": 250})]),
        (
            Event("banked", 0, {"points": 300, "totals": [915, 40], "opened": [True, False]}),
            [("{n}: banked {p}. Total {s}.", {"n": A, "p": 300, "s": 915})],
        ),
        (Event("turn_ended", 0), [("{n}: the turn is over without points.", {"n": A})]),
        (Event("resigned", 0, {"seat": 0}), []),
    ],
)
def test_events_are_told_in_words(event: Event, said: list[tuple[str, dict[str, Any]]]) -> None:
    assert [(phrase.text, dict(phrase.values)) for phrase in thousand.describe(event)] == said


def sentence(phrase: Phrase) -> str:
    def shown(value: Any) -> Any:
        return " + ".join(str(number) for number, _ in value.terms) if isinstance(value, Sum) else value

    return phrase.text.format_map({name: shown(value) for name, value in phrase.values.items()})


def why(position: Position, event: Event) -> list[str]:
    return [sentence(phrase) for phrase in thousand.explain(position, event)]


HOT = "No die is left over: five are thrown again, and the points stay."


@pytest.mark.parametrize(
    ("throw", "select", "said"),
    [
        ((1, 2, 3, 4, 6), (1,), ["1 alone: 100.", "Dice for the next throw: 4."]),
        ((5, 5, 2, 3, 6), (5, 5), ["Each 5 alone: 50 + 50 = 100.", "Dice for the next throw: 3."]),
        (
            (1, 1, 1, 5, 3),
            (1, 1, 1, 5),
            ["Three equal, 1: 1000.", "5 alone: 50.", "Together: 1000 + 50 = 1050.", "Dice for the next throw: 1."],
        ),
        ((6, 6, 6, 6, 3), (6, 6, 6, 6), ["Four equal, 6: 2 × 600 = 1200.", "Dice for the next throw: 1."]),
        ((3, 3, 3, 3, 3), (3, 3, 3, 3, 3), ["Five equal, 3: 4 × 300 = 1200.", HOT]),
        ((5, 4, 3, 2, 1), (1, 2, 3, 4, 5), ["Small straight, 1, 2, 3, 4, 5: 125.", HOT]),
        ((5, 4, 3, 2, 6), (2, 3, 4, 5, 6), ["Large straight, 2, 3, 4, 5, 6: 250.", HOT]),
        (
            (4, 1, 4, 5, 1),
            (1, 1, 5),
            [
                "Each 1 alone: 100 + 100 = 200.",
                "5 alone: 50.",
                "Together: 200 + 50 = 250.",
                "Only the pair 4, 4 is left over: five dice are thrown again, and the points stay.",
            ],
        ),
    ],
)
def test_a_set_aside_is_explained_part_by_part(throw: Dice, select: Dice, said: list[str]) -> None:
    position = thrown(throw)
    _, (kept,) = decided(position, keep(select))
    assert why(position, kept) == said


def test_the_option_is_in_the_explanation_of_five_equal_dice() -> None:
    position = thrown((2, 2, 2, 2, 2), five=10)
    _, (kept,) = decided(position, "keep 2 2 2 2 2")
    assert why(position, kept) == ["Five equal, 2: 10 × 200 = 2000.", HOT]


def test_a_later_set_aside_is_added_to_the_points_of_the_turn() -> None:
    position, _ = decided(pending(100), "throw", (5, 2, 3, 4))
    _, (kept,) = decided(position, "keep 5")
    assert why(position, kept) == ["5 alone: 50.", "This turn: 100 + 50 = 150.", "Dice for the next throw: 3."]


NO_SCORE = "No 1, no 5 and no three equal dice: nothing here can be set aside."


@pytest.mark.parametrize(
    ("before", "throw", "said"),
    [
        (fresh((300, 0), (True, False)), (2, 2, 3, 4, 6), [NO_SCORE, "The score stays: 300."]),
        (pending(100), (2, 3, 4, 6), [NO_SCORE, "The score stays: 0."]),
        (
            decided(decided(pending(100), "throw", (5, 2, 3, 4))[0], "keep 5")[0],
            (2, 4, 6),
            [NO_SCORE, "Lost: 100 + 50 = 150.", "The score stays: 0."],
        ),
        (
            decided(thrown((1, 5, 5, 2, 3)), "keep 1 5 5")[0],
            (4, 4),
            [
                NO_SCORE,
                "A pair is a double only when it is left over beside dice that are set aside.",
                "The score stays: 0.",
            ],
        ),
    ],
)
def test_a_bust_is_explained(before: Position, throw: Dice, said: list[str]) -> None:
    threw, bust, _ = decided(before, "throw", throw)[1]
    assert why(before, threw) == []
    assert why(thousand.evolve(before, threw), bust) == said


FIRST = "The first banking needs 75 or more, every later one 25 or more."


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (pending(250), ["Score: 0 + 250 = 250.", FIRST]),
        (pending(250, totals=(300, 0), opened=(True, False)), ["Score: 300 + 250 = 550."]),
        (
            pending(150, totals=(900, 0), opened=(True, False)),
            ["Score: 900 + 150 = 1050.", "A score of 1000 or more wins at once."],
        ),
        (
            decided(decided(pending(100), "throw", (5, 2, 3, 4))[0], "keep 5")[0],
            ["This turn: 100 + 50 = 150.", "Score: 0 + 150 = 150.", FIRST],
        ),
    ],
)
def test_a_banking_is_explained(before: Position, said: list[str]) -> None:
    _, (banked, *_) = decided(before, "bank")
    assert why(before, banked) == said


ON_THE_TABLE = "A throw lay on the table: before banking, dice must be set aside from it."


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (fresh(), ["Nothing had been set aside, so there was nothing to bank.", "The score stays: 0."]),
        (thrown((1, 2, 3, 4, 6)), [ON_THE_TABLE, "The score stays: 0."]),
        (decided(pending(350), "throw", (1, 2, 3, 4))[0], [ON_THE_TABLE, "Lost: 350.", "The score stays: 0."]),
        (
            pending(50),
            [
                "This turn 50. The least to bank is 75 while nothing has been banked yet.",
                "Lost: 50.",
                "The score stays: 0.",
            ],
        ),
    ],
)
def test_a_turn_that_ends_without_points_is_explained(before: Position, said: list[str]) -> None:
    ended, _ = thousand.absent(before, 0, NO_CHANCE)
    assert why(before, ended) == said


def test_five_ones_are_explained() -> None:
    assert why(fresh(), Event("threw", 0, {"dice": list(ONES)})) == [
        "Five dice of one throw show 1: that wins the match, whatever the scores."
    ]


def test_where_nothing_is_counted_nothing_is_explained() -> None:
    for event in (*thousand.setup(complete(thousand.OPTIONS, 2, {}), Scripted()), Event("resigned", 0, {"seat": 0})):
        assert why(fresh(), event) == []


@pytest.mark.parametrize(
    ("position", "move", "said"),
    [
        (fresh(), "throw", "Throw 5"),
        (pending(300, totals=(615, 0)), "throw", "Throw 4: a bust loses 300"),
        (pending(300, totals=(615, 0)), "bank", "Bank 300: total 915"),
        (thrown((1, 5, 2, 3, 6)), "keep 1 5", "Keep 1, 5: 150"),
        (thrown((1, 5, 5, 2, 2)), "keep 1 5 5", "Keep 1, 5, 5: 200, double"),
        (thrown((1, 1, 1, 5, 5)), "keep 1 1 1 5 5", "Keep 1, 1, 1, 5, 5: 1100, hot hand"),
    ],
)
def test_buttons_say_what_will_happen(position: Position, move: str, said: str) -> None:
    assert move in thousand.legal_moves(position, 0)
    assert sentence(thousand.label(position, 0, move)) == said


# The bot.


def bots_move(position: Position) -> str:
    (seat,) = thousand.to_act(position)
    moves = thousand.legal_moves(position, seat)
    move = thousand.bot(thousand.view(position, seat), moves)
    assert move in moves
    return move


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (fresh(), "throw"),
        (pending(50), "throw"),
        (pending(100), "throw"),
        (pending(950), "bank"),
        (pending(100, totals=(900, 0), opened=(True, False)), "bank"),
        (decided(thrown((6, 6, 6, 1, 3)), "keep 1 6 6 6")[0], "bank"),
        (decided(thrown((2, 2, 2, 1, 5)), "keep 1 2 2 2 5")[0], "throw"),
        (thrown((1, 1, 1, 1, 3)), "keep 1 1 1 1"),
        (thrown((1, 5, 4, 4, 1)), "keep 1 1 5"),
        (thrown((5, 5, 2, 3, 6)), "keep 5"),
    ],
)
def test_the_bot_weighs_one_throw_ahead(position: Position, move: str) -> None:
    assert bots_move(position) == move


def test_the_bot_beats_a_player_who_banks_as_soon_as_possible() -> None:
    wins = 0
    for number in range(200):
        chance, options = SeededChance(number), complete(thousand.OPTIONS, 2, {})
        position = fold(thousand.initial(options), thousand.setup(options, chance))
        while (outcome := thousand.outcome(position)) is None:
            (seat,) = thousand.to_act(position)
            move = bots_move(position) if seat == 0 else hasty(position, seat)
            position = fold(position, thousand.decide(position, seat, move, chance))
        wins += outcome.winners == (0,)
    assert wins > 120


def hasty(position: Position, seat: Seat) -> str:
    keeps = thousand.view(position, seat).keeps
    if keeps:
        return max(keeps, key=lambda keep: keep.value).move
    return thousand.legal_moves(position, seat)[0]
