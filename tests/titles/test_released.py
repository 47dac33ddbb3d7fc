"""Old matches survive: the stored records of every released version replay right with today's code.

`python -m tests.titles.released SLUG` makes the records of a new title, or of a new version of its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games import titles
from games.engine.dominoes import weight
from games.engine.match import OFFERED
from games.engine.rounds import play
from games.replay import Differs, Unreadable, read, replay
from games.titles import kozel
from games.titles.kozel import scoring
from games.titles.thousand import rules as thousand
from tests.titles import released


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """No test leaves behind which rules answer for which version."""
    yield
    titles.of.cache_clear()


def stored(path: Path) -> Iterator[dict[str, Any]]:
    return map(read, released.lines(path))


def of(slug: str) -> list[dict[str, Any]]:
    path = released.path_of(titles.get(slug).RULESET)
    assert path is not None
    return [*stored(path)]


def parted(slug: str) -> list[str]:
    """The keys in which the records of a title and the rules part."""
    keys = []
    for record in of(slug):
        try:
            replay(record)
        except Differs as difference:
            keys.append(difference.key)
    return keys


@pytest.mark.parametrize("path", released.paths(), ids=lambda path: path.name)
def test_every_released_match_replays_right(path: Path) -> None:
    for record in stored(path):
        assert replay(record) == len(record["events"])
        assert record["ruleset"].replace("/", "-") == path.name.split(".")[0]


@pytest.mark.parametrize("slug", titles.slugs())
def test_the_rules_of_today_are_released_with_all_seats_and_options(slug: str) -> None:
    title = titles.get(slug)
    records = of(slug)
    for seats in title.SEATS:
        there = [record["options"] for record in records if len(record["seats"]) == seats]
        for option in title.OPTIONS:
            values = {repr(choice.value) for choice in option.choices if seats in option.seats}
            assert {repr(options[option.name]) for options in there if option.name in options} == values
    kinds = {event["kind"] for record in records for event in record["events"]}
    assert {"lapsed", "forfeited", "resigned", "bot_seated"} <= kinds
    assert all("legal" in event for record in records for event in record["events"] if event["kind"] in OFFERED)


def heavier(hand: Any) -> int:
    return right_hand_value(hand) + 1


right_hand_value = scoring.hand_value


@pytest.mark.parametrize(
    ("slug", "where", "name", "rule", "key"),
    [
        ("kozel", scoring, "hand_value", heavier, "payload.values"),
        ("kozel", scoring, "leader_after_block", lambda blocker, winners, values: blocker, "payload.leader"),
        ("kozel", play, "cautious", lambda legal: min(legal, key=lambda at: weight(at[0])), "payload.tiles"),
        ("thousand", thousand, "can_bank", lambda position: position.phase == "decide", "legal"),
        ("thousand", thousand, "minimum", lambda position: 25, "legal"),
    ],
)
def test_a_changed_rule_without_a_new_version_is_found(
    slug: str, where: Any, name: str, rule: Callable[..., Any], key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not parted(slug)
    monkeypatch.setattr(where, name, rule)
    assert key in parted(slug)


def test_a_version_that_a_title_answers_for_no_longer_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    (record, *_) = of("kozel")
    monkeypatch.setattr(kozel, "RULESET", "kozel/2")
    titles.of.cache_clear()
    with pytest.raises(Unreadable, match="ruleset: kozel/1 is not known here"):
        replay(record)


def test_a_match_keeps_its_old_rules_when_its_title_has_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    records = of("kozel")
    monkeypatch.setattr(kozel, "OLDER", (SimpleNamespace(**vars(kozel)),), raising=False)
    monkeypatch.setattr(kozel, "RULESET", "kozel/2")
    titles.of.cache_clear()
    monkeypatch.setattr(kozel, "legal_moves", lambda state, seat: ())
    for record in records:
        assert replay(record) == len(record["events"])


def test_what_is_released_is_never_written_again(tmp_path: Path) -> None:
    path = released.write("thousand", tmp_path)
    before = path.read_bytes()
    assert all(replay(record) for record in stored(path))
    with pytest.raises(FileExistsError, match=r"thousand-1\..* is released, and never written again"):
        released.write("thousand", tmp_path)
    assert path.read_bytes() == before
    assert released.paths(tmp_path) == [path]
