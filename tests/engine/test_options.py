"""Reading options: complete, typed, refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from games import titles
from games.engine.contract import Choice, Option
from games.engine.options import BadOption, complete

OPTIONS = (
    Option("teams", "", "", (Choice(True, ""), Choice(False, "")), default=True, seats=(4,)),
    Option("target", "", "", (Choice(101, ""),), default=101),
    Option("limit", "", "", (Choice(1, ""), Choice(3, ""), Choice(None, "")), default=None),
    Option("rank", "", "", (Choice("lowest", ""), Choice("last", "")), default="lowest"),
)


def test_what_is_not_given_gets_its_default_and_players_come_first() -> None:
    found = complete(OPTIONS, 4, {"rank": "last"})
    assert list(found.items()) == [("players", 4), ("teams", True), ("target", 101), ("limit", None), ("rank", "last")]


def test_an_option_of_other_seat_counts_is_left_out() -> None:
    assert "teams" not in complete(OPTIONS, 2, {})


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"speed": 1}, "speed"),
        ({"teams": True}, "teams"),
        ({"players": 3}, "players"),
        ({"target": 100}, "target"),
        ({"target": "101"}, "target"),
        ({"limit": True}, "limit"),
        ({"limit": 1.0}, "limit"),
        ({"rank": ["last"]}, "rank"),
        ({"rank": None}, "rank"),
        ({"rank": {}}, "rank"),
    ],
)
def test_an_unknown_name_or_value_is_refused_by_name(given: dict[str, Any], name: str) -> None:
    with pytest.raises(BadOption) as refused:
        complete(OPTIONS, 2, given)
    assert refused.value.name == name
    assert name in str(refused.value)


@pytest.mark.parametrize("slug", titles.slugs())
def test_every_title_offers_its_options_with_words_and_a_default(slug: str) -> None:
    title = titles.get(slug)
    names = [option.name for option in title.OPTIONS]
    assert len(set(names)) == len(names)
    assert "players" not in names
    for option in title.OPTIONS:
        assert option.label, option
        assert option.help, option
        assert set(option.seats) <= set(title.SEATS)
        assert all(choice.label for choice in option.choices)
        assert option.default in [choice.value for choice in option.choices]


@pytest.mark.parametrize("slug", titles.slugs())
def test_every_choice_of_every_title_is_taken(slug: str) -> None:
    title = titles.get(slug)
    for seats in title.SEATS:
        for option in title.OPTIONS:
            for choice in option.choices if seats in option.seats else ():
                assert complete(title.OPTIONS, seats, {option.name: choice.value})[option.name] == choice.value
