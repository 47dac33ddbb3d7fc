"""The questions of the trainer: the same for ever, about what can happen, and right."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib import import_module
from typing import get_args

import pytest

from games import titles
from games.engine import quiz
from games.engine.contract import Sum
from games.engine.counting import parts
from games.engine.dominoes import HALVES, TILES, HubCount, Layout, ends, lay, open_sum, placements
from games.engine.notation import layout
from games.engine.quiz import Question, open_end_question
from games.titles import kozel, thousand
from games.titles.thousand.quiz import FIVE_OF_A_KIND
from games.titles.thousand.scoring import selections
from tests.engine.test_notation import write

NUMBERS = range(1, 501)
HUB_COUNTS: tuple[HubCount, ...] = get_args(HubCount)


@cache
def questions(slug: str) -> list[Question]:
    ask = import_module(f"games.titles.{slug}.quiz").question
    return [ask(number) for number in NUMBERS]


@cache
def about_ends(hub_count: HubCount) -> list[Question]:
    return [open_end_question("any", number, hub_count) for number in NUMBERS]


def all_questions() -> list[Question]:
    asked = [question for slug in titles.slugs() for question in questions(slug)]
    return asked + [question for hub_count in HUB_COUNTS for question in about_ends(hub_count)]


# All titles


def test_every_title_asks() -> None:
    for slug in titles.slugs():
        assert len(questions(slug)) == len(NUMBERS)


def test_a_question_can_be_answered_rightly_and_wrongly() -> None:
    for question in all_questions():
        keys = [answer.key for answer in question.answers]
        assert len(set(keys)) == len(keys)
        assert {answer.is_right for answer in question.answers} == {True, False}
        assert all(answer.why for answer in question.answers)
        assert [bool(question.table.line), bool(question.hand), bool(question.dice)].count(True) == 1


def test_a_number_is_the_same_question_for_ever() -> None:
    assert [open_end_question("any", number, "zero") for number in NUMBERS] == about_ends("zero")
    assert kozel_hand(3) == ("66", "23", "16")
    assert thousand_dice(1) == (3, 5, 1, 5, 2)
    assert write(open_end_question("telefon", 1, "until_first_side_arm").table) == "53 31 12 24 40 06"


def kozel_hand(number: int) -> tuple[str, ...]:
    return questions("kozel")[number - 1].hand


def thousand_dice(number: int) -> tuple[int, ...]:
    return questions("thousand")[number - 1].dice


def test_questions_of_two_titles_and_two_numbers_differ() -> None:
    assert len(set(map(kozel_hand, NUMBERS))) > 300
    assert len(set(map(thousand_dice, NUMBERS))) > 300
    for hub_count in HUB_COUNTS:
        assert len({question.table for question in about_ends(hub_count)}) > 490
    assert open_end_question("one", 1, "zero") != open_end_question("other", 1, "zero")


def test_amounts_are_four_and_none_is_negative() -> None:
    for right in range(40):
        for mistaken in ([], [right], [0, 0, 1], [right + 1, right + 2, right + 3, right + 4]):
            found = [int(answer.key) for answer in quiz.amounts(right, mistaken, ())]
            assert len(set(found)) == 4
            assert found == sorted(found)
            assert right in found
            assert min(found) >= 0


# Open ends


def tiles_of(table: Layout) -> set[str]:
    return {min(name, name[::-1]) for branch in (table.line, *table.arms) for name in branch}


@pytest.mark.parametrize("hub_count", HUB_COUNTS)
def test_a_table_can_come_about_and_the_tile_is_still_to_lay(hub_count: HubCount) -> None:
    for question in about_ends(hub_count):
        assert layout(write(question.table)) == question.table
        assert 3 <= len(tiles_of(question.table)) <= 9
        if question.tile:
            assert question.tile in set(TILES) - tiles_of(question.table)
        else:
            assert question.fresh in tiles_of(question.table)


@pytest.mark.parametrize("hub_count", HUB_COUNTS)
def test_every_end_a_tile_fits_is_an_answer_and_the_best_are_right(hub_count: HubCount) -> None:
    asked = [question for question in about_ends(hub_count) if question.tile]
    assert len(asked) == len(NUMBERS) // 2
    for question in asked:
        assert question.tile
        wanted = ends(question.table)
        legal = {end for _, end in placements((question.tile,), wanted)}
        gains = {}
        for answer in question.answers:
            assert answer.table == lay(question.table, question.tile, answer.key, branching=True)
            total = open_sum(answer.table, hub_count)
            gains[answer.key] = total if total % 5 == 0 else 0
            assert answer.result
            assert answer.result.values == ({"s": total, "p": total} if gains[answer.key] else {"s": total})
            assert answer.text.values["face"] == wanted[answer.key] in HALVES[question.tile]
        assert set(gains) == legal
        assert {answer.key for answer in question.answers if answer.is_right} == {
            end for end, gain in gains.items() if gain == max(gains.values())
        }


@pytest.mark.parametrize("hub_count", HUB_COUNTS)
def test_the_sum_of_the_open_ends_is_the_right_amount(hub_count: HubCount) -> None:
    asked = [question for question in about_ends(hub_count) if not question.tile]
    assert len(asked) == len(NUMBERS) // 2
    for question in asked:
        right = [answer.key for answer in question.answers if answer.is_right]
        assert right == [str(open_sum(question.table, hub_count))]
        assert len(question.answers) == 4


@pytest.mark.parametrize("hub_count", HUB_COUNTS)
def test_the_count_explained_is_the_count(hub_count: HubCount) -> None:
    told = Counter[str]()
    for question in about_ends(hub_count):
        for answer in question.answers:
            counted, *remarks = answer.why
            terms = counted.values["terms"]
            assert isinstance(terms, Sum)
            total = open_sum(answer.table, hub_count)
            assert sum(number for number, _ in terms.terms) == total == counted.values["s"]
            told[counted.text] += 1
            hub, arms = answer.table.hub, answer.table.arms
            texts = [remark.text for remark in remarks]
            assert bool(remarks) == (hub is not None)
            assert ("A side arm without tiles counts nothing." in texts) == (hub is not None and not all(arms))
            if hub not in (None, "00"):
                counts = any(part.end is None for part in parts(answer.table, hub_count))
                assert ("Closed, but it counts" in texts[0]) == counts
            assert ("not a multiple" in counted.text) == (total % 5 != 0)
    assert len(told) >= 2


# Kozel


def worth(hand: tuple[str, ...]) -> int:
    special = {"00": 25, "66": 50, "00 66": 75}
    return special.get(" ".join(sorted(hand)), sum(int(tile[0]) + int(tile[1]) for tile in hand))


def test_the_worth_of_a_hand_is_the_right_amount() -> None:
    kinds = Counter[str]()
    for question in questions("kozel"):
        assert len(set(question.hand)) == len(question.hand) > 0
        assert set(question.hand) <= set(TILES)
        (right,) = [int(answer.key) for answer in question.answers if answer.is_right]
        assert right == worth(question.hand) == kozel.hand_value(question.hand)
        assert len(question.answers) == 4
        assert question.answers[0].why[0].values["k"] == right
        kinds[" ".join(sorted({"00", "66"} & set(question.hand))) + f" of {min(len(question.hand), 3)}"] += 1
    assert {"00 of 1", "66 of 1", "00 66 of 2", "00 of 2", "66 of 2", "00 66 of 3", " of 2", " of 3"} <= set(kinds)


# Thousand


def test_every_part_of_a_throw_is_an_answer_and_the_best_are_right() -> None:
    for question in questions("thousand"):
        found = {part.dice: part.value for part in selections(question.dice, FIVE_OF_A_KIND).values()}
        answers = {tuple(map(int, answer.key.split())): answer for answer in question.answers}
        assert {dice for dice, answer in answers.items() if answer.is_right} == {
            dice for dice, value in found.items() if value == max(found.values())
        }
        for dice, answer in answers.items():
            assert (answer.result is not None) == (dice in found)
            if answer.result:
                assert answer.result.values["points"] == found[dice]
        every = {
            tuple(sorted(face for at, face in enumerate(question.dice) if mask >> at & 1)) for mask in range(1, 32)
        }
        assert set(answers) == every
        values = [found[dice] for dice in answers if dice in found]
        assert values == sorted(values, reverse=True)


def test_the_points_explained_are_the_points() -> None:
    for question in questions("thousand"):
        for answer in question.answers:
            if answer.result:
                told = [phrase.values["points"] for phrase in answer.why if phrase.text == "{dice}: {points}."]
                assert sum(told) == answer.result.values["points"]


def test_five_of_a_kind_is_worth_what_is_usual() -> None:
    (option,) = [option for option in thousand.OPTIONS if option.name == "five_of_a_kind"]
    assert option.default == FIVE_OF_A_KIND
