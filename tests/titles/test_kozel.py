"""Kozel: every worked example of the rules page, and the situations that went wrong elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from games.engine.contract import Event, IllegalMove, Seat, SeatName, SideName, Tiles, Title
from games.engine.dominoes import TILES, Layout
from games.engine.options import complete
from games.engine.rounds import play
from games.engine.rounds.position import Round, State
from games.titles import kozel
from games.titles.kozel import rules, scoring
from games.titles.kozel.rules import GAME, Options
from tests.titles.conftest import SeededChance

# The type checker reads here that the module offers all a title must.
TITLE: Title = kozel

EXAMPLES = yaml.safe_load((Path(rules.__file__).parent / "examples" / "kozel.yaml").read_text("utf-8"))

CHANCE = SeededChance("kozel")


def examples(check: str, **wanted: bool) -> Any:
    chosen = [
        example
        for example in EXAMPLES
        if example["check"] == check and all((key in example["given"]) == there for key, there in wanted.items())
    ]
    return pytest.mark.parametrize("example", chosen, ids=[example["id"] for example in chosen])


def hand(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split())


def options(given: dict[str, Any]) -> Options:
    """The typed options of an example: those it names, the defaults for the rest."""
    names = {option.name for option in kozel.OPTIONS}
    seats = given.get("players") or len(given.get("hands", "AB"))
    return Options(**complete(kozel.OPTIONS, seats, {key: given[key] for key in given if key in names}))


def side_names(typed: Options) -> list[str]:
    return ["".join("ABCD"[seat] for seat in seats) for seats in typed.sides]


def by_side(typed: Options, values: dict[str, int]) -> tuple[int, ...]:
    return tuple(values.get(name, 0) for name in side_names(typed))


def table(given: dict[str, Any], **more: Any) -> State:
    """The position an example gives, A to act unless `more` says otherwise."""
    typed = options(given)
    standing = Round(typed, by_side(typed, given.get("scores", {})), number=2, carried=given.get("eggs", 0), leader=0)
    hands = tuple(hand(given.get("hands", {}).get(name, "-")) for name in "ABCD"[: typed.players])
    line = hand(given.get("table", "-"))
    laid = tuple((min(tile, tile[::-1]), 1) for tile in line)
    boneyard = hand(given.get("boneyard", "-"))
    return replace(State(standing, 0, hands, boneyard, Layout(line), laid), **more)


def test_the_examples_are_all_there() -> None:
    assert [example["id"] for example in EXAMPLES] == [f"K-{number:02}" for number in range(1, 49)]


@examples("opener")
def test_who_opens_the_first_round(example: dict[str, Any]) -> None:
    given = example["given"]
    hands = tuple(hand(held) for held in given["hands"].values())
    seat, tile = rules.first_lead(options(given), hands)
    assert {"by": "ABCD"[seat], "tile": tile} == example["then"]


@examples("legal")
def test_legal_moves(example: dict[str, Any]) -> None:
    given = example["given"]
    state = table(given, hands=(hand(given["hand"]), ("00",)), boneyard=("11",) * given["drawable"])
    assert set(kozel.legal_moves(state, 0)) == set(example["then"]["plays"])


@examples("turn")
def test_drawing_and_passing(example: dict[str, Any]) -> None:
    """All but A hold a tile that fits, so no draw blocks the round."""
    given, then = example["given"], example["then"]
    state = table(given)
    state = replace(state, hands=(hand(given["hand"]), *(("33",) for _ in state.hands[1:])))
    drawn: tuple[str, ...] = ()
    if kozel.legal_moves(state, 0) == ("draw",):
        assert kozel.forced_move(state, 0) == "draw"
        (drew,) = kozel.decide(state, 0, "draw", CHANCE)
        state = kozel.evolve(state, drew)
        drawn = tuple(drew.secret["0"])
        assert drew.payload == {"count": len(drawn), "boneyard": len(state.boneyard)}
    assert drawn == hand(then["drawn"])
    assert must(state) == then["must"]
    assert kozel.legal_moves(state, 0) == tuple(then.get("plays", ["pass"]))
    assert state.boneyard == hand(then.get("boneyard", given["boneyard"] if not drawn else "-"))
    if "hand" in then:
        assert state.hands[0] == hand(then["hand"])


def must(state: State) -> str:
    """What the rules force: `choose`, `pass`, or the tile just drawn."""
    forced = kozel.forced_move(state, 0)
    return "choose" if forced is None else forced.split("@")[0]


@examples("blocked")
def test_blocked(example: dict[str, Any]) -> None:
    """B lays the last tile of the line; what follows shows whether the round is blocked."""
    given = example["given"]
    *line, last = given["table"].split()
    state = table(given, layout=Layout(tuple(line)), turn=1)
    state = replace(state, hands=(state.hands[0], (*state.hands[1], last)))
    kinds = [event.kind for event in kozel.decide(state, 1, f"{last}@R", CHANCE)]
    assert ("round_ended" in kinds) is example["then"]["blocked"]


@examples("hand_end", out=True)
def test_going_out(example: dict[str, Any]) -> None:
    given = example["given"]
    seat = "ABCD".index(given["out"])
    state = table(given, turn=seat)
    last = given.get("last_tile") or next(tile for tile in TILES[1:] if not any(tile in held for held in state.hands))
    hands = tuple((last,) if holder == seat else held for holder, held in enumerate(state.hands))
    state = replace(state, hands=hands, layout=Layout((last[::-1],)))
    played, ended, *_ = events = kozel.decide(state, seat, f"{last}@R", CHANCE)
    assert played.kind == "played"
    assert ended.payload["how"] == ("bald" if "match_over" in example["then"] else "out")
    assert_counted(example, ended, folded(state, events))


@examples("hand_end", blocker=True)
def test_counting_a_blocked_round(example: dict[str, Any]) -> None:
    """These positions were chosen for their arithmetic: no line of tiles leads to some of them."""
    state = table(example["given"])
    ended = play.round_ended(GAME, state, "blocked", "ABCD".index(example["given"]["blocker"]))
    assert_counted(example, ended, kozel.evolve(state, ended))


def folded(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = kozel.evolve(state, event)
    return state


def assert_counted(example: dict[str, Any], ended: Event, after: State) -> None:
    """Everything the example says of the end of the round stands in the event and in the position after it."""
    then, payload, typed = example["then"], ended.payload, after.round.options
    names = side_names(typed)
    if "winner" in then:
        assert (names[payload["winner"]] if payload["winner"] is not None else "none") == then["winner"]
    if "written" in then:
        assert tuple(payload["written"]) == by_side(typed, then["written"])
    if "scores" in then:
        scores = by_side(typed, then["scores"])
        assert {name: scores[names.index(name)] for name in then["scores"]} == {
            name: after.round.scores[names.index(name)] for name in then["scores"]
        }
    if "eggs" in then:
        assert payload["carried"] == after.round.carried == then["eggs"]
    if "leader" in then:
        assert "ABCD"[payload["leader"]] == then["leader"]
    if "match_over" in then:
        assert_over(after, then)
    else:
        assert kozel.outcome(after) is None


def assert_over(state: State, then: dict[str, Any]) -> None:
    outcome = kozel.outcome(state)
    assert outcome is not None
    names = side_names(state.round.options)
    assert [names[side] for side in outcome.winners] == then["winners"]
    assert kozel.to_act(state) == frozenset()
    if "ranking" in then:
        ranked = [[name for name, place in zip(names, outcome.places, strict=True) if place == p] for p in range(1, 5)]
        assert [group for group in ranked if group] == then["ranking"]


@examples("match_end")
def test_the_end_of_the_match(example: dict[str, Any]) -> None:
    """A round in which the losing sides bring the scores to what the example gives."""
    scores, then = list(example["given"]["scores"].values()), example["then"]
    state = table({"players": 4, "teams": True} if "AC" in example["given"]["scores"] else {"players": len(scores)})
    payload = {**play.round_ended(GAME, state, "out", 0).payload, "scores": scores}
    state = kozel.evolve(state, Event("round_ended", None, payload))
    if not then["over"]:
        assert kozel.outcome(state) is None
        return
    assert_over(state, then)
    outcome = kozel.outcome(state)
    assert outcome is not None
    assert outcome.reason == "target"
    names = side_names(state.round.options)
    assert [name for name, score in zip(names, outcome.scores, strict=True) if score >= 101] == then["kozel"]


def test_a_double_blank_that_was_drawn_and_laid_last_is_bald_too() -> None:
    state = table({"players": 2, "bald": True}, hands=(("00",), ("12",)), layout=Layout(("01",)), boneyard=("55",))
    *_, ended = kozel.decide(state, 0, "00@L", CHANCE)
    assert (ended.payload["how"], ended.payload["leader"], ended.payload["written"]) == ("bald", None, [0, 0])


@pytest.mark.parametrize(
    ("scores", "over"), [((100, 90), None), ((101, 90), "target"), ((101, 101), "target"), ((0, 130), "target")]
)
def test_only_101_ends_a_match_without_a_limit(scores: tuple[int, ...], over: str | None) -> None:
    state = table({"players": 2})
    payload = {**play.round_ended(GAME, state, "out", 0).payload, "scores": list(scores)}
    outcome = kozel.outcome(kozel.evolve(state, Event("round_ended", None, payload)))
    assert (outcome and outcome.reason) == over


def test_a_round_limit_ends_an_eggs_round_too() -> None:
    """The eggs are void; the record still tells them as they stood."""
    state = table(
        {"players": 2, "round_limit": 3, "scores": {"A": 9, "B": 9}},
        hands=(("55", "01"), ("46",)),
        layout=Layout(("10",)),
    )
    state = replace(state, round=replace(state.round, number=3))
    played, ended = kozel.decide(state, 0, "01@L", CHANCE)
    assert ended.payload["winner"] is None
    assert (ended.payload["carried"], ended.payload["leader"]) == (20, None)
    outcome = kozel.outcome(folded(state, (played, ended)))
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.reason) == ((0, 1), (1, 1), "round_limit")


def test_the_target_is_named_before_the_round_limit() -> None:
    state = table({"players": 2, "round_limit": 1, "scores": {"B": 99}})
    state = replace(state, round=replace(state.round, number=1), hands=((), ("12",)))
    outcome = kozel.outcome(kozel.evolve(state, play.round_ended(GAME, state, "out", 0)))
    assert outcome is not None
    assert outcome.reason == "target"


JAMMED = "20 00 05 52 22 21 11 16 66 62 23 33 35 51 14 40 06 63 34"


def test_a_jam_is_counted_after_the_boneyard_is_drawn() -> None:
    """Every end wants a 2 and all seven lie, but the boneyard is drawn first: in one step, not tile by tile."""
    state = table(
        {"players": 2, "table": JAMMED, "hands": {"A": "45 46", "B": "24 56"}, "boneyard": "01 03 13 44 55"}, turn=1
    )
    (played,) = kozel.decide(state, 1, "24@R", CHANCE)
    state = kozel.evolve(state, played)
    assert kozel.forced_move(state, 0) == "draw"
    drew, ended, dealt = kozel.decide(state, 0, "draw", CHANCE)
    assert drew.payload == {"count": 5, "boneyard": 0}
    assert drew.secret == {"0": ["01", "03", "13", "44", "55"]}
    assert (ended.payload["how"], ended.payload["seat"], ended.payload["winner"]) == ("blocked", 1, 1)
    assert (ended.payload["values"], ended.payload["written"]) == ([45, 11], [45, 0])
    assert dealt.payload == {"round": 3, "attempt": 0, "leader": 1, "scores": [45, 0], "carried": 0}


def test_going_out_counts_every_other_hand_whoever_plays_it() -> None:
    state = table({"players": 4, "teams": False, "hands": {"A": "12", "B": "56", "C": "66", "D": "44 01"}}, turn=1)
    state = replace(state, layout=Layout(("46",)))
    _, ended, dealt = events = kozel.decide(state, 1, "56@R", CHANCE)
    assert ended.payload["written"] == [3, 0, 50, 9]
    assert dealt.payload["leader"] == 1
    with pytest.raises(IllegalMove):
        kozel.decide(folded(state, events), 3, "44@R", CHANCE)


def test_a_side_that_resigned_changes_nothing_in_the_rules() -> None:
    state = table({"players": 2, "table": "12", "hands": {"A": "13", "B": "45"}})
    for kind in ("resigned", "bot_seated", "lapsed", "match_ended", "anything"):
        assert kozel.evolve(state, Event(kind, 0, {"seat": 0})) is state


def refused(state: State, seat: Seat, move: str) -> str:
    with pytest.raises(IllegalMove) as error:
        kozel.decide(state, seat, move, CHANCE)
    return error.value.reason.text


def test_with_a_tile_that_fits_neither_drawing_nor_passing_is_allowed() -> None:
    state = table({"table": "42 21", "hands": {"A": "46", "B": "16"}, "boneyard": "00 45"})
    assert refused(state, 0, "draw") == refused(state, 0, "pass")
    assert "neither" in refused(state, 0, "draw")


def test_no_pass_while_a_tile_can_be_drawn_and_no_draw_without_a_boneyard() -> None:
    state = table({"table": "42 21", "hands": {"A": "23 66", "B": "16"}, "boneyard": "00 45"})
    assert refused(state, 0, "pass") == "Draw first: a tile can still be drawn."
    (drew,) = kozel.decide(state, 0, "draw", CHANCE)
    assert drew.secret == {"0": ["00", "45"]}
    assert kozel.forced_move(kozel.evolve(state, drew), 0) == "45@L"
    assert refused(replace(state, boneyard=()), 0, "draw") == "No tile can be drawn any more."


def test_a_tile_that_is_not_in_the_hand_is_refused_alike_wherever_it_is() -> None:
    """In another hand, in the boneyard, on the table."""
    state = table({"table": "42 21", "hands": {"A": "46", "B": "16"}, "boneyard": "01 45"})
    assert {refused(state, 0, f"{tile}@L") for tile in ("16", "45", "24", "61")} == {"{tile}: not in your hand."}


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        "46",
        "46@",
        "46@X",
        "46@U",
        "46@R",
        "46@L+46@R",
        "99@L",
        "46@L\n",
        "DRAW",
        "throw",
        "46@L" * 100_000,
        "\0",
        "ə",
    ],
)
def test_hostile_moves_are_refused_with_a_sentence(hostile: str) -> None:
    state = table({"table": "42 21", "hands": {"A": "46", "B": "16"}, "boneyard": "01 45"})
    assert refused(state, 0, hostile)


@pytest.mark.parametrize("move", ["46@L", "64@L"])
def test_a_tile_may_be_written_either_way_round(move: str) -> None:
    state = table({"table": "42 21", "hands": {"A": "46 05", "B": "16"}, "boneyard": "01 45"})
    (played,) = kozel.decide(state, 0, move, CHANCE)
    assert played.payload["tiles"] == [["46", "L"]]
    assert played.payload["ends"] == {"L": 6, "R": 1}


def test_nobody_moves_out_of_turn() -> None:
    state = table({"table": "42 21", "hands": {"A": "46", "B": "16"}})
    assert refused(state, 1, "16@R") == "It is not your turn."
    assert kozel.legal_moves(state, 1) == ()
    assert kozel.forced_move(state, 1) is None


def test_the_first_tile_of_the_match_is_forced_and_has_no_end() -> None:
    complete_options = complete(kozel.OPTIONS, 4, {})
    state = folded(kozel.initial(complete_options), kozel.setup(complete_options, CHANCE))
    (seat,) = kozel.to_act(state)
    assert kozel.legal_moves(state, seat) == ("11",)
    assert kozel.forced_move(state, seat) == "11"
    assert "first round" in refused(state, seat, next(tile for tile in state.hands[seat] if tile != "11"))
    assert "no end" in refused(state, seat, "11@L")
    assert refused(state, seat, "draw") == refused(state, seat, "pass")


def test_a_later_round_opens_with_any_tile_and_forces_nothing() -> None:
    state = table({"hands": {"A": "46 05", "B": "16"}})
    assert kozel.legal_moves(state, 0) == ("05", "46")
    assert kozel.forced_move(state, 0) is None
    (played,) = kozel.decide(state, 0, "46", CHANCE)
    assert played.payload["tiles"] == [["46", None]]
    assert played.payload["ends"] == {"L": 4, "R": 6}


def test_both_ends_of_an_opening_double_are_offered() -> None:
    state = table({"table": "55", "hands": {"A": "25 66", "B": "16"}})
    assert kozel.legal_moves(state, 0) == ("25@L", "25@R")
    assert kozel.evolve(state, kozel.decide(state, 0, "25@L", CHANCE)[0]).layout.line == ("25", "55")


def test_a_sole_tile_of_the_hand_is_not_forced_but_a_drawn_one_is() -> None:
    """Playing it at once would tell the others what is in the hand."""
    state = table({"table": "42 21", "hands": {"A": "46", "B": "16"}, "boneyard": "45 01"})
    assert kozel.legal_moves(state, 0) == ("46@L",)
    assert kozel.forced_move(state, 0) is None
    assert kozel.forced_move(replace(state, drew=True), 0) == "46@L"
    assert kozel.forced_move(replace(state, drew=True, hands=(("14",), ("16",))), 0) is None


def test_the_club_lays_the_heaviest_tile_for_somebody_who_is_away() -> None:
    state = table({"table": "42 21", "hands": {"A": "14 46 11", "B": "16"}})
    (played,) = kozel.absent(state, 0, CHANCE)
    assert played.payload["tiles"] == [["46", "L"]]


def test_the_club_plays_a_turn_that_begins_with_a_draw_to_its_end() -> None:
    state = table({"table": "42 21", "hands": {"A": "66 55", "B": "16"}, "boneyard": "33 14 00"})
    drew, played = kozel.absent(state, 0, CHANCE)
    assert drew.payload == {"count": 2, "boneyard": 1}
    assert played.payload["tiles"] == [["14", "L"]]
    nothing_fits = replace(state, boneyard=("33", "00"))
    assert [event.kind for event in kozel.absent(nothing_fits, 0, CHANCE)] == ["drew", "passed"]
    assert [event.kind for event in kozel.absent(replace(state, boneyard=()), 0, CHANCE)] == ["passed"]


def test_a_view_shows_the_line_as_it_lies_and_what_fits() -> None:
    state = table(
        {"table": "55", "hands": {"A": "25 66", "B": "16 35"}, "boneyard": "01", "eggs": 4}, laid=(("55", 1),)
    )
    state = folded(state, kozel.decide(state, 0, "25@L", CHANCE))
    seen = kozel.view(state, 1)
    assert [(p.left, p.right, p.double, p.number, p.seat) for p in seen.line] == [
        (2, 5, False, 2, 0),
        (5, 5, True, 1, 1),
    ]
    assert [(end.end, end.number, end.face) for end in seen.ends] == [("L", 1, 2), ("R", 2, 5)]
    assert [(held.tile, held.ends, held.playable) for held in seen.hand] == [("16", (), False), ("35", ("R",), True)]
    assert (seen.counts, seen.boneyard, seen.carried) == ((1, 2), 1, 4)
    assert (seen.to_act, seen.phase) == ((1,), "play")


def test_only_the_seat_in_turn_is_told_that_it_cannot_lay() -> None:
    state = table({"table": "42 21", "hands": {"A": "66", "B": "16"}, "boneyard": "33"})
    assert [kozel.view(state, seat).phase for seat in (0, 1, None)] == ["draw", "play", "play"]
    assert kozel.view(replace(state, boneyard=()), 0).phase == "pass"
    assert kozel.view(state, None).hand == ()


def test_a_match_that_is_over_shows_its_last_round() -> None:
    state = table({"players": 2, "table": "12", "hands": {"A": "23", "B": "66"}, "scores": {"B": 60}})
    state = folded(state, kozel.decide(state, 0, "23@R", CHANCE))
    seen = kozel.view(state, None)
    assert (seen.phase, seen.to_act, seen.scores) == ("over", (), (0, 110))
    assert seen.result is not None
    assert (seen.result.hands, seen.result.values, seen.result.written) == (((), ("66",)), (0, 50), (0, 50))


def told(event: Event) -> list[str]:
    """The sentences with names and tiles put in the plainest way."""
    plain = {
        SeatName: lambda v: "ABCD"[v.seat],
        SideName: lambda v: f"side {v.side}",
        Tiles: lambda v: " ".join(v.tiles),
    }
    return [
        phrase.text.format(**{key: plain.get(type(value), str)(value) for key, value in phrase.values.items()})
        for phrase in kozel.describe(event)
    ]


def test_every_move_is_told_in_a_sentence() -> None:
    state = table({"table": "42 21", "hands": {"A": "66 46", "B": "16"}, "boneyard": "33"})
    (played,) = kozel.decide(state, 0, "46@L", CHANCE)
    assert told(played) == ["A: 46, end 1. Open 6."]
    opened = kozel.decide(replace(state, layout=Layout()), 0, "46", CHANCE)[0]
    assert told(opened) == ["A: 46, the first tile."]
    assert told(Event("passed", 1)) == ["B: pass."]
    assert told(Event("bot_seated", 1, {"seat": 1})) == []


def test_drawn_tiles_are_told_only_where_they_are_known() -> None:
    drew = Event("drew", 0, {"count": 2, "boneyard": 3}, {"0": ["56", "11"]})
    assert told(drew) == ["A: from the boneyard 2.", "Taken: 56 11."]
    assert told(replace(drew, secret={})) == ["A: from the boneyard 2."]
    assert told(replace(drew, secret={"1": ["34"]})) == ["A: from the boneyard 2."]


def test_the_end_of_a_round_is_told_with_hands_and_penalties() -> None:
    state = table({"players": 2, "hands": {"B": "66"}, "scores": {"B": 7}})
    assert told(play.round_ended(GAME, state, "out", 0)) == [
        "A: last tile.",
        "B: left in the hand 66, worth 50.",
        "side 1: plus 50. Total 57.",
    ]
    tied = table({"players": 2, "hands": {"A": "46", "B": "55"}, "eggs": 3})
    assert told(play.round_ended(GAME, tied, "blocked", 0))[0] == "Blocked. Fewest shared. Eggs: 23."
    assert told(play.round_ended(GAME, tied, "bald", 0))[0] == "A: the last tile is 00. Match: side 0."
    lower = table({"players": 2, "hands": {"A": "46", "B": "56"}})
    assert told(play.round_ended(GAME, lower, "blocked", 0))[0] == "Blocked. Fewest: side 0."


def test_a_deal_is_told_with_its_leader_and_eggs() -> None:
    first = {"round": 1, "attempt": 0, "leader": None, "scores": [0, 0], "carried": 0}
    assert told(Event("dealt", None, first)) == ["Round 1."]
    assert told(Event("dealt", None, {**first, "leader": 1, "carried": 26})) == ["Round 1.", "To lead: B.", "Eggs: 26."]
    assert told(Event("match_started", None, {"first_seat": None})) == ["The match begins."]


@pytest.mark.parametrize(
    ("move", "text", "values"),
    [
        ("draw", "Draw", {}),
        ("pass", "Pass", {}),
        ("25", "{tile}", {"tile": Tiles(("25",))}),
        ("25@R", "{tile}, end {end}", {"tile": Tiles(("25",)), "end": 2}),
    ],
)
def test_the_words_of_a_button(move: str, text: str, values: dict[str, Any]) -> None:
    phrase = kozel.label(table({}), 0, move)
    assert (phrase.text, phrase.values) == (text, values)


@pytest.mark.parametrize("blank", ["00", "66"])
def test_tiles_that_cost_most_alone_are_not_kept(blank: str) -> None:
    state = table({"hands": {"A": f"{blank} 01 16", "B": "22"}})
    assert kozel.bot(kozel.view(state, 0), kozel.legal_moves(state, 0)) == blank


def test_the_bot_beats_moves_at_random() -> None:
    wins = sum(bot_against_random(seed) for seed in range(40))
    assert wins > 25


def bot_against_random(seed: int) -> bool:
    """Whether the bot in seat A wins a match; B takes the legal moves in an order of chance."""
    chance = SeededChance(seed)
    complete_options = complete(kozel.OPTIONS, 2, {})
    state = folded(kozel.initial(complete_options), kozel.setup(complete_options, chance))
    number = 0
    while acting := kozel.to_act(state):
        (seat,) = acting
        moves = kozel.legal_moves(state, seat)
        number += 1
        chosen = kozel.bot(kozel.view(state, 0), moves) if seat == 0 else moves[chance.lot(number, len(moves))]
        state = folded(state, kozel.decide(state, seat, chosen, chance))
    outcome = kozel.outcome(state)
    assert outcome is not None
    return outcome.winners == (0,)


def test_the_biggest_loser_takes_eggs_before_the_entry_is_asked() -> None:
    """A loser below 13 with the eggs comes to 13 or more, one without stays out (sections 10 and 13)."""
    assert scoring.write((0, 5, 4), 0, (0, 0, 0), 26, True) == ((0, 31, 0), 0)
