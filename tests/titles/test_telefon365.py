"""Telefon 365: every worked example of the rules page, and the situations that went wrong elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from games.engine.contract import Event, IllegalMove, Phrase, Seat, SeatName, SideName, Sum, Tiles, Title
from games.engine.dominoes import DOUBLES, EMPTY, TILES, Layout, ends, fits, lay, open_sum
from games.engine.notation import layout
from games.engine.options import complete
from games.engine.rounds import play
from games.engine.rounds.position import Round, State, with_scores
from games.titles import telefon365
from games.titles.telefon365 import rules
from games.titles.telefon365.rules import GAME, Options
from tests.titles.conftest import SeededChance

# The type checker reads here that the module offers all a title must.
TITLE: Title = telefon365

EXAMPLES = yaml.safe_load((Path(rules.__file__).parent / "examples" / "telefon365.yaml").read_text("utf-8"))

CHANCE = SeededChance("telefon365")


class Orders:
    """A chance that deals the given orders first, attempt by attempt."""

    def __init__(self, *orders: Sequence[str]) -> None:
        self.orders = orders

    def deal(self, epoch: int, attempt: int) -> tuple[str, ...]:
        return tuple(self.orders[attempt]) if attempt < len(self.orders) else CHANCE.deal(epoch, attempt)

    dice, lot = CHANCE.dice, CHANCE.lot


def examples(check: str, **wanted: bool) -> Any:
    chosen = [
        example
        for example in EXAMPLES
        if example["check"] == check and all((key in example["given"]) == there for key, there in wanted.items())
    ]
    return pytest.mark.parametrize("example", chosen, ids=[example["id"] for example in chosen])


def hand(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split())


def tile(written: str) -> str:
    return min(written, written[::-1])


def options(given: dict[str, Any]) -> Options:
    """The typed options of an example: those it names, the defaults for the rest."""
    names = {option.name for option in telefon365.OPTIONS}
    seats = given.get("players") or (4 if "AC" in given.get("scores", {}) else max(2, len(given.get("scores", {}))))
    return rules.typed(**complete(telefon365.OPTIONS, seats, {key: given[key] for key in given if key in names}))


def side_names(typed: Options) -> list[str]:
    return ["".join("ABCD"[seat] for seat in seats) for seats in typed.sides]


def by_side(typed: Options, values: dict[str, int]) -> tuple[int, ...]:
    return tuple(values.get(name, 0) for name in side_names(typed))


def table(given: dict[str, Any], **more: Any) -> State:
    """The position an example gives, A to act unless `more` says otherwise."""
    typed = options(given)
    number = given.get("hand_no", 2)
    scores, bank = by_side(typed, given.get("scores", {})), given.get("bank", 0)
    standing = Round(typed, scores, number, carried=bank, leader=0, opening="23" if number == 1 else None)
    hands = tuple(hand(given.get("hands", {}).get(name, "-")) for name in "ABCD"[: typed.players])
    lying = EMPTY if given.get("table", "-") == "-" else layout(given["table"])
    laid = tuple((tile(written), 1) for written in (*lying.line, *lying.arms[0], *lying.arms[1]))
    return replace(State(standing, 0, hands, hand(given.get("boneyard", "-")), lying, laid), **more)


def rest(state: State, *others: str) -> list[str]:
    """The tiles that lie nowhere yet."""
    there = {*(lying for lying, _ in state.laid), *state.boneyard, *others}.union(*state.hands)
    return [missing for missing in TILES if missing not in there]


def folded(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = telefon365.evolve(state, event)
    return state


def refusal(state: State, seat: Seat, move: str) -> Phrase:
    with pytest.raises(IllegalMove) as error:
        telefon365.decide(state, seat, move, CHANCE)
    return error.value.reason


def refused(state: State, seat: Seat, move: str) -> str:
    return spoken(refusal(state, seat, move))


def spoken(phrase: Phrase) -> str:
    """A sentence with names and tiles put in the plainest way."""
    plain = {
        SeatName: lambda v: "ABCD"[v.seat],
        SideName: lambda v: f"side {v.side}",
        Tiles: lambda v: " ".join(v.tiles),
        Sum: lambda v: " + ".join(f"{count} ({double})" if double else str(count) for count, double in v.terms),
    }
    return phrase.text.format(**{key: plain.get(type(value), str)(value) for key, value in phrase.values.items()})


def told(event: Event) -> list[str]:
    return [spoken(phrase) for phrase in telefon365.describe(event)]


def why(state: State, event: Event) -> list[str]:
    return [spoken(phrase) for phrase in telefon365.explain(state, event)]


# The worked examples


def test_the_examples_are_all_there() -> None:
    assert [example["id"] for example in EXAMPLES] == [f"T365-{number:02}" for number in range(1, 82)]


@examples("move")
def test_a_move(example: dict[str, Any]) -> None:
    """The mover holds one tile more, so nobody goes out; all other tiles are in the boneyard and the other hand."""
    given, do, then = example["given"], example["do"], example["then"]
    seat = "ABCD".index(do["by"])
    state = table(given, turn=seat)
    played = sorted({tile(part[:2]) for part in do["play"].split("+")})
    left = rest(state, *played)
    hands = tuple((*played, left[-1]) if holder == seat else (left[holder],) for holder in range(len(state.hands)))
    state = replace(state, hands=hands)
    state = replace(state, boneyard=tuple(rest(state)))
    if then.get("illegal"):
        assert refused(state, seat, do["play"])
        return
    events = telefon365.decide(state, seat, do["play"], CHANCE)
    assert_moved(then, state, events)


def assert_moved(then: dict[str, Any], state: State, events: tuple[Event, ...]) -> None:
    """Everything the example says of a move stands in the event and in the position after it."""
    played, after = events[0], folded(state, events)
    assert (played.kind, played.payload["points"]) == ("played", then["points"])
    assert played.payload["sum"] == then["sum"]
    names = side_names(state.round.options)
    for name, score in then.get("scores", {}).items():
        assert played.payload["scores"][names.index(name)] == after.round.scores[names.index(name)] == score
    if "table" in then:
        assert after.layout == layout(then["table"])
    if "telephone" in then:
        assert after.layout.hub == (None if then["telephone"] == "none" else 2 * str(then["telephone"]))
    if "ends" in then:
        assert played.payload["ends"] == ends(after.layout) == then["ends"]
    outcome = telefon365.outcome(after)
    if then.get("match_winner", "none") == "none":
        assert outcome is None
        assert len(events) == 1
    else:
        assert outcome is not None
        assert [names[side] for side in outcome.winners] == [then["match_winner"]]
        assert outcome.reason == events[1].payload["how"] == then["by"]
        assert telefon365.to_act(after) == frozenset()


@examples("legal")
def test_legal_moves(example: dict[str, Any]) -> None:
    given, then = example["given"], example["then"]
    state = table(given, hands=(hand(given["hand"]), ()))
    boneyard = tuple(rest(state)[: given["drawable"] + 1])
    moves = telefon365.legal_moves(replace(state, boneyard=boneyard), 0)
    sets = ["+".join(sorted(move.split("+"))) for move in then["sets"]]
    assert moves == tuple(sorted(then["plays"] + sets))


@examples("turn")
def test_drawing_and_passing(example: dict[str, Any]) -> None:
    """All but A hold a tile that fits, so no draw blocks the round."""
    given, then = example["given"], example["then"]
    state = table(given)
    state = replace(state, hands=(hand(given["hand"]), *state.hands[1:]))
    fitting = [other for other in rest(state) if fits((other,), ends(state.layout).values())]
    state = replace(state, hands=(state.hands[0], *((other,) for other in fitting[: len(state.hands) - 1])))
    drawn: tuple[str, ...] = ()
    if telefon365.legal_moves(state, 0) == ("draw",):
        assert telefon365.forced_move(state, 0) == "draw"
        (drew,) = telefon365.decide(state, 0, "draw", CHANCE)
        state = telefon365.evolve(state, drew)
        drawn = tuple(drew.secret["0"])
        assert drew.payload == {"count": len(drawn), "boneyard": len(state.boneyard)}
    assert drawn == hand(then["drawn"])
    assert must(state) == then["must"]
    assert telefon365.legal_moves(state, 0) == tuple(then.get("plays", ["pass"]))
    assert state.boneyard == hand(then.get("boneyard", given["boneyard"]))
    if "hand" in then:
        assert state.hands[0] == hand(then["hand"])


def must(state: State) -> str:
    """What the rules force: `choose`, `pass`, or the tile just drawn, be it on one end or on several."""
    moves = telefon365.legal_moves(state, 0)
    if not state.drew and moves != ("pass",):
        assert telefon365.forced_move(state, 0) is None
        return "choose"
    assert telefon365.forced_move(state, 0) == (moves[0] if len(moves) == 1 else None)
    (forced,) = {move.split("@")[0] for move in moves}
    return forced


@examples("blocked")
def test_blocked(example: dict[str, Any]) -> None:
    """B lays the last tile of the line; what follows shows whether the round is blocked."""
    given = example["given"]
    *line, last = given["table"].split()
    state = table({**given, "table": " ".join(line)}, turn=1)
    state = replace(state, hands=(state.hands[0], (*state.hands[1], last)))
    kinds = [event.kind for event in telefon365.decide(state, 1, f"{last}@R", CHANCE)]
    assert ("round_ended" in kinds) is example["then"]["blocked"]


@examples("hand_end", out=True)
def test_going_out(example: dict[str, Any]) -> None:
    """A last tile that makes the points the example gives to the last move, and none otherwise."""
    given = example["given"]
    seat = "ABCD".index(given["out"])
    state = table(given, turn=seat)
    lying, last, end = next(last_moves(rest(state), given.get("last_move_points", 0)))
    hands = tuple((last,) if holder == seat else held for holder, held in enumerate(state.hands))
    state = replace(state, hands=hands, layout=lying)
    played, ended, *_ = events = telefon365.decide(state, seat, f"{last}@{end}", CHANCE)
    assert played.payload["points"] == given.get("last_move_points", 0)
    assert ended.payload["how"] == "out"
    assert_counted(example, ended, folded(state, events))


def last_moves(free: list[str], points: int) -> Iterator[tuple[Layout, str, str]]:
    """A tile on the table and one laid on it, so that the move is worth `points`."""
    for first, last in permutations(free, 2):
        for end, face in ends(Layout((first,))).items():
            if str(face) in last:
                total = open_sum(lay(Layout((first,)), last, end, branching=True), "zero")
                if points == (0 if total % 5 else total):
                    yield Layout((first,)), last, end


@examples("hand_end", blocker=True)
def test_counting_a_blocked_round(example: dict[str, Any]) -> None:
    """These positions were chosen for their arithmetic: no line of tiles leads to some of them."""
    state = table(example["given"])
    ended = play.round_ended(GAME, state, "blocked", "ABCD".index(example["given"]["blocker"]))
    assert_counted(example, ended, telefon365.evolve(state, ended))


def assert_counted(example: dict[str, Any], ended: Event, after: State) -> None:
    """Everything the example says of the end of the round stands in the event and in the position after it."""
    then, payload, typed = example["then"], ended.payload, after.round.options
    names = side_names(typed)
    winner = payload["winner"]
    assert ("none" if winner is None else names[winner]) == then["winner"]
    assert payload["written"] == [then["written"] if side == winner else 0 for side in range(len(names))]
    for name, score in then.get("scores", {}).items():
        assert payload["scores"][names.index(name)] == after.round.scores[names.index(name)] == score
    assert payload["carried"] == after.round.carried == then.get("bank", 0)
    if "leader" in then:
        assert "ABCD"[payload["leader"]] == then["leader"]
    assert telefon365.outcome(after) is None


@examples("match_end")
def test_the_end_of_the_match(example: dict[str, Any]) -> None:
    """The scores rise in the order in which the sides came to 365; the last seat then goes out and writes nothing."""
    given, winner = example["given"], example["then"]["match_winner"]
    names = list(given["scores"])
    scores = [0] * len(names)
    state = table({"players": len(names), "hands": {"A": "12", "B": "12"}})
    for name in given["reached_365"] + [name for name in names if name not in given["reached_365"]]:
        scores[names.index(name)] = given["scores"][name]
        state = with_scores(state, tuple(scores))
    ended = play.round_ended(GAME, state, "out", len(names) - 1)
    outcome = telefon365.outcome(telefon365.evolve(state, ended))
    assert ended.payload["scores"] == scores
    if winner == "none":
        assert outcome is None
        assert ended.payload["leader"] == len(names) - 1
        return
    assert outcome is not None
    assert [names[side] for side in outcome.winners] == [winner]
    assert outcome.reason == "target"
    assert ended.payload["leader"] is None


@examples("redeal")
def test_redealing_for_a_hand(example: dict[str, Any]) -> None:
    """A is dealt the hand of the example, B one that voids nothing."""
    held = hand(example["given"]["hand"])
    others = [other for other in TILES if other not in held]
    chance = Orders([*held, *others[::3], *others[1::3], *others[2::3]])
    _, dealt, *further = telefon365.setup(complete(telefon365.OPTIONS, 2, {}), chance)
    assert dealt.secret["0"] == list(held)
    assert [event.payload["seat"] for event in further[:1]] == ([0] if example["then"]["redeal"] else [])
    assert [event.kind for event in further[:2]] == (["redealt", "dealt"] if example["then"]["redeal"] else [])


@examples("opening_veto")
def test_leading_a_suit_that_the_opponents_lack(example: dict[str, Any]) -> None:
    given, then = example["given"], example["then"]
    seat = "ABCD".index(given["by"])
    state = table({**given, "scores": {"AC": 40, "BD": 60}, "bank": 25}, turn=seat)
    events = telefon365.decide(state, seat, given["lead"], CHANCE)
    if not then["redeal"]:
        assert [(event.kind, event.payload["points"]) for event in events] == [("played", then["points"])]
        return
    redealt, dealt = events[0], events[-1]
    assert redealt == Event(
        "redealt", None, {"round": given["hand_no"], "attempt": 0, "rule": "R3", "seat": seat, "tile": given["lead"]}
    )
    assert dealt.payload["scores"] == [40, 60]
    assert then["points"] == 0


@examples("opener")
def test_who_opens_the_first_round(example: dict[str, Any]) -> None:
    hands = {str(seat): hand(held) for seat, held in enumerate(example["given"]["hands"].values())}
    payload = {"round": 1, "attempt": 0, "leader": None, "scores": [0, 0], "carried": 0}
    state = telefon365.initial(complete(telefon365.OPTIONS, 2, {}))
    state = telefon365.evolve(state, Event("dealt", None, payload, {**hands, "club": ()}))
    (seat,) = telefon365.to_act(state)
    opening = example["then"]["tile"]
    assert "ABCD"[seat] == example["then"]["by"]
    assert telefon365.legal_moves(state, seat) == (opening,)
    assert telefon365.forced_move(state, seat) == opening


# Deals


VOID_R1 = ("00", "11", "22", "33", "44", "46", "56")
VOID_R2 = ("05", "15", "25", "35", "45", "12", "36")


def after(*hands: tuple[str, ...]) -> list[str]:
    """An order of all tiles that begins with these hands."""
    dealt = [dealt for held in hands for dealt in held]
    return dealt + [other for other in TILES if other not in dealt]


FAIR = ("01", "13", "26", "34", "55", "66", "06")


@pytest.mark.parametrize(
    ("hands", "rule", "seat"),
    [
        ((FAIR, (*VOID_R1[:-1], "02")), "R1", 1),
        ((VOID_R2, ("00", "11", "22", "33", "44", "46", "56")), "R1", 1),
        ((VOID_R2, ("01", "02", "03", "04", "06", "55", "66")), "R2", 0),
        ((("23", "13", "26", "34", "55", "66", "46"), ("01", "02", "03", "04", "06", "11", "22")), "R2", 1),
    ],
)
def test_the_lowest_rule_then_the_lowest_seat_is_named(hands: Any, rule: str, seat: Seat) -> None:
    _, _, redealt, *_ = telefon365.setup(complete(telefon365.OPTIONS, 2, {}), Orders(after(*hands)))
    assert redealt.payload == {"round": 1, "attempt": 0, "rule": rule, "seat": seat, "tile": None}


def test_a_round_is_dealt_again_as_often_as_needed_and_changes_nothing_else() -> None:
    state = table({"players": 2, "hands": {"A": "12", "B": "56"}, "scores": {"A": 20, "B": 45}, "table": "13"}, turn=1)
    state = replace(state, layout=Layout(("13",)), hands=(("12",), ("36",)))
    chance = Orders(after(VOID_R1), after(FAIR, VOID_R2), after(VOID_R2))
    _, ended, *deals = telefon365.decide(state, 1, "36@R", chance)
    assert ended.payload["leader"] == 1
    assert [event.kind for event in deals] == ["dealt", "redealt"] * 3 + ["dealt"]
    assert [event.payload["attempt"] for event in deals] == [0, 0, 1, 1, 2, 2, 3]
    assert [(event.payload["rule"], event.payload["seat"]) for event in deals[1::2]] == [
        ("R1", 0),
        ("R2", 1),
        ("R2", 0),
    ]
    kept = {"round": 3, "leader": 1, "scores": ended.payload["scores"], "carried": 0}
    assert all(kept.items() <= event.payload.items() for event in deals[::2])


def test_the_first_round_looks_for_its_opener_anew_after_every_deal() -> None:
    chance = Orders(after(("23", *VOID_R1[:5], "46")), after(FAIR, ("23", "00", "12", "45", "16", "35", "24")))
    events = telefon365.setup(complete(telefon365.OPTIONS, 2, {}), chance)
    state = folded(telefon365.initial(complete(telefon365.OPTIONS, 2, {})), events)
    assert [event.kind for event in events] == ["match_started", "dealt", "redealt", "dealt"]
    assert (state.round.leader, state.round.opening) == (1, "23")


VETO = next(example["given"] for example in EXAMPLES if example["id"] == "T365-75")


def vetoed(**more: Any) -> State:
    return table({**VETO, "scores": {"AC": 40, "BD": 60}, "bank": 25}, **more)


def test_a_vetoed_opening_writes_nothing_and_leaves_all_as_it_was() -> None:
    redealt, dealt, *_ = telefon365.decide(vetoed(), 0, "55", CHANCE)
    assert redealt.payload == {"round": 2, "attempt": 0, "rule": "R3", "seat": 0, "tile": "55"}
    assert redealt.seat is None
    assert dealt.payload == {"round": 2, "attempt": 1, "leader": 0, "scores": [40, 60], "carried": 25}


def test_the_partner_is_no_opponent_and_only_the_lead_is_tested() -> None:
    """C holds fives and helps nobody; B to lead has both opponents holding fives."""
    state = vetoed()
    assert any("5" in held for held in state.hands[2])
    assert rules.veto(state, 0, "55") == ("R3", 0)
    assert rules.veto(state, 0, "35") is None
    assert rules.veto(state, 1, "33") is None
    laid = replace(state, layout=layout("54"))
    assert [event.kind for event in telefon365.decide(laid, 0, "55@L", CHANCE)] == ["played"]


@pytest.mark.parametrize("players", [2, 3])
def test_a_lead_is_tested_with_four_players_only(players: int) -> None:
    hands = {"A": "55 05", "B": "01 02", "C": "03 04"}
    state = table({"players": players, "hands": hands, "boneyard": "06 12 34"})
    assert telefon365.decide(state, 0, "55", CHANCE)[0].kind == "played"


def test_the_club_may_lead_a_vetoed_double_for_somebody_who_is_away() -> None:
    state = vetoed()
    state = replace(state, hands=(("55", "05"), *state.hands[1:]))
    assert telefon365.absent(state, 0, CHANCE)[0].kind == "redealt"


# Several doubles


def several(cells: str, held: str) -> State:
    """A holds what is given; all else is in B's hand and the boneyard."""
    state = table({"table": cells, "hands": {"A": held}})
    others = tuple(rest(state))
    return replace(state, hands=(state.hands[0], others[:7]), boneyard=others[7:])


@pytest.mark.parametrize("move", ["33@L+22@R", "22@R+33@L"])
def test_doubles_are_named_in_any_order_and_written_in_one(move: str) -> None:
    state = several("32", "22 33 11")
    (played,) = telefon365.decide(state, 0, move, CHANCE)
    assert played.payload == {
        "tiles": [["22", "R"], ["33", "L"]],
        "sum": 10,
        "points": 10,
        "scores": [10, 0],
        "ends": {"L": 3, "R": 2},
    }
    assert telefon365.evolve(state, played).hands[0] == ("11",)
    assert telefon365.evolve(state, played).layout.line == ("33", "32", "22")
    assert telefon365.evolve(state, played).laid[-2:] == (("22", 0), ("33", 0))


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("66@L+11@R", "Several doubles must score, but the total would be 14."),
        ("66@L+66@R", "The same tile cannot be laid twice."),
        ("66@L+11@L", "Each double needs an end of its own."),
        ("66@L+16@R", "16: only doubles can be laid together."),
        ("66@L+61@R", "16: only doubles can be laid together."),
        ("66@L+22@R", "22: not in your hand."),
        ("66@L+44@R", "44: not in your hand."),
        ("66@R+11@L", "11 does not fit there."),
        ("66@L+11@U", "11 does not fit there."),
        ("66+11", "Choose the end for the tile."),
        ("66@L+", "There is no such move in this game."),
        ("+", "There is no such move in this game."),
        ("++", "There is no such move in this game."),
        ("66@L+draw", "There is no such move in this game."),
        ("66@L+11@R\n", "There is no such move in this game."),
        ("66@L + 11@R", "There is no such move in this game."),
        ("66@L+11@R+22@U+33@D+44@L", "No more than four doubles can be laid in one move."),
        ("66@L+" * 100_000, "No more than four doubles can be laid in one move."),
        ("+" * 1_000_000, "No more than four doubles can be laid in one move."),
        ("9" * 1_000_000 + "+11@R", "There is no such move in this game."),
    ],
)
def test_a_wrong_move_of_several_doubles_is_refused_with_its_reason(move: str, reason: str) -> None:
    """22 is in the boneyard, 44 in the other hand: both are refused alike."""
    state = table({"table": "61", "hands": {"A": "66 11 16 05", "B": "44"}, "boneyard": "22 33"})
    assert refused(state, 0, move) == reason


def test_no_round_opens_with_several_doubles() -> None:
    state = several("-", "55 22 33")
    assert telefon365.legal_moves(state, 0) == ("22", "33", "55")
    assert refused(state, 0, "22@L+33@R") == "The table is empty: the first tile is laid alone."
    assert refused(state, 0, "22+33") == "The table is empty: the first tile is laid alone."


def test_several_doubles_out_of_turn_are_refused_as_any_move() -> None:
    assert refused(several("32", "22 33 11"), 1, "22@R+33@L") == "It is not your turn."


def test_one_double_that_fits_two_ends_is_laid_once() -> None:
    state = several("63 34 46", "66 11")
    assert telefon365.legal_moves(state, 0) == ("66@L", "66@R")


def test_a_double_may_be_part_of_several_sets_on_several_ends() -> None:
    """The ends count 6 + 6 + 5 + 1 = 18, so 1 + 6 and 1 + 5 + 6 more are a multiple of five."""
    assert telefon365.legal_moves(several("62 23 33* 36 / U 35 / D 31", "66 11 55"), 0) == (
        "11@D",
        "11@D+55@U+66@L",
        "11@D+55@U+66@R",
        "11@D+66@L",
        "11@D+66@R",
        "55@U",
        "66@L",
        "66@R",
    )


def test_going_out_with_several_doubles_wins_the_round() -> None:
    state = table({"table": "32", "hands": {"A": "22 33", "B": "46"}, "boneyard": "45 56", "bank": 5})
    played, ended, *_ = telefon365.decide(state, 0, "33@L+22@R", CHANCE)
    assert played.payload["points"] == 10
    assert (ended.payload["how"], ended.payload["seat"], ended.payload["written"]) == ("out", 0, [15, 0])
    assert (ended.payload["scores"], ended.payload["carried"]) == ([25, 0], 0)


def test_legal_moves_name_every_set_that_the_rules_allow_and_no_other() -> None:
    """Compared with trying all doubles on all ends, over positions of random play."""
    seen = 0
    for seed in range(60):
        for state in positions(2 + seed % 3, seed):
            (seat,) = telefon365.to_act(state)
            held = [double for double in DOUBLES if double in state.hands[seat]]
            tried = set(every_set(state.layout, held)) if state.layout.line else set()
            moves = telefon365.legal_moves(state, seat)
            assert {move for move in moves if "+" in move} == tried
            seen += len(tried)
            for move in tried:
                first = telefon365.decide(state, seat, move, CHANCE)[0]
                assert "+".join(f"{laid}@{end}" for laid, end in first.payload["tiles"]) == move
                assert first.payload["points"] > 0
    assert seen > 20


def every_set(lying: Layout, held: list[str]) -> Iterator[str]:
    for count in range(2, len(held) + 1):
        for chosen in combinations(held, count):
            for where in permutations(ends(lying), count):
                placed = list(zip(chosen, where, strict=True))
                if all(str(ends(lying)[end]) == double[0] for double, end in placed):
                    after = lying
                    for double, end in placed:
                        after = lay(after, double, end, branching=True)
                    if open_sum(after, "zero") in range(5, 36, 5):
                        yield "+".join(sorted(f"{double}@{end}" for double, end in placed))


def positions(players: int, seed: int) -> Iterator[State]:
    """The positions of a match of random moves in which somebody is to act."""
    random, chance = Random(seed), SeededChance(seed)
    chosen = complete(telefon365.OPTIONS, players, {"round_limit": 3})
    state = folded(telefon365.initial(chosen), telefon365.setup(chosen, chance))
    while acting := telefon365.to_act(state):
        yield state
        (seat,) = acting
        move = random.choice(telefon365.legal_moves(state, seat))
        state = folded(state, telefon365.decide(state, seat, move, chance))


# Points of a move


@pytest.mark.parametrize(
    ("option", "opening", "points"),
    [
        ("any", "55", 10),
        ("any", "23", 5),
        ("any", "46", 10),
        ("any", "45", 0),
        ("any", "00", 0),
        ("only_5_5", "55", 10),
        ("only_5_5", "46", 0),
        ("only_5_5", "05", 0),
        ("none", "55", 0),
        ("none", "46", 0),
    ],
)
def test_whether_an_opening_tile_scores_is_an_option(option: str, opening: str, points: int) -> None:
    state = table({"hands": {"A": f"{opening} 12", "B": "01 56"}, "opening_scores": option})
    played = telefon365.decide(state, 0, opening, CHANCE)[0]
    assert (played.payload["points"], played.payload["scores"]) == (points, [points, 0])


@pytest.mark.parametrize("option", ["any", "only_5_5", "none"])
def test_the_option_for_the_opening_tile_touches_no_later_move(option: str) -> None:
    state = table({"table": "31", "hands": {"A": "12 66", "B": "06"}, "opening_scores": option})
    assert telefon365.decide(state, 0, "12@R", CHANCE)[0].payload["points"] == 5


def test_a_double_at_an_end_counts_both_halves_and_the_telephone_nothing() -> None:
    state = table({"table": "36", "hands": {"A": "66 45", "B": "16 06"}})
    (on_end,) = telefon365.decide(state, 0, "66@R", CHANCE)
    assert (on_end.payload["sum"], on_end.payload["points"]) == (15, 15)
    state = telefon365.evolve(state, on_end)
    for closing, total in (("16@R", 4), ("06@R", 3)):
        (closed,) = telefon365.decide(state, 1, closing, CHANCE)
        assert (closed.payload["sum"], closed.payload["points"]) == (total, 0)
        assert closed.payload["ends"] == {"L": 3, "R": total - 3, "U": 6, "D": 6}


# Drawing, passing, blocking


def test_with_a_tile_that_fits_neither_drawing_nor_passing_is_allowed() -> None:
    state = table({"table": "42 21", "hands": {"A": "46", "B": "16"}, "boneyard": "00 45"})
    assert refused(state, 0, "draw") == refused(state, 0, "pass")
    assert "neither" in refused(state, 0, "draw")


def test_the_reserve_is_never_drawn() -> None:
    state = table({"table": "42 21", "hands": {"A": "23 66", "B": "16"}, "boneyard": "00 45"})
    state = replace(state, hands=(("36", "66"), ("16",)))
    assert refused(state, 0, "pass") == "Draw first: a tile can still be drawn."
    (drew,) = telefon365.decide(state, 0, "draw", CHANCE)
    assert (drew.payload, drew.secret) == ({"count": 1, "boneyard": 1}, {"0": ["00"]})
    state = telefon365.evolve(state, drew)
    assert telefon365.forced_move(state, 0) == "pass"
    assert refused(state, 0, "draw") == "No tile can be drawn any more."
    (passed,) = telefon365.decide(state, 0, "pass", CHANCE)
    assert telefon365.evolve(state, passed).turn == 1


JAMMED = "20 00 05 52 22* 21 11 16 66 62 23 33 35 51 14 40 06 63 34"


def jammed(**more: Any) -> State:
    hands = {"A": "45 46", "B": "24 56"}
    return table({"table": JAMMED, "hands": hands, "boneyard": "01 03 13 44 55", **more}, turn=1)


def test_a_jam_is_counted_at_once() -> None:
    played, ended, dealt, *_ = telefon365.decide(jammed(), 1, "24@R", CHANCE)
    assert set(played.payload["ends"].values()) == {2}
    assert (ended.payload["how"], ended.payload["seat"], ended.payload["winner"]) == ("blocked", 1, 1)
    assert (ended.payload["values"], ended.payload["written"], ended.payload["leader"]) == ([19, 11], [0, 20], 1)
    assert dealt.payload["leader"] == 1


def test_a_jam_is_counted_after_all_but_the_reserve_is_drawn() -> None:
    state = jammed(blocked_check="after_draws")
    (played,) = telefon365.decide(state, 1, "24@R", CHANCE)
    state = telefon365.evolve(state, played)
    assert telefon365.forced_move(state, 0) == "draw"
    drew, ended, dealt, *_ = telefon365.decide(state, 0, "draw", CHANCE)
    assert (drew.payload, drew.secret) == ({"count": 4, "boneyard": 1}, {"0": ["01", "03", "13", "44"]})
    assert (ended.payload["how"], ended.payload["seat"], ended.payload["winner"]) == ("blocked", 1, 1)
    assert (ended.payload["values"], ended.payload["written"]) == ([35, 11], [0, 35])
    assert dealt.payload["leader"] == 1


def test_a_last_tile_that_blocks_too_is_going_out() -> None:
    state = replace(jammed(), hands=(("45", "46"), ("24",)))
    _, ended, *_ = telefon365.decide(state, 1, "24@R", CHANCE)
    assert (ended.payload["how"], ended.payload["written"]) == ("out", [0, 20])


@pytest.mark.parametrize(("option", "value"), [("always_10", 13), ("alone_10", 3)])
def test_a_blocked_round_is_compared_by_the_option_for_the_double_blank(option: str, value: int) -> None:
    """A's 0-0 and 1-2 against B's 1-1 and 0-2."""
    state = table({"players": 2, "hands": {"A": "00 12", "B": "11 02"}, "double_blank": option})
    ended = play.round_ended(GAME, state, "blocked", 0)
    assert ended.payload["values"] == [value, 4]
    assert ended.payload["winner"] == (1 if value == 13 else 0)


def test_in_teams_both_partners_are_counted_together() -> None:
    hands = {"A": "12", "B": "01", "C": "66", "D": "55"}
    ended = play.round_ended(GAME, table({"players": 4, "hands": hands}), "blocked", 2)
    assert (ended.payload["values"], ended.payload["winner"], ended.payload["written"]) == ([3, 1, 12, 10], 1, [0, 15])
    assert ended.payload["leader"] == 2


# The end of the match


KNOCKOUT = "66 60 00* 04 44 / U 05 55 / D 03"


def knocked(**more: Any) -> tuple[State, tuple[Event, ...]]:
    state = table({"table": KNOCKOUT, "hands": {"A": "35 12", "B": "36 11"}, **more})
    return state, telefon365.decide(state, 0, "35@D", CHANCE)


def test_a_knockout_writes_35_and_nothing_else() -> None:
    state, (played, ended) = knocked(scores={"A": 40, "B": 330}, bank=25)
    assert played.payload["points"] == 35
    assert ended.payload == {
        "round": 2,
        "how": "knockout",
        "seat": 0,
        "winner": 0,
        "hands": [["12"], ["36", "11"]],
        "values": [3, 11],
        "written": [0, 0],
        "carried": 25,
        "scores": [75, 330],
        "leader": None,
    }
    outcome = telefon365.outcome(folded(state, (played, ended)))
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.scores, outcome.reason) == ((0,), (1, 2), (75, 330), "knockout")


@pytest.mark.parametrize(
    ("scores", "places"),
    [({"B": 90, "C": 50}, (1, 2, 3)), ({"B": 50, "C": 90}, (1, 3, 2)), ({"B": 50, "C": 50}, (1, 2, 2))],
)
def test_after_a_knockout_the_others_are_placed_by_score(scores: dict[str, int], places: tuple[int, ...]) -> None:
    hands = {"A": "35 12", "B": "36 11", "C": "13"}
    state = table({"players": 3, "table": KNOCKOUT, "hands": hands, "scores": scores})
    outcome = telefon365.outcome(folded(state, telefon365.decide(state, 0, "35@D", CHANCE)))
    assert outcome is not None
    assert outcome.places == places


def test_a_knockout_comes_before_going_out_the_target_and_the_round_limit() -> None:
    state = table(
        {"table": KNOCKOUT, "hands": {"A": "35", "B": "36"}, "scores": {"A": 340, "B": 380}, "round_limit": 3}
    )
    state = replace(state, round=replace(state.round, number=3))
    events = telefon365.decide(state, 0, "35@D", CHANCE)
    outcome = telefon365.outcome(folded(state, events))
    assert outcome is not None
    assert (events[1].payload["how"], outcome.reason, outcome.winners) == ("knockout", "knockout", (0,))


def test_a_knockout_wins_for_both_partners() -> None:
    hands = {"A": "12", "B": "36", "C": "35 11", "D": "13"}
    state = table({"players": 4, "table": KNOCKOUT, "hands": hands, "scores": {"AC": 5, "BD": 300}}, turn=2)
    events = telefon365.decide(state, 2, "35@D", CHANCE)
    assert (events[1].payload["seat"], events[1].payload["winner"], events[1].payload["scores"]) == (2, 0, [40, 300])


def test_365_in_a_round_does_not_stop_it_and_who_came_first_wins_a_tie() -> None:
    """B comes to 365 first, A draws level: the round is played on, and B has won."""
    hands = {"A": "22 03", "B": "12 34"}
    state = table({"table": "31", "hands": hands, "scores": {"A": 355, "B": 360}}, turn=1)
    (first,) = telefon365.decide(state, 1, "12@R", CHANCE)
    state = telefon365.evolve(state, first)
    assert state.round.scores == (355, 365)
    assert telefon365.outcome(state) is None
    state = with_scores(state, (365, 365))
    assert state.reached == (1, 0)
    ended = play.round_ended(GAME, state, "out", 0)
    assert (ended.payload["written"], ended.payload["leader"]) == ([0, 0], None)
    outcome = telefon365.outcome(telefon365.evolve(state, ended))
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.reason) == ((1,), (2, 1), "target")
    assert why(state, ended)[-1] == "Equal at the top: side 1 came to 365 first."


def test_of_three_the_tied_loser_is_second() -> None:
    state = table({"players": 3, "hands": {"A": "12", "B": "13"}})
    for scores in ((365, 0, 0), (365, 0, 380), (365, 380, 380)):
        state = with_scores(state, scores)
    outcome = telefon365.outcome(telefon365.evolve(state, play.round_ended(GAME, state, "out", 2)))
    assert outcome is not None
    assert (outcome.winners, outcome.places) == ((2,), (3, 2, 1))


def test_a_seka_ends_a_match_that_is_won_and_its_bank_stands_in_the_record() -> None:
    state = table({"hands": {"A": "46", "B": "55"}, "scores": {"A": 360, "B": 100}, "bank": 10})
    state = with_scores(state, (370, 100))
    ended = play.round_ended(GAME, state, "blocked", 1)
    assert (ended.payload["winner"], ended.payload["carried"], ended.payload["leader"]) == (None, 30, None)
    outcome = telefon365.outcome(telefon365.evolve(state, ended))
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0,), "target")
    assert why(state, ended)[-1] == "Seka bank: 10 + 20 = 30."


def test_a_round_limit_shares_the_win_among_equals_and_the_bank_is_void() -> None:
    state = table({"hands": {"A": "46", "B": "55"}, "scores": {"A": 60, "B": 60}, "round_limit": 3})
    state = replace(state, round=replace(state.round, number=3))
    ended = play.round_ended(GAME, state, "blocked", 1)
    assert (ended.payload["carried"], ended.payload["leader"], ended.payload["scores"]) == (20, None, [60, 60])
    outcome = telefon365.outcome(telefon365.evolve(state, ended))
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.reason) == ((0, 1), (1, 1), "round_limit")


def test_the_target_is_named_before_the_round_limit() -> None:
    state = table({"hands": {"B": "12"}, "round_limit": 3})
    state = with_scores(replace(state, round=replace(state.round, number=3)), (365, 0))
    outcome = telefon365.outcome(telefon365.evolve(state, play.round_ended(GAME, state, "out", 0)))
    assert outcome is not None
    assert outcome.reason == "target"


def test_what_belongs_to_the_match_changes_no_position() -> None:
    state = table({"table": "12", "hands": {"A": "13", "B": "45"}})
    for kind in ("resigned", "bot_seated", "lapsed", "match_ended", "redealt", "anything"):
        assert telefon365.evolve(state, Event(kind, 0, {"seat": 0})) is state


# Options and seats


def test_four_seats_are_always_two_teams() -> None:
    sides = [telefon365.sides(complete(telefon365.OPTIONS, seats, {})) for seats in (2, 3, 4)]
    assert sides == [((0,), (1,)), ((0,), (1,), (2,)), ((0, 2), (1, 3))]
    assert "teams" not in complete(telefon365.OPTIONS, 4, {})


def test_a_hand_is_worth_its_pips_and_ten_for_the_double_blank() -> None:
    assert telefon365.hand_value(("00", "12")) == 13
    assert telefon365.hand_value(("00", "12"), "alone_10") == 3
    assert telefon365.hand_value(("00",), "alone_10") == 10
    assert telefon365.hand_value(()) == 0


# What a seat sees


def test_a_view_shows_the_telephone_its_arms_and_what_each_move_is_worth() -> None:
    state = several("62 23 33* 36 / U 35 / D 34", "66 44 55 12")
    seen = telefon365.view(state, 0)
    assert (seen.hub, seen.sum) == ("33", 21)
    assert [[(placed.left, placed.right) for placed in arm] for arm in seen.arms] == [[(3, 5)], [(3, 4)]]
    assert [(end.end, end.number, end.face) for end in seen.ends] == [
        ("L", 1, 6),
        ("R", 2, 6),
        ("U", 3, 5),
        ("D", 4, 4),
    ]
    worth = {preview.move: (preview.sum, preview.points) for preview in seen.previews}
    assert worth["44@D+55@U"] == (30, 30)
    assert worth["66@L"] == (27, 0)
    assert [held.tile for held in seen.hand if held.playable] == ["44", "55", "66"]
    assert (seen.boneyard, seen.reserve) == (11, 1)
    assert telefon365.view(state, None).previews == ()


# What is told


def test_every_move_is_told_and_explained() -> None:
    state = table({"table": "55 52", "hands": {"A": "35 12", "B": "16"}, "boneyard": "01 02"})
    (played,) = telefon365.decide(state, 0, "35@L", CHANCE)
    assert told(played) == ["A: 35, end 1. Open 3, total 5.", "Plus 5."]
    assert why(state, played) == [
        "3 + 2 = 5, a multiple of five.",
        "55 is closed first: from now on ends 3 and 4 are open too.",
    ]
    state = several("32", "22 33 11")
    (played,) = telefon365.decide(state, 0, "33@L+22@R", CHANCE)
    assert told(played) == ["A: 22 33, ends 2, 1. Total 10.", "Plus 10."]
    assert why(state, played) == [
        "6 (33) + 4 (22) = 10, a multiple of five.",
        "Doubles laid together score once, when all of them lie.",
    ]
    passed = Event("passed", 1)
    assert (told(passed), why(state, passed)) == (["B: pass."], [])
    drew = Event("drew", 0, {"count": 2, "boneyard": 3}, {"0": ["56", "11"]})
    assert told(drew) == ["A: from the boneyard 2.", "Taken: 56 11."]


@pytest.mark.parametrize(
    ("option", "opening", "reasons"),
    [
        ("any", "46", ["4 + 6 = 10, a multiple of five."]),
        ("any", "00", ["0 (00) = 0: zero scores nothing."]),
        ("any", "44", ["8 (44) = 8, not a multiple of five."]),
        (
            "only_5_5",
            "46",
            ["4 + 6 = 10, a multiple of five.", "Of all opening tiles only double 5 scores at this table."],
        ),
        ("only_5_5", "55", ["10 (55) = 10, a multiple of five."]),
        ("none", "55", ["10 (55) = 10, a multiple of five.", "The opening tile does not score at this table."]),
        ("none", "00", ["0 (00) = 0: zero scores nothing."]),
    ],
)
def test_an_opening_tile_is_explained_by_the_option(option: str, opening: str, reasons: list[str]) -> None:
    state = table({"hands": {"A": f"{opening} 12", "B": "01 56"}, "opening_scores": option})
    assert why(state, telefon365.decide(state, 0, opening, CHANCE)[0]) == reasons


def test_a_knockout_is_told_and_explained() -> None:
    state, (played, ended) = knocked(bank=25)
    assert why(state, played) == [
        "12 (66) + 8 (44) + 10 (55) + 5 = 35, a multiple of five.",
        "35 is the knock-out: it wins the match at once.",
    ]
    assert told(ended)[0] == "Knock-out 35. Match: side 0."
    assert why(telefon365.evolve(state, played), ended) == ["After a knock-out nothing is written for the hands."]


def test_a_deal_is_told_with_its_leader_and_the_bank() -> None:
    first = {"round": 1, "attempt": 0, "leader": None, "scores": [0, 0], "carried": 0}
    assert told(Event("dealt", None, first)) == ["Round 1."]
    later = {**first, "leader": 1, "carried": 25}
    assert told(Event("dealt", None, later)) == ["Round 1.", "To lead: B.", "Seka bank: 25."]


def test_a_void_deal_is_told_and_explained() -> None:
    chance = Orders(after(VOID_R1), after(FAIR, VOID_R2))
    start = telefon365.initial(complete(telefon365.OPTIONS, 2, {}))
    *_, dealt, first, again, second, _ = telefon365.setup(complete(telefon365.OPTIONS, 2, {}), chance)
    assert told(first) == ["A: five or more doubles.", "The tiles are dealt again."]
    assert why(telefon365.evolve(start, dealt), first) == [
        "A: 00 11 22 33 44. Five or more doubles in one hand void the deal."
    ]
    assert told(second) == ["B: five or more tiles of one suit.", "The tiles are dealt again."]
    assert why(telefon365.evolve(start, again), second) == [
        "B: 05 15 25 35 45. Five or more tiles of one suit, its double not counted, void the deal."
    ]
    state = vetoed()
    vetoing = telefon365.decide(state, 0, "55", CHANCE)[0]
    assert told(vetoing) == ["A: 55 led, and the opponents do not hold that suit.", "The tiles are dealt again."]
    assert why(state, vetoing) == ["55 opens, and neither opponent was dealt a tile of that suit: the deal is void."]


@pytest.mark.parametrize(
    ("given", "how", "seat", "first", "reasons"),
    [
        (
            {"players": 2, "hands": {"B": "66 56 14"}, "scores": {"A": 280}},
            "out",
            0,
            "A: last tile.",
            ["28, rounded up to a multiple of five: 30.", "The limit is 300: 20 of 30 are written."],
        ),
        (
            {"players": 3, "hands": {"A": "00 56", "C": "36 02"}, "bank": 25},
            "out",
            1,
            "B: last tile.",
            [
                "A: 00 counts 10.",
                "21 + 11 = 32, rounded up to a multiple of five: 35.",
                "With the seka bank: 35 + 25 = 60.",
            ],
        ),
        (
            {"players": 4, "hands": {"B": "34", "C": "66 55", "D": "56 01"}},
            "out",
            0,
            "A: last tile.",
            [
                "7 + 12 = 19, rounded up to a multiple of five: 20.",
                "side 0: own tiles worth 22, neither added nor taken off.",
            ],
        ),
        (
            {"players": 4, "hands": {"A": "12", "B": "06", "C": "46", "D": "44"}, "scores": {"AC": 290, "BD": 0}},
            "blocked",
            1,
            "Blocked. Fewest: side 0.",
            [
                "side 0: 3 + 10 = 13.",
                "side 1: 6 + 8 = 14.",
                "6 + 8 = 14, rounded up to a multiple of five: 15.",
                "side 0: own tiles worth 13, neither added nor taken off.",
                "The limit is 300: 10 of 15 are written.",
                "Laid the last tile and leads: B.",
            ],
        ),
        (
            {"players": 2, "hands": {"A": "55 05", "B": "66 12"}, "bank": 25},
            "blocked",
            1,
            "Seka. Bank 55.",
            [
                "The fewest points are shared: all hands go to the seka bank.",
                "15 + 15 = 30, rounded up to a multiple of five: 30.",
                "Seka bank: 25 + 30 = 55.",
                "Laid the last tile and leads: B.",
            ],
        ),
        (
            {"players": 2, "hands": {"A": "00", "B": "12 34"}, "double_blank": "alone_10"},
            "blocked",
            0,
            "Seka. Bank 20.",
            [
                "A: 00 counts 10.",
                "The fewest points are shared: all hands go to the seka bank.",
                "10 + 10 = 20, rounded up to a multiple of five: 20.",
                "Laid the last tile and leads: A.",
            ],
        ),
    ],
)
def test_the_end_of_a_round_is_told_and_explained(
    given: dict[str, Any], how: str, seat: Seat, first: str, reasons: list[str]
) -> None:
    state = table(given)
    ended = play.round_ended(GAME, state, how, seat)
    assert told(ended)[0] == first
    assert why(state, ended) == reasons


def test_the_end_of_a_round_names_hands_and_points() -> None:
    state = table({"players": 2, "hands": {"B": "66 01"}, "scores": {"A": 7}})
    assert told(play.round_ended(GAME, state, "out", 0)) == [
        "A: last tile.",
        "B: left in the hand 01 66, worth 13.",
        "side 0: plus 15. Total 22.",
    ]


def test_the_button_of_several_doubles_names_tiles_and_ends() -> None:
    assert spoken(telefon365.label(several("32", "22 33"), 0, "22@R+33@L")) == "22 33, ends 2, 1"


# The bot


def test_the_bot_lays_several_doubles_when_they_score_most() -> None:
    state = several("32", "22 33 11 01")
    assert telefon365.bot(telefon365.view(state, 0), telefon365.legal_moves(state, 0)) == "22@R+33@L"


def test_the_bot_takes_a_knockout() -> None:
    state = table({"table": KNOCKOUT, "hands": {"A": "35 36 33", "B": "11"}})
    assert telefon365.bot(telefon365.view(state, 0), telefon365.legal_moves(state, 0)) == "35@D"


def test_the_bot_beats_moves_at_random() -> None:
    wins = sum(bot_against_random(seed) for seed in range(40))
    assert wins > 25


def bot_against_random(seed: int) -> bool:
    """Whether the bot in seat A wins a match; B takes the legal moves in an order of chance."""
    chance, random = SeededChance(seed), Random(seed)
    chosen = complete(telefon365.OPTIONS, 2, {})
    state = folded(telefon365.initial(chosen), telefon365.setup(chosen, chance))
    while acting := telefon365.to_act(state):
        (seat,) = acting
        moves = telefon365.legal_moves(state, seat)
        move = telefon365.bot(telefon365.view(state, 0), moves) if seat == 0 else random.choice(moves)
        state = folded(state, telefon365.decide(state, seat, move, chance))
    outcome = telefon365.outcome(state)
    assert outcome is not None
    return outcome.winners == (0,)
