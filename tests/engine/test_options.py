"""Reading options: complete, typed, refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from games import titles
from games.engine.contract import Choice, Option
from games.engine.options import BadOption, complete, needs_live, written

OPTIONS = (
    Option("teams", "", "", (Choice(True, ""), Choice(False, "")), default=True, seats=(4,)),
    Option("target", "", "", (Choice(101, ""),), default=101),
    Option("limit", "", "", (Choice(1, ""), Choice(3, ""), Choice(None, "")), default=None),
    Option("rank", "", "", (Choice("lowest", ""), Choice("last", "")), default="lowest"),
    Option("claims", "", "", (Choice("auto", ""), Choice("strict", "", live=True)), default="auto"),
)


def test_what_is_not_given_gets_its_default_and_players_come_first() -> None:
    found = complete(OPTIONS, 4, {"rank": "last"})
    assert list(found.items()) == [
        ("players", 4),
        ("teams", True),
        ("target", 101),
        ("limit", None),
        ("rank", "last"),
        ("claims", "auto"),
    ]


def test_an_option_of_other_seat_counts_is_left_out() -> None:
    assert "teams" not in complete(OPTIONS, 2, {})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"speed": 1}, "speed: there is no such option"),
        ({"teams": True}, "teams: not an option with 2 seats"),
        ({"players": 3}, "players: the table has 2 seats"),
        ({"players": 2.0}, "players: the table has 2 seats"),
        ({"target": 100}, "target: must be one of 101"),
        ({"target": "101"}, "target: must be one of 101"),
        ({"limit": True}, "limit: must be one of 1, 3, none"),
        ({"limit": 1.0}, "limit: must be one of 1, 3, none"),
        ({"rank": ["last"]}, "rank: must be one of lowest, last"),
        ({"rank": None}, "rank: must be one of lowest, last"),
        ({"rank": {}}, "rank: must be one of lowest, last"),
        ({"claims": "strict"}, "claims: strict is offered at live tables only"),
    ],
)
def test_an_unknown_name_or_value_is_refused_by_name(given: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOption) as refused:
        complete(OPTIONS, 2, given)
    assert str(refused.value) == why
    assert why.startswith(f"{refused.value.name}: ")


def test_a_live_table_takes_what_needs_a_clock_of_seconds() -> None:
    strict = complete(OPTIONS, 2, {"claims": "strict"}, live=True)
    assert strict["claims"] == "strict"
    assert needs_live(OPTIONS, strict)
    assert not needs_live(OPTIONS, complete(OPTIONS, 2, {}, live=True))


def test_values_are_written_as_a_command_line_takes_them() -> None:
    assert [written(value) for value in (True, False, None, 3, "last")] == ["on", "off", "none", "3", "last"]


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
        assert option.default in [choice.value for choice in option.choices if not choice.live]


@pytest.mark.parametrize("slug", titles.slugs())
def test_every_choice_of_every_title_is_taken(slug: str) -> None:
    title = titles.get(slug)
    for seats in title.SEATS:
        for option in title.OPTIONS:
            for choice in option.choices if seats in option.seats else ():
                found = complete(title.OPTIONS, seats, {option.name: choice.value}, choice.live)
                assert found[option.name] == choice.value
