"""The independent reader of match records, held against worked examples of the rules pages and against wrong records.

Nothing here asks a title what is right: the positions and the short records were counted by hand.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from games import titles
from games.engine.options import complete
from games.selfplay import Plan, play_match
from tests import records as reader
from tests.records import allfives, dominoes, kozel, telefon, telefon365, thousand
from tests.records.by_hand import (
    BY_HAND,
    SEATS,
    a_pass_and_a_block,
    a_redeal_and_a_seka,
    a_set_a_draw_and_going_out,
    empty_record,
    hands_of,
    laid,
)
from tests.records.dominoes import DominoReader, Layout
from tests.records.match import Facts, Record


def layout(text: str, branches: bool = True) -> Layout:
    """A layout in the words of the pages: `35 55* 52 / U 54 / D 51`."""
    table = Layout(branches)
    line, *arms = text.split(" / ")
    for tile in line.split():
        table.line.append(tile[:2])
        if tile.endswith("*"):
            table.hub = tile[0]
    for arm in arms:
        end, *tiles = arm.split()
        table.arms[end] = tiles
    return table


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


def position(title: str, table: str = "", hands: str = "- / -", boneyard: str = "", **given: Any) -> DominoReader:
    """A reader in the middle of a hand, A to act; tiles that the example does not name are nowhere."""
    held = hands_of(hands)
    place = reader.READERS[title](empty_record(title, len(held), given))
    assert isinstance(place, DominoReader)
    place.hands, place.boneyard = held, boneyard.split()
    place.layout = layout(table, title != "kozel") if table else place.layout
    place.turn, place.leader, place.due, place.round = 0, 0, None, 2
    place.everywhere_once = lambda: None  # type: ignore[method-assign]
    return place


def told(kind: str, seat: int | None, /, **payload: Any) -> Facts:
    return {"kind": kind, "seat": seat, "at": None, "payload": payload, "secret": {}, "number": 0}


# Counting and legal moves


@pytest.mark.parametrize(
    ("table", "hub_count", "total", "ends"),
    [
        ("55", "zero", 10, "L5 R5"),
        ("32", "zero", 5, "L3 R2"),
        ("55 52", "zero", 12, "L5 R2"),
        ("35 55* 52", "zero", 5, "L3 R2 U5 D5"),
        ("35 55* 52", "until_first_side_arm", 15, "L3 R2 U5 D5"),
        ("35 55* 52", "until_both_side_arms", 15, "L3 R2 U5 D5"),
        ("35 55* 52 / U 54", "zero", 9, "L3 R2 U4 D5"),
        ("35 55* 52 / U 54", "until_first_side_arm", 9, "L3 R2 U4 D5"),
        ("35 55* 52 / U 54", "until_both_side_arms", 19, "L3 R2 U4 D5"),
        ("35 55* 52 / U 54 44 / D 51", "until_both_side_arms", 14, "L3 R2 U4 D1"),
        ("32 22", "zero", 7, "L3 R2"),
        ("32 22* 26", "zero", 9, "L3 R6 U2 D2"),
        ("35 55* 52 22 26", "zero", 9, "L3 R6 U5 D5"),
        ("66 60 00* 04 44 / U 05 55 / D 03 36", "zero", 36, "L6 R4 U5 D6"),
        ("66 60 00* 04 44 / U 05 55 / D 03 35", "zero", 35, "L6 R4 U5 D5"),
        ("06 66* 63", "until_first_side_arm", 15, "L0 R3 U6 D6"),
        ("31 11* 14", "until_first_side_arm", 9, "L3 R4 U1 D1"),
        ("06 66* 63 33 34", "until_first_side_arm", 16, "L0 R4 U6 D6"),
    ],
)
def test_open_ends_are_counted(table, hub_count, total, ends):
    place = layout(table)
    assert place.total(hub_count) == total
    assert " ".join(end + face for end, face in place.ends().items()) == ends


@pytest.mark.parametrize(
    ("table", "tile", "end", "after", "hub"),
    [
        ("55", "25", "R", "55 52", None),
        ("55", "25", "L", "25 55", None),
        ("55 52", "35", "L", "35 55 52", "5"),
        ("25", "22", "L", "22 25", None),
        ("22 25", "23", "L", "32 22 25", "2"),
        ("32 22", "26", "R", "32 22 26", "2"),
        ("35 55* 52 22", "26", "R", "35 55 52 22 26", "5"),
    ],
)
def test_a_tile_is_laid_and_a_double_is_closed(table, tile, end, after, hub):
    place = layout(table)
    place.put(tile, end)
    assert (" ".join(place.line), place.hub) == (after, hub)


def test_an_arm_grows_outwards():
    place = layout("35 55* 52")
    place.put("45", "U")
    place.put("34", "U")
    assert place.arms == {"U": ["54", "43"], "D": []}
    assert place.tiles() == ["35", "55", "25", "45", "34"]


@pytest.mark.parametrize(
    ("tile", "end", "words"),
    [("16", "L", "does not fit"), ("25", "U", "'U'"), ("25", None, "not empty")],
)
def test_what_does_not_fit_is_refused(tile, end, words):
    with pytest.raises((ValueError, KeyError), match=words):
        layout("25").put(tile, end)


@pytest.mark.parametrize("table", ["25 35", "25 55 55", "35 55* 52 / U 55", "35 55* 52 / U 43"])
def test_what_can_never_lie_is_seen(table):
    assert layout(table).wrong()
    assert layout("35 55* 52 / U 54 44 / D 51").wrong() is None


@pytest.mark.parametrize(
    ("title", "table", "hand", "legal"),
    [
        ("telefon", "35 55* 52", "45 23 16 66", "23@L 23@R 45@D 45@U"),
        ("telefon", "32", "33 24 16", "24@R 33@L"),
        ("telefon", "55", "25 16", "25@L 25@R"),
        ("telefon", "32", "33 22 11 46", "22@R 33@L"),
        ("kozel", "12 22 23", "24 14 36", "14@L 36@R"),
        ("telefon365", "32", "33 22 11 46", "22@R 22@R+33@L 33@L"),
        ("telefon365", "61", "66 11 45", "11@R 66@L"),
        # 13 on the ends; only all three doubles score: 13 + 6 + 4 + 2.
        ("telefon365", "60 00* 04 / U 01 / D 02", "66 44 22", "22@D 22@D+44@R+66@L 44@R 66@L"),
        # 15 on the ends; the doubles add 6, 5, 4 and 0.
        (
            "telefon365",
            "63 33* 35 / U 34 / D 30",
            "66 55 44 00",
            "00@D 00@D+44@U+55@R+66@L 00@D+44@U+66@L 00@D+55@R 44@U 44@U+55@R+66@L 44@U+66@L 55@R 66@L",
        ),
        # One double, two ends: 8 + 1 + 6 either way.
        ("telefon365", "13 33* 32 21 / U 36", "11 66", "11@L 11@L+66@U 11@R 11@R+66@U 66@U"),
    ],
)
def test_the_legal_list(title, table, hand, legal):
    assert " ".join(position(title, table, f"{hand} / -").offered()) == legal


@pytest.mark.parametrize(
    ("title", "table", "play", "total", "points", "given"),
    [
        ("telefon365", "", "23", 5, 5, {}),
        ("telefon365", "", "55", 10, 10, {}),
        ("telefon365", "", "44", 8, 0, {}),
        ("telefon365", "", "00", 0, 0, {}),
        ("telefon365", "", "23", 5, 0, {"opening_scores": "only_5_5"}),
        ("telefon365", "", "55", 10, 10, {"opening_scores": "only_5_5"}),
        ("telefon365", "", "55", 10, 0, {"opening_scores": "none"}),
        ("telefon365", "45 55* 51", "16@R", 10, 10, {"opening_scores": "none"}),
        ("telefon365", "35 55* 52 / U 54", "15@D", 10, 10, {}),
        ("telefon365", "32", "22@R+33@L", 10, 10, {}),
        ("telefon365", "66 60 00* 04 44 / U 05 55 / D 03", "36@D", 36, 0, {}),
        ("telefon", "", "23", 5, 0, {}),
        ("telefon", "", "55", 10, 10, {}),
        ("telefon", "", "46", 10, 0, {}),
        ("telefon", "55", "05@R", 10, 10, {}),
        ("telefon", "55 52", "35@L", 15, 15, {}),
        ("telefon", "55 52", "35@L", 5, 5, {"hub_count": "zero"}),
        ("telefon", "35 55* 52", "45@U", 9, 0, {}),
        ("telefon", "35 55* 52", "45@U", 19, 0, {"hub_count": "until_both_side_arms"}),
        ("telefon", "66 60 00* 04 44 / U 05 55 / D 03", "35@D", 35, 35, {}),
        ("allfives", "", "46", 10, 10, {}),
        ("allfives", "", "66", 12, 0, {}),
        ("allfives", "66", "36@R", 15, 15, {}),
        ("allfives", "66 63", "06@L", 15, 15, {}),
        ("allfives", "06 66* 63", "26@U", 5, 5, {}),
        ("allfives", "06 66* 63", "26@U", 17, 0, {"hub_count": "until_both_side_arms"}),
        ("allfives", "06 66* 63 / U 62", "56@D", 10, 10, {}),
        ("kozel", "12 22 23", "14@L", 0, 0, {}),
    ],
)
def test_what_a_move_is_worth(title, table, play, total, points, given):
    held = " ".join(part[:2] for part in play.split("+"))
    place = position(title, table, f"{held} 01 / 02", **given)
    place.opened = 0
    after = place.layout.copy()
    for tile, end in laid(play):
        after.put(str(tile), end)
    ends = {end: int(face) for end, face in after.ends().items()}
    event = told("played", 0, tiles=laid(play), sum=total, points=points, scores=[points, 0], ends=ends)
    place.tell(event)
    assert place.turn == 1
    for key, wrong in (("sum", total + 1), ("points", points + 5), ("scores", [0, 5]), ("ends", {"L": 9, "R": 9})):
        again = position(title, table, f"{held} 01 / 02", **given)
        with pytest.raises(AssertionError, match=f"played.*{key} is"):
            again.tell({**event, "payload": {**event["payload"], key: wrong}})


def test_thirty_five_ends_a_match_of_telefon_365_alone():
    table, play = "66 60 00* 04 44 / U 05 55 / D 03", {"tiles": [["35", "D"]], "sum": 35, "points": 35}
    ends = {"L": 6, "R": 4, "U": 5, "D": 5}
    for title, due in (("telefon365", "round_ended"), ("telefon", None)):
        place = position(title, table, "35 01 / 02 04")
        place.tell(told("played", 0, **play, scores=[35, 0], ends=ends))
        assert place.due == due
    place = position("telefon365", table, "35 01 / 02 04")
    place.scores, place.carried = [40, 330], 25
    place.tell(told("played", 0, **play, scores=[75, 330], ends=ends))
    hands = {"hands": [["01"], ["02", "04"]], "values": [1, 6], "written": [0, 0], "carried": 25}
    end = {"round": 2, "how": "knockout", "seat": 0, "winner": 0, "scores": [75, 330], "leader": None}
    place.tell(told("round_ended", None, **end, **hands))
    place.tell(told("match_ended", None, winners=[0], places=[1, 2], scores=[75, 330], reason="knockout"))


# Draws


@pytest.mark.parametrize(
    ("title", "players", "table", "hand", "boneyard", "run", "then"),
    [
        ("telefon365", 2, "32", "11 44 06", "01 55 36 66 45", "01 55 36", "36@L"),
        ("telefon365", 2, "61 13 36", "22 44", "05 56 12 02", "05 56", "56@L 56@R"),
        ("telefon365", 2, "32", "11 44 06", "01 55 36", "01 55", "pass"),
        ("telefon365", 3, "32", "11 44", "01 55 66 46 56 16 33", "01 55 66 46 56 16", "pass"),
        ("telefon365", 2, "32", "36 11", "01 55 44", "", "36@L"),
        ("telefon365", 2, "32", "11 44", "36", "", "pass"),
        ("telefon365", 4, "32", "11 44", "", "", "pass"),
        ("kozel", 2, "12 22 23", "55 46", "00 36", "00 36", "36@R"),
        ("kozel", 2, "12 22 23", "55 46", "00 56", "00 56", "pass"),
        ("telefon", 2, "32", "11 44 06", "01 36", "01 36", "36@L"),
        ("allfives", 4, "32", "11 44", "01 66 35 00", "01 66 35", "35@L"),
        ("allfives", 2, "32", "11 44", "66", "66", "pass"),
        ("allfives", 2, "32", "36 44", "66", "", "36@L"),
    ],
)
def test_draws(title, players, table, hand, boneyard, run, then):
    others = " / ".join(["23"] * (players - 1))
    place = position(title, table, f"{hand} / {others}", boneyard)
    if run:
        taken, left = run.split(), len(boneyard.split()) - len(run.split())
        event = told("drew", 0, count=len(taken), boneyard=left) | {"secret": {"0": taken}}
        for key, wrong in (("count", len(taken) + 1), ("boneyard", left + 1)):
            with pytest.raises(AssertionError, match=f"{key} is"):
                copy.deepcopy(place).tell({**event, "payload": {**event["payload"], key: wrong}})
        with pytest.raises(AssertionError, match="secret is"):
            copy.deepcopy(place).tell({**event, "secret": {"0": taken[:-1]}})
        place.tell(event)
    else:
        assert place.offered() != ["draw"]
    assert " ".join(place.offered()) == then


@pytest.mark.parametrize(
    ("title", "boneyard", "given", "blocked"),
    [
        ("telefon365", "44 11 66", {}, True),
        ("telefon365", "44 66 11", {}, False),
        ("telefon365", "44 11 66", {"blocked_check": "after_draws"}, False),
        ("telefon365", "66", {"blocked_check": "after_draws"}, True),
        ("kozel", "44", {}, False),
        ("kozel", "", {}, True),
        ("telefon", "44", {}, False),
        ("telefon", "", {}, True),
        ("allfives", "44", {}, False),
        ("allfives", "", {}, True),
    ],
)
def test_blocked(title, boneyard, given, blocked):
    place = position(title, "60 01 16 62 23 36 64 45 56", "22 12 / 33 35", boneyard, **given)
    assert place.blocked() == blocked
    if blocked:
        place.hands[1] = ["33", "35", "06"]
        assert not place.blocked()


def test_a_last_tile_that_also_blocks_goes_out():
    place = position("telefon", "60 01 16 62 23 36 64 45", "56 / 33 35")
    ends = {"L": 6, "R": 6}
    place.tell(told("played", 0, tiles=[["56", "R"]], sum=12, points=0, scores=[0, 0], ends=ends))
    assert (place.ending, place.due) == ("out", "round_ended")


# Deals and openers


@pytest.mark.parametrize(
    ("hands", "rule"),
    [
        ("55 05 15 25 35 12 34 / -", None),
        ("05 15 25 35 12 34 66 / -", None),
        ("05 15 25 35 45 12 33 / -", ("R2", 0)),
        ("55 05 15 25 35 45 12 / -", ("R2", 0)),
        ("00 11 22 33 45 46 56 / -", None),
        ("00 11 22 33 44 46 56 / -", ("R1", 0)),
        ("00 11 22 33 44 55 56 / -", ("R1", 0)),
        # The lowest rule first, then the lowest seat.
        ("05 15 25 35 45 12 33 / 00 11 22 44 55 46 56", ("R1", 1)),
        ("- / 05 15 25 35 45 12 33 / 06 16 26 36 46 01 02", ("R2", 1)),
    ],
)
def test_which_rule_voids_a_deal(hands, rule):
    assert telefon365.void_deal(hands_of(hands)) == rule


VETO = "{} / 01 02 03 04 13 16 {} / 45 56 00 11 22 66 46 / 06 14 23 24 26 36 44"


@pytest.mark.parametrize(
    ("hand", "other", "lead", "vetoed"),
    [
        ("55 05 15 25 35 12 34", "33", "55", True),
        ("55 05 15 25 35 12 34", "33", "35", False),
        ("55 05 15 25 34 12 33", "35", "55", False),
    ],
)
def test_a_double_led_that_no_opponent_has(hand, other, lead, vetoed):
    """Among four seats: R3 is told without the tile being played, and a hand it voids is never played."""
    place = position("telefon365", "", VETO.format(hand, other))
    assert telefon365.vetoed(place.hands, 0, lead) == vetoed
    total = 10 if lead == "55" else 8
    points = 10 if lead == "55" else 0
    ends = {"L": int(lead[0]), "R": int(lead[1])}
    play = told("played", 0, tiles=[[lead, None]], sum=total, points=points, scores=[points, 0], ends=ends)
    redeal = told("redealt", None, round=2, attempt=0, rule="R3", seat=0, tile=lead)
    right, wrong = (redeal, play) if vetoed else (play, redeal)
    with pytest.raises(AssertionError, match=r"R3 voids|no rule voids"):
        copy.deepcopy(place).tell(wrong)
    place.tell(right)
    assert (place.due, place.attempt) == (("dealt", 1) if vetoed else (None, 0))


def test_among_three_a_double_is_led_freely():
    assert not telefon365.vetoed([["55"], ["01"], ["02"]], 0, "55")


@pytest.mark.parametrize(
    ("opening", "hands", "seat", "tile"),
    [
        (telefon365.opening, "11 66 45 / 23 00 56", 1, "23"),
        (telefon365.opening, "33 66 45 / 22 00 56", 1, "22"),
        (telefon365.opening, "00 46 45 / 66 12 56", 1, "66"),
        (telefon365.opening, "03 46 45 / 12 36 56", 1, "12"),
        (telefon.opening, "11 66 45 / 23 00 56", 1, "23"),
        (telefon.opening, "00 46 45 / 12 03 66", 1, "66"),
        (telefon.opening, "00 46 45 / 12 03 56", 0, "00"),
        (telefon.opening, "03 46 45 / 12 36 56", 1, "12"),
        (allfives.opening, "44 16 45 / 55 23 00", 1, "55"),
        (allfives.opening, "00 56 46 / 36 45 12", 0, "00"),
        (allfives.opening, "45 12 03 / 36 02 01", 1, "36"),
        (lambda hands: kozel.opening(hands, "lowest"), "00 66 45 / 11 22 56", 1, "11"),
        (lambda hands: kozel.opening(hands, "lowest"), "00 66 45 / 22 55 56", 0, "00"),
        (lambda hands: kozel.opening(hands, "last"), "00 66 45 / 22 55 56", 1, "22"),
        (lambda hands: kozel.opening(hands, "lowest"), "03 46 45 / 12 36 56", 1, "12"),
    ],
)
def test_who_opens(opening, hands, seat, tile):
    assert opening(hands_of(hands)) == (seat, tile)


@pytest.mark.parametrize(("first_lead", "legal"), [("forced", ["55"]), ("free", ["00", "23", "55"])])
def test_the_first_lead_of_all_fives(first_lead, legal):
    place = position("allfives", "", "44 16 45 / 55 23 00", first_lead=first_lead)
    place.leader, place.turn = None, 1
    assert place.offered() == legal


def test_rounding_and_order():
    some = [0, 1, 5, 6, 12, 13, 17, 18]
    assert [dominoes.up5(number) for number in some] == [0, 5, 5, 10, 15, 15, 20, 20]
    assert [dominoes.near5(number) for number in some] == [0, 0, 5, 5, 10, 15, 15, 20]
    assert sorted(["45", "03", "36", "12", "00", "22"], key=dominoes.weight) == ["00", "12", "03", "22", "45", "36"]


@pytest.mark.parametrize(
    ("hand", "of_365", "alone", "of_kozel", "pips"),
    [("00 12", 13, 3, 3, 3), ("00", 10, 10, 25, 0), ("00 66", 22, 12, 75, 12), ("66", 12, 12, 50, 12)],
)
def test_hand_values(hand, of_365, alone, of_kozel, pips):
    held = hand.split()
    assert telefon365.hand_value(held, "always_10") == of_365
    assert telefon365.hand_value(held, "alone_10") == alone
    assert kozel.hand_value(held) == of_kozel
    assert position("telefon").value(held) == position("allfives").value(held) == pips


# The end of a hand


@pytest.mark.parametrize(
    ("title", "ended", "hands", "before", "winner", "written", "after", "leader", "given"),
    [
        ("telefon365", "A out", "- / 46 13", "100 90", 0, "15 0", "115 90 | 0", 0, {}),
        ("telefon365", "A out", "- / 46 23", "100 90", 0, "15 0", "115 90 | 0", 0, {}),
        ("telefon365", "A out", "- / 66 56 14", "280 0", 0, "20 0", "300 0 | 0", 0, {}),
        ("telefon365", "A out", "- / 66 56 14", "270 0", 0, "30 0", "300 0 | 0", 0, {}),
        ("telefon365", "A out", "- / 66 56 14", "300 0", 0, "0 0", "300 0 | 0", 0, {}),
        ("telefon365", "A out", "- / 66 56 14", "345 0", 0, "0 0", "345 0 | 0", 0, {}),
        ("telefon365", "A out", "- / 00", "0 0", 0, "10 0", "10 0 | 0", 0, {}),
        ("telefon365", "A out", "- / 00 12", "0 0", 0, "15 0", "15 0 | 0", 0, {}),
        ("telefon365", "A out", "- / 00 12", "0 0", 0, "5 0", "5 0 | 0", 0, {"double_blank": "alone_10"}),
        ("telefon365", "B out", "56 / - / 36 02", "0 50 0", 1, "0 25 0", "0 75 0 | 0", 1, {}),
        ("telefon365", "A out", "- / 34 / 66 55 / 56 01", "120 60", 0, "20 0", "140 60 | 0", 0, {}),
        ("telefon365", "B blocked", "45 / 56 12", "100 100", 0, "15 0", "115 100 | 0", 1, {}),
        ("telefon365", "A blocked", "34 / 66 01 / 36", "250 0 0", 0, "25 0 0", "275 0 0 | 0", 0, {}),
        ("telefon365", "A blocked", "66 / 56 01", "100 150", None, "0 0", "100 150 | 25", 0, {}),
        ("telefon365", "B blocked", "55 05 / 66 12", "100 150 | 25", None, "0 0", "100 150 | 55", 1, {}),
        ("telefon365", "A out", "- / 66 06", "200 150 | 55", 0, "75 0", "275 150 | 0", 0, {}),
        ("telefon365", "A out", "- / 66 06", "250 150 | 55", 0, "50 0", "300 150 | 0", 0, {}),
        ("telefon365", "A out", "- / 66 06", "310 150 | 55", 0, "0 0", "310 150 | 0", 0, {}),
        ("telefon365", "C blocked", "46 / 55 / 66 56 02", "0 0 0", None, "0 0 0", "0 0 0 | 45", 2, {}),
        ("telefon365", "C blocked", "34 / 66 / 56 01", "0 0 0", 0, "25 0 0", "25 0 0 | 0", 2, {}),
        ("telefon365", "B blocked", "12 / 06 / 46 / 44", "290 0", 0, "10 0", "300 0 | 0", 1, {}),
        ("telefon365", "A blocked", "00 / 12 13", "0 0", 1, "0 10", "0 10 | 0", 0, {}),
        ("telefon", "B out", "56 01 / -", "30 40", 1, "0 10", "30 50 | 0", 1, {"opened": 0}),
        ("telefon", "B out", "66 01 / -", "30 40", 1, "0 15", "30 55 | 0", 0, {"opened": 1}),
        ("telefon", "A out", "- / 02", "0 0", 0, "0 0", "0 0 | 0", 1, {"opened": 0}),
        ("telefon", "B blocked", "34 / 66 01 / 36", "0 0 0", 0, "20 0 0", "20 0 0 | 0", 0, {"opened": 2}),
        ("telefon", "B blocked", "46 / 55 / 66 56 02", "10 20 30", None, "0 0 0", "10 20 30 | 0", 1, {"opened": 0}),
        ("telefon", "A out", "- / 34 / 55 66 / 56 01", "10 0", 0, "20 0", "30 0 | 0", 0, {"opened": 3}),
        ("telefon", "B out", "66 01 / -", "95 85", 1, "0 15", "95 100 | 0", None, {"opened": 0}),
        ("telefon", "B out", "56 01 / -", "95 85", 1, "0 10", "95 95 | 0", 1, {"opened": 0}),
        ("allfives", "A out", "- / 66 01", "30 40", 0, "15 0", "45 40 | 0", 1, {"opened": 0}),
        ("allfives", "A blocked", "56 12 / 45", "0 0", 1, "0 15", "0 15 | 0", 0, {"opened": 1}),
        ("allfives", "A blocked", "46 / 55 / 66 56 02", "0 0 0", None, "0 0 0", "0 0 0 | 0", 2, {"opened": 1}),
        ("allfives", "D out", "34 / 55 66 / 56 01 / -", "0 10", 1, "0 20", "0 30 | 0", 1, {"opened": 0}),
        ("kozel", "A out", "- / 46 13", "20 30", 0, "0 14", "20 44 | 0", 0, {}),
        ("kozel", "A out", "- / 34 / 55 56 / 00", "10 10", 0, "0 32", "10 42 | 0", 0, {}),
        ("kozel", "D out", "12 / 66 / 44 01 / -", "0 0 0 0", 3, "3 50 9 0", "3 50 9 0 | 0", 3, {"teams": False}),
        ("kozel", "B blocked", "34 / 66 01 / 36", "0 0 0", 0, "0 13 9", "0 13 9 | 0", 0, {}),
        ("kozel", "B blocked", "12 / 06 / 46 / 44", "0 0", 0, "0 14", "0 14 | 0", 0, {}),
        ("kozel", "B blocked", "12 / 66 05 / 03 / 44", "0 0", 0, "0 25", "0 25 | 0", 2, {}),
        ("kozel", "A blocked", "66 01 / 56 02", "40 50", None, "0 0", "40 50 | 26", 0, {}),
        ("kozel", "A out", "- / 46", "40 50 | 26", 0, "0 36", "40 86 | 0", 0, {}),
        ("kozel", "A out", "- / 56 01 / 66 44", "0 0 0 | 45", 0, "0 12 65", "0 12 65 | 0", 0, {}),
        ("kozel", "A out", "- / 56 01 / 55 02", "0 0 0 | 45", 0, "0 12 12", "0 12 12 | 45", 0, {}),
        ("kozel", "A out", "- / 56 01", "0 0", 0, "0 0", "0 0 | 0", 0, {"entry_13": True}),
        ("kozel", "A out", "- / 23", "0 0 | 26", 0, "0 31", "0 31 | 0", 0, {"entry_13": True}),
        ("kozel", "A out", "- / 12", "0 0 | 4", 0, "0 0", "0 0 | 0", 0, {"entry_13": True}),
    ],
)
def test_the_end_of_a_hand(title, ended, hands, before, winner, written, after, leader, given):
    """`before` and `after` are the scores, and what is carried from hand to hand."""
    given = dict(given)
    opened = given.pop("opened", 0)
    place = position(title, "", hands, **given)
    scores, _, carried = before.partition("|")
    place.scores, place.carried, place.opened = numbers(scores), int(carried or 0), opened
    seat, how = SEATS.index(ended[0]), ended[2:]
    place.last, place.ending, place.due = seat, how, "round_ended"
    values = [place.value(hand) for hand in place.hands]
    scores, _, carried = after.partition("|")
    facts = {"round": 2, "how": how, "seat": seat, "winner": winner, "hands": place.hands, "values": values}
    end = {"written": numbers(written), "carried": int(carried), "scores": numbers(scores), "leader": leader}
    for key in ("round", "seat", "winner", "carried", "leader"):
        wrong = {**facts, **end}
        wrong[key] = 7 if wrong[key] is None else wrong[key] + 1
        with pytest.raises(AssertionError, match=f"round_ended.*{key} is"):
            copy.deepcopy(place).tell(told("round_ended", None, **wrong))
    place.tell(told("round_ended", None, **facts, **end))
    assert place.due == ("match_ended" if leader is None else "dealt")


@pytest.mark.parametrize(
    ("title", "scores", "reached", "over", "winners", "places"),
    [
        ("telefon365", "365 370", [0, 1], "target", [1], [2, 1]),
        ("telefon365", "365 365", [0, 1], "target", [0], [1, 2]),
        ("telefon365", "375 360", [0], "target", [0], [1, 2]),
        ("telefon365", "365 300", [0], "target", [0], [1, 2]),
        ("telefon365", "360 355", [], None, [], []),
        ("telefon365", "365 380 380", [0, 2, 1], "target", [2], [3, 2, 1]),
        ("telefon", "105 110", [0, 1], "target", [1], [2, 1]),
        ("telefon", "105 105 20", [1, 0], "target", [1], [2, 1, 3]),
        ("allfives", "95 95", [], None, [], []),
        ("kozel", "40 100", [], None, [], []),
        ("kozel", "40 101", [], "target", [0], [1, 2]),
        ("kozel", "40 106 105", [], "target", [0], [1, 3, 2]),
        ("kozel", "40 40 105", [], "target", [0, 1], [1, 1, 3]),
    ],
)
def test_the_end_of_a_match(title, scores, reached, over, winners, places):
    place = position(title, "", " / ".join("-" for _ in scores.split()))
    place.scores, place.reached = numbers(scores), reached
    place.over = place.why_over()
    assert place.over == over
    assert over is None or place.ranking() == (winners, places)


@pytest.mark.parametrize(
    ("title", "round_number", "scores", "winners"),
    [
        ("telefon365", 1, "45 60", [1]),
        ("kozel", 1, "0 14", [0]),
        ("allfives", 1, "30 30", [0, 1]),
        ("telefon", 2, "1 2", None),
    ],
)
def test_the_round_limit(title, round_number, scores, winners):
    place = position(title, round_limit=1)
    place.scores, place.round = numbers(scores), round_number
    over = place.limit_reached()
    assert over == (None if winners is None else "round_limit")
    assert place.best == (winners or [])


def test_bald_ends_a_match_of_kozel():
    place = position("kozel", "01", "12 / 00 / 66", bald=True)
    place.turn, place.scores = 1, [10, 90, 20]
    ends = {"L": 0, "R": 1}
    place.tell(told("played", 1, tiles=[["00", "L"]], sum=0, points=0, scores=[10, 90, 20], ends=ends))
    hands = {"hands": [["12"], [], ["66"]], "values": [3, 0, 50], "written": [0, 0, 0], "carried": 0}
    end = {"round": 2, "how": "bald", "seat": 1, "winner": 1, "scores": [10, 90, 20], "leader": None}
    place.tell(told("round_ended", None, **end, **hands))
    place.tell(told("match_ended", None, winners=[1], places=[2, 1, 3], scores=[10, 90, 20], reason="bald"))


@pytest.mark.parametrize(
    ("title", "target", "match_end", "due"),
    [
        ("telefon", 50, "at_once", "round_ended"),
        ("telefon", 50, "after_hand", None),
        ("allfives", 100, "at_once", None),
    ],
)
def test_a_target_reached_in_the_middle_of_a_hand(title, target, match_end, due):
    place = position(title, "35 55* 52 / U 54", "15 66 / 02", target=target, match_end=match_end)
    place.scores = [40, 45]
    ends = {"L": 3, "R": 2, "U": 4, "D": 1}
    place.tell(told("played", 0, tiles=[["15", "D"]], sum=10, points=10, scores=[50, 45], ends=ends))
    assert (place.due, place.reached) == (due, [0] if target == 50 else [])


# Dice


@pytest.mark.parametrize(
    ("dice", "kept", "value", "then"),
    [
        ("1 2 3 4 6", "1", 100, (4, None)),
        ("2 2 3 4 6", "2 2", None, None),
        ("6 6 6 6 3", "6 6 6 6", 1200, (1, None)),
        ("1 1 1 1 3", "1 1 1", 1000, (2, None)),
        ("2 2 2 2 2", "2 2 2 2 2", 800, (5, "hot")),
        ("1 2 3 4 5", "1 2 3 4 5", 125, (5, "hot")),
        ("1 2 3 4 5", "1 5", 150, (3, None)),
        ("1 2 3 4", "1 2 3 4", None, None),
        ("1 1 5 4 4", "1 1 5", 250, (5, "double")),
        ("1 5", "1 5", 150, (5, "hot")),
    ],
)
def test_dice(dice, kept, value, then):
    thrown, chosen = numbers(dice), numbers(kept)
    assert thousand.selections(thrown, 4).get(tuple(chosen)) == value
    assert value is None or thousand.dice_next(thrown, chosen) == then


# Short records, counted by hand


@pytest.mark.parametrize("made", BY_HAND)
def test_a_right_record_is_read(made):
    reader.check(made())
    without = made()
    for event in without["events"]:
        event.pop("legal", None)
    reader.check(without)


# Wrong records


def changes(value: Any) -> Iterator[Any]:
    """Every way to put one number, tile or list of `value` wrong, one at a time."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {other: kept for other, kept in value.items() if other != key}
            yield from ({**value, key: wrong} for wrong in changes(inner))
    elif isinstance(value, list):
        yield [*value, value[-1] if value else "66"]
        for at, inner in enumerate(value):
            yield [*value[:at], *value[at + 1 :]]
            yield from ([*value[:at], wrong, *value[at + 1 :]] for wrong in changes(inner))
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif value in dominoes.TILES:
        yield dominoes.TILES[dominoes.TILES.index(value) - 1]
    else:
        yield 0 if value is None else f"{value}?"


def wrong_events(event: Facts) -> Iterator[Facts]:
    """`event` with one fact wrong.

    Not asked of the reader: who played for a seat when more than one answer is possible, and the faces of a throw: one
    that scores nothing could as well be another. The chain of the match proves those (fairness.md 4).
    """
    facts = {key: value for key, value in event.items() if key not in ("at", "number")}
    if event["kind"] == "threw":
        facts["payload"] = {}
        yield {**event, "payload": {"dice": [*event["payload"]["dice"], 5]}}
        yield {**event, "payload": {"dice": event["payload"]["dice"][1:]}}
        yield {**event, "payload": {"dice": [7, *event["payload"]["dice"][1:]]}}
    for wrong in changes({key: value for key, value in facts.items() if key != "payload"}):
        yield {"at": event["at"], "number": event["number"], "payload": event["payload"], **wrong}
    for wrong in changes({key: value for key, value in event["payload"].items() if key not in ("by", "dice")}):
        kept = {key: event["payload"][key] for key in ("by", "dice") if key in event["payload"]}
        yield {**event, "payload": {**kept, **wrong}}


def wrong_records(record: Record, some: Collection[int] | None = None) -> Iterator[tuple[str, Record]]:
    """The record with one fact of one event wrong, with an event missing, and with one told twice.

    `some` are the indices of the events that are put wrong; None: all.
    """
    events = record["events"]
    for at, event in enumerate(events):
        if some is not None and at not in some:
            continue
        for wrong in wrong_events(event):
            yield f"{event} as {wrong}", {**record, "events": [*events[:at], wrong, *events[at + 1 :]]}
        yield f"without {event}", {**record, "events": counted([*events[:at], *events[at + 1 :]])}
        yield f"twice {event}", {**record, "events": counted([*events[: at + 1], *events[at:]])}


def counted(events: list[Facts]) -> list[Facts]:
    return [{**event, "number": number} for number, event in enumerate(events, 1)]


def unseen(wrong: Iterable[tuple[str, Record]]) -> list[str]:
    """Which of the wrong records the reader takes for right."""
    return [what for what, record in wrong if not found(record)]


def found(record: Record) -> bool:
    try:
        reader.check(record)
    except AssertionError as error:
        return str(error).startswith(("event ", "the record"))
    return False


@pytest.mark.parametrize("made", BY_HAND)
def test_no_wrong_fact_passes(made):
    assert unseen(wrong_records(made())) == []


@pytest.mark.parametrize(("slug", "seats"), [(slug, seats) for slug in titles.slugs() for seats in (2, 4)])
def test_no_wrong_fact_of_a_played_match_passes(slug, seats):
    title = titles.get(slug)
    short = {"round_limit": 3} if "round_limit" in {option.name for option in title.OPTIONS} else {}
    record = json.loads(play_match(Plan(slug, complete(title.OPTIONS, seats, short), seed=11, legal=True), 0))
    reader.check(record)
    # Every event would take a minute; some from all of the match, the last ones always.
    some = {
        *Random(slug).sample(range(len(record["events"])), 8),
        *range(len(record["events"]) - 3, len(record["events"])),
    }
    assert unseen(wrong_records(record, some)) == []


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("format", "club-match/2", "format"),
        ("title", "chess", "title"),
        ("ruleset", "kozel/1", "ruleset"),
        ("pace", "fast", "pace"),
        ("sides", [[0]], "sides"),
        ("bots", [2], "bots"),
        ("outcome", None, "the outcome"),
        ("options", {"players": 2}, "the options"),
    ],
)
def test_a_wrong_head_is_found(key, value, words):
    record = a_set_a_draw_and_going_out() | {key: value}
    with pytest.raises(AssertionError, match=f"the record: .*{words}"):
        reader.check(record)


@pytest.mark.parametrize(
    ("name", "value"),
    [("target", 100), ("round_limit", 2), ("players", 3), ("opening_scores", True), ("hand_cap", 300.0)],
)
def test_a_wrong_option_is_found(name, value):
    record = a_set_a_draw_and_going_out()
    record["options"][name] = value
    with pytest.raises(AssertionError, match=f"the record: option {name}"):
        reader.check(record)


def test_the_event_and_the_fact_are_named():
    record = a_set_a_draw_and_going_out()
    record["events"][6]["payload"]["sum"] = 21
    with pytest.raises(AssertionError, match=r"^event 7 \(played\): sum is 21, must be 20$"):
        reader.check(record)


def test_a_record_that_breaks_off_is_found():
    record = a_set_a_draw_and_going_out()
    del record["events"][-2:]
    with pytest.raises(AssertionError, match="must still come is 'round_ended'"):
        reader.check(record)


def test_a_deal_that_should_be_void_is_not_played():
    record = a_redeal_and_a_seka()
    events = record["events"]
    record["events"] = counted([*events[:2], *events[4:]])
    with pytest.raises(AssertionError, match="redealt must come next"):
        reader.check(record)


# Claims (strict Muggins)


def claim_match(pace: str, players: int, claims: list[tuple[str, float]], **given: Any) -> DominoReader:
    """A strict match of All Fives: A lays a tile worth 15 now, and then others do what they do, after some seconds."""
    hands = " / ".join(["36 01", "13", "00 11", "22 44"][:players])
    place = position("allfives", "66", hands, muggins="strict", **given)
    place.pace = pace
    ends = {"L": 6, "R": 3}
    zeros = [0] * len(place.sides)
    place.tell(dated("played", 0, 0, tiles=[["36", "R"]], sum=15, points=0, scores=zeros, ends=ends))
    for what, seconds in claims:
        seat, kind = SEATS.index(what[0]), what[2:]
        scores = [15 if kind == "claimed" and seat in seats else 0 for seats in place.sides]
        if kind == "played":
            facts = {"tiles": [["13", "R"]], "sum": 13, "points": 0, "scores": place.scores, "ends": {"L": 6, "R": 1}}
            place.tell(dated(kind, seat, seconds, **facts))
        else:
            place.tell(dated(kind, seat, seconds, points=15, scores=scores))
    return place


def dated(kind: str, seat: int | None, seconds: float, /, **payload: Any) -> Facts:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    return told(kind, seat, **payload) | {"at": at.isoformat().replace("+00:00", "Z")}


@pytest.mark.parametrize(
    ("claims", "given"),
    [
        ([("A claimed", 4), ("B played", 4)], {}),
        ([("A claimed", 5), ("B played", 9)], {}),
        ([("A claimed", 10), ("B played", 11)], {"claim_seconds": 10}),
        ([("B claimed", 6), ("B played", 8)], {}),
        ([("B claimed", 10)], {}),
        ([("A burnt", 7), ("B played", 7)], {}),
        ([("A burnt", 10), ("B played", 20)], {}),
    ],
)
def test_claims_in_time(claims, given):
    claim_match("live", 2, claims, **given)
    claim_match("live", 3, claims, **given)


@pytest.mark.parametrize(
    ("claims", "given", "words"),
    [
        ([("A claimed", 6)], {}, "the mover claims after 6"),
        ([("A claimed", 4)], {"claim_seconds": 3}, "the mover claims after 4"),
        ([("B claimed", 3)], {}, "an opponent claims after 3"),
        ([("B claimed", 10.5)], {}, "an opponent claims after 10.5"),
        ([("A burnt", 4)], {}, "burnt after 4"),
        ([("A burnt", 7), ("B claimed", 8)], {}, "played must come next"),
        ([("B burnt", 10)], {}, "seat is 1"),
        ([("B played", 7)], {}, "must be claimed or burnt first"),
        ([("A claimed", 2), ("A claimed", 3)], {}, "no points to claim"),
        ([("A claimed", 2), ("A burnt", 10)], {}, "no points to burn"),
    ],
)
def test_claims_out_of_time(claims, given, words):
    with pytest.raises(AssertionError, match=words):
        claim_match("live", 2, claims, **given)


def test_who_may_claim():
    with pytest.raises(AssertionError, match="a partner cannot claim"):
        claim_match("live", 4, [("C claimed", 6)])
    claim_match("live", 4, [("C claimed", 6)], teams=False)
    claim_match("live", 4, [("D claimed", 6)])
    with pytest.raises(AssertionError, match="no opponent may claim here"):
        claim_match("hotseat", 2, [("B claimed", 6)])
    claim_match("hotseat", 2, [("A burnt", 5)])


def test_a_hand_ends_after_the_claim():
    place = position("allfives", "66", "36 / 13", muggins="strict")
    facts = {"tiles": [["36", "R"]], "sum": 15, "points": 0, "scores": [0, 0], "ends": {"L": 6, "R": 3}}
    place.tell(dated("played", 0, 0, **facts))
    end = dated("round_ended", None, 1)
    with pytest.raises(AssertionError, match="nothing before calls for it"):
        copy.deepcopy(place).tell(end)
    with pytest.raises(AssertionError, match="nobody could lay a tile"):
        copy.deepcopy(place).tell(dated("burnt", 0, 7, points=15, scores=[0, 0]))
    for event in (
        dated("claimed", 0, 2, points=15, scores=[15, 0]),
        dated("claimed", 1, 7, points=15, scores=[0, 15]),
        dated("burnt", 0, 10, points=15, scores=[0, 0]),
    ):
        after = copy.deepcopy(place)
        after.tell(event)
        assert (after.due, after.ending) == ("round_ended", "out")


def test_a_draw_leaves_the_points_to_be_claimed():
    place = position("allfives", "66", "36 01 / 11 / 22", "00 13 44", muggins="strict")
    zeros = [0, 0, 0]
    facts = {"tiles": [["36", "R"]], "sum": 15, "points": 0, "scores": zeros, "ends": {"L": 6, "R": 3}}
    place.tell(dated("played", 0, 0, **facts))
    drew = dated("drew", 1, 6, count=2, boneyard=1) | {"secret": {"1": ["00", "13"]}}
    with pytest.raises(AssertionError, match="the turn starts when"):
        copy.deepcopy(place).tell({**drew, "at": "2026-01-01T00:00:04Z"})
    place.with_legal = True
    with pytest.raises(AssertionError, match="legal is"):
        copy.deepcopy(place).tell({**drew, "legal": ["draw"]})
    place.tell({**drew, "legal": ["claim", "draw"]})
    place.tell(dated("claimed", 2, 8, points=15, scores=[0, 0, 15]))


# Lapses, leaving, the end without an end


def begun(*more: Facts, outcome: Facts, bots: tuple[int, ...] = ()) -> Record:
    """The four-handed match up to B's first move, and then `more`; then the outcome."""
    record = a_pass_and_a_block()
    for event in record["events"]:
        event.pop("legal", None)
        if event["seat"] in bots:
            event["payload"]["by"] = "bot"
    more = (*more, told("match_ended", None, **outcome))
    events = [*record["events"][:5], *copy.deepcopy(more)]
    return {**record, "events": counted(events), "outcome": outcome, "bots": list(bots)}


def left(kind: str, seat: int) -> list[Facts]:
    return [told(kind, seat, seat=seat)]


def lapsed(seat: int, in_a_row: int, in_match: int) -> Facts:
    return told("lapsed", seat, seat=seat, in_a_row=in_a_row, in_match=in_match)


def ended(reason: str, winners: list[int], places: list[int]) -> Facts:
    return {"winners": winners, "places": places, "scores": [0, 0], "reason": reason}


# B holds 14 06 46 22 01 35 16; the ends are 5 and 4. The heaviest that fits is 4/6 on the right.
BY_CLUB = {"tiles": [["46", "R"]], "sum": 11, "points": 0, "scores": [0, 0], "ends": {"L": 5, "R": 6}, "by": "club"}


def test_a_side_is_out_when_both_partners_have_left():
    leaving = [*left("resigned", 1), *left("bot_seated", 1), *left("resigned", 3)]
    reader.check(begun(*leaving, outcome=ended("resigned", [0], [1, 2])))
    for wrong in (ended("resigned", [1], [2, 1]), ended("forfeited", [0], [1, 2]), ended("resigned", [0], [1, 1])):
        with pytest.raises(AssertionError, match="match_ended"):
            reader.check(begun(*leaving, outcome=wrong))
    with pytest.raises(AssertionError, match="bot_seated must come next"):
        reader.check(begun(*left("resigned", 1), outcome=ended("resigned", [0], [1, 2])))
    with pytest.raises(AssertionError, match="no member has this seat"):
        reader.check(begun(*leaving[:2], *left("resigned", 1), outcome=ended("resigned", [0], [1, 2])))


def test_the_club_plays_for_a_lapse():
    out = [*left("resigned", 1), *left("bot_seated", 1), *left("resigned", 3)]
    outcome = ended("resigned", [0], [1, 2])
    played = told("played", 1, **BY_CLUB)
    reader.check(begun(lapsed(1, 1, 1), played, *out, outcome=outcome))
    reader.check(begun(lapsed(1, 0, 0), played, *out, outcome=outcome))
    for wrong, words in (
        ([lapsed(1, 2, 1), played], "the lapses are"),
        ([lapsed(0, 1, 1), played], "was not to act"),
        ([played], "did not lapse"),
        ([lapsed(1, 1, 1), told("played", 1, **{**BY_CLUB, "by": "bot"})], "by, after a lapse, is 'bot'"),
        ([lapsed(1, 1, 1)], "a lapse must be answered first"),
        (
            [
                lapsed(1, 1, 1),
                told("played", 1, **{**BY_CLUB, "tiles": [["14", "R"]], "sum": 6, "ends": {"L": 5, "R": 1}}),
            ],
            "the move of the club is '14@R', must be '46@R'",
        ),
    ):
        with pytest.raises(AssertionError, match=words):
            reader.check(begun(*wrong, *out, outcome=outcome))


def test_a_forfeit_follows_a_lapse():
    again = [lapsed(1, 1, 1), *left("forfeited", 1), *left("bot_seated", 1), *left("resigned", 3)]
    reader.check(begun(*again, outcome=ended("resigned", [0], [1, 2])))
    with pytest.raises(AssertionError, match=r"forfeited.*seat is 1"):
        reader.check(begun(*again[1:], outcome=ended("resigned", [0], [1, 2])))


def test_a_bot_signs_its_moves():
    seated = [*left("resigned", 1), *left("bot_seated", 1)]
    out, outcome = left("resigned", 3), ended("resigned", [0], [1, 2])
    moved = {key: value for key, value in BY_CLUB.items() if key != "by"}
    reader.check(begun(*seated, told("played", 1, **moved, by="bot"), *out, outcome=outcome))
    with pytest.raises(AssertionError, match="by is missing"):
        reader.check(begun(*seated, told("played", 1, **moved), *out, outcome=outcome))
    with pytest.raises(AssertionError, match="a member has this seat"):
        reader.check(begun(told("played", 1, **moved, by="bot"), *seated, *out, outcome=outcome))
    with pytest.raises(AssertionError, match="was not forced"):
        reader.check(begun(told("played", 1, **moved, by="forced"), *seated, *out, outcome=outcome))


def test_a_match_that_only_bots_are_left_in_is_voided():
    leaving = [*left("resigned", 0), *left("bot_seated", 0), *left("resigned", 2)]
    voided = {"winners": [], "places": [], "scores": [0, 0], "reason": "voided"}
    reader.check(begun(*left("resigned", 0), outcome=voided, bots=(1, 2, 3)))
    reader.check(begun(*leaving[:2], told("voided", None, reason="moderator"), outcome=voided))
    with pytest.raises(AssertionError, match=r"match_ended.*winners is"):
        reader.check(begun(*left("resigned", 0), outcome=ended("resigned", [1], [2, 1]), bots=(1, 2, 3)))
    with pytest.raises(AssertionError, match="nothing before calls for it"):
        reader.check(begun(outcome=voided))


def test_the_clock_leaves_its_marks():
    out = [*left("resigned", 1), *left("bot_seated", 1), *left("resigned", 3)]
    outcome = ended("resigned", [0], [1, 2])
    moved = told("deadline_moved", 1, seat=1, due_at="2026-12-01T17:00:00Z", why="outage")
    pause = [told("paused", None, reason="agreed"), told("resumed", None, reason="time")]
    reader.check(begun(moved, *pause, told("pace_changed", None, pace="live"), *out, outcome=outcome))
    for wrong, words in (
        ({**moved, "seat": 2}, "the event's seat is another"),
        (told("deadline_moved", 1, seat=1, due_at="2026-12-01T17:00:00Z", why="whim"), "why is"),
        (pause[1], "it was not paused"),
        (told("pace_changed", None, pace="fast"), "pace is"),
        (told("paused", 1, reason="agreed"), "seat is 1"),
    ):
        with pytest.raises(AssertionError, match=words):
            reader.check(begun(wrong, *out, outcome=outcome))
    with pytest.raises(AssertionError, match="is paused"):
        reader.check(begun(pause[0], lapsed(1, 1, 1), told("played", 1, **BY_CLUB), *out, outcome=outcome))


def test_a_side_that_left_ranks_below_those_that_stayed():
    place = position("telefon", "", "- / - / -")
    place.over, place.best, place.scores = "target", [1], [40, 100, 60]
    assert place.ranking() == ([1], [3, 1, 2])
    place.left = {1}
    assert place.ranking() == ([2], [2, 3, 1])


def test_dice_are_thrown_for_nobody_and_the_club_banks():
    options = {"players": 2, "target": 1000, "opening_min": 75, "bank_min": 25, "five_of_a_kind": 4}
    empty = {**empty_record("telefon", 2, {}), "title": "thousand", "options": options}
    place = thousand.ThousandReader(empty)
    for event in (
        told("match_started", None, first_seat=0),
        told("turn_started", 0, round=1, totals=[0, 0], opened=[False, False]),
    ):
        place.tell(event)
    idle = copy.deepcopy(place)
    idle.tell(lapsed(0, 1, 1))
    with pytest.raises(AssertionError, match="no die is thrown for anybody"):
        copy.deepcopy(idle).tell(told("threw", 0, dice=[1, 2, 3, 4, 6], by="club"))
    idle.tell(told("turn_ended", 0))
    with pytest.raises(AssertionError, match=r"turn_ended.*seat is 0"):
        copy.deepcopy(place).tell(told("turn_ended", 0))
    place.tell(told("threw", 0, dice=[1, 2, 3, 4, 6]))
    place.tell(told("kept", 0, dice=[1], value=100, turn_points=100, next_dice=4, bonus=None))
    place.tell(lapsed(0, 1, 1))
    with pytest.raises(AssertionError, match="the club banks"):
        copy.deepcopy(place).tell(told("turn_ended", 0))
    place.tell(told("banked", 0, points=100, totals=[100, 0], opened=[True, False], by="club"))
