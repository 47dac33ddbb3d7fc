"""Lines, what is public when, and the match record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import titles
from games.engine import chance, codec
from games.engine import match as engine
from games.engine.chance import Key, SealedChance
from games.engine.contract import Event, Json, Phrase, SeatName, Title
from games.engine.options import complete

MATCH = UUID("f47ac10b-58cc-4372-a567-0e02b2c3d479")
ROOT = Key(range(32))
LENGTH = 60
SEEDS = (bytes(range(32)), None)
S0 = chance.key_at(MATCH.bytes, ROOT, LENGTH, 0)


# Lines


def test_an_event_line_is_these_bytes() -> None:
    event = Event("played", 0, {"tiles": (("25", "R"), ("00", None)), "ends": MappingProxyType({"L": 2}), "points": 5})
    assert codec.line(event, "2026-11-30T17:00:00Z") == (
        b'{"kind":"played","seat":0,"at":"2026-11-30T17:00:00Z",'
        b'"payload":{"tiles":[["25","R"],["00",null]],"ends":{"L":2},"points":5}}'
    )


def test_a_line_holds_no_secret_and_no_time_in_self_play() -> None:
    event = Event("dealt", None, {}, {"0": ["25"], "club": ["00"]})
    assert codec.line(event, None) == b'{"kind":"dealt","seat":null,"at":null,"payload":{}}'


def test_letters_stand_in_utf_8() -> None:
    assert codec.line(Event("paused", None, {"reason": "отпуск"}), None).endswith('"отпуск"}}'.encode())


def test_a_number_json_does_not_know_is_no_line() -> None:
    with pytest.raises(ValueError, match="JSON"):
        codec.line(Event("kept", 0, {"value": float("nan")}), None)


def test_setup_lines_are_these_bytes() -> None:
    assert codec.commit_line(str(MATCH), "telefon365/1", {"players": 2, "teams": True, "rounds": None}, 1024, "ab") == (
        b'{"t":"commit","protocol":"club/v1","match":"f47ac10b-58cc-4372-a567-0e02b2c3d479","ruleset":"telefon365/1",'
        b'"options":{"players":2,"teams":true,"rounds":null},"length":1024,"s0":"ab"}'
    )
    assert codec.join_line(1, b"\xab\xcd") == b'{"t":"join","seat":1,"c":"abcd"}'
    assert codec.join_line(0, None) == b'{"t":"join","seat":0,"c":null}'
    assert codec.leave_line(3) == b'{"t":"leave","seat":3}'
    assert codec.start_line([b"\x01", None], b"\xff") == b'{"t":"start","seeds":["01",null],"transcript":"ff"}'


# Plain values


@dataclass(frozen=True, slots=True)
class Corner:
    name: str
    tiles: tuple[str, ...]
    inner: Corner | None = None


def test_plain_writes_a_view() -> None:
    assert codec.plain(Corner("A", ("25",), Corner("B", ()))) == {
        "name": "A",
        "tiles": ["25"],
        "inner": {"name": "B", "tiles": [], "inner": None},
    }
    assert codec.plain({0: frozenset({"66", "00", "25"}), "x": {3, 1}}) == {"0": ["00", "25", "66"], "x": [1, 3]}
    assert codec.plain(MappingProxyType({"on": True})) == {"on": True}
    assert codec.plain(Phrase("{n}: hello.", {"n": SeatName(1)})) == {
        "text": "{n}: hello.",
        "values": {"n": {"seat": 1}},
    }


@pytest.mark.parametrize("value", [b"bytes", Key(b"key"), 1.5, object(), Corner, [Corner("A", (b"",))]])  # type: ignore[arg-type]
def test_plain_refuses_what_no_view_holds(value: object) -> None:
    with pytest.raises(TypeError, match="no plain value"):
        codec.plain(value)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_plain_is_what_json_gives_back(value: object) -> None:
    assert json.loads(json.dumps(value)) == codec.plain(value)


# What is public


RULES = cast(
    Title,
    SimpleNamespace(
        SLUG="telefon365", CLOSES=frozenset({"round_ended", "redealt"}), sides=lambda options: ((0,), (1,))
    ),
)


def dealt(number: int) -> Event:
    secret = {"0": [f"{number}a"], "1": [f"{number}b"], "club": [f"{number}c"]}
    return Event("dealt", None, {"round": number, "attempt": 0}, secret)


DREW = Event("drew", 1, {"count": 1, "boneyard": 13}, {"1": ["66"]})
PLAYED = Event("played", 0, {"points": 0})
OVER = Event("round_ended", None, {"round": 1})
REDEALT = Event("redealt", None, {"rule": "R1"})
VOID = Event("voided", None, {"reason": "chain"})
ENDED = Event("match_ended", None, {"winners": [0], "places": [1, 2], "scores": [3, 1], "reason": "resigned"})


@pytest.mark.parametrize(
    ("viewer", "owners"), [(None, []), (0, ["0"]), (1, ["1"]), (2, [])], ids=["anybody", "seat 0", "seat 1", "seat 2"]
)
def test_in_a_running_round_a_seat_knows_its_own(viewer: int | None, owners: list[str]) -> None:
    deal, drew, played = codec.publish(RULES, [dealt(1), DREW, PLAYED], viewer)
    assert deal == replace(dealt(1), secret={owner: dealt(1).secret[owner] for owner in owners})
    assert drew.secret == (DREW.secret if viewer == 1 else {})
    assert played == PLAYED


@pytest.mark.parametrize("closing", [OVER, REDEALT])
def test_what_a_closed_round_hid_is_public_and_the_next_is_not(closing: Event) -> None:
    shown = codec.publish(RULES, [dealt(1), DREW, closing, dealt(2), DREW], None)
    assert shown[:3] == (dealt(1), DREW, closing)
    assert [event.secret for event in shown[3:]] == [{}, {}]


@pytest.mark.parametrize("end", [VOID, ENDED])
def test_a_match_that_breaks_off_publishes_the_running_round(end: Event) -> None:
    events = (dealt(1), OVER, dealt(2), DREW, end)
    assert codec.publish(RULES, events, None) == events


def test_the_revealed_epoch_is_the_last_that_is_over() -> None:
    turn = [Event("turn_started", 0), Event("threw", 0)]
    for closing in ("bust", "banked", "turn_ended"):
        assert codec.revealed_epoch([*turn, Event(closing, 0), *turn], 9) == 1
    assert codec.revealed_epoch([dealt(1), REDEALT, dealt(1), DREW], 9) == 0
    assert codec.revealed_epoch([dealt(1), OVER, dealt(2), OVER, dealt(3)], 9) == 2
    for end in (VOID, ENDED):
        assert codec.revealed_epoch([dealt(1), end], 9) == 9


# The record


@dataclass(frozen=True, slots=True)
class Kept:
    """An event of a log that lives in memory."""

    number: int
    event: Event
    line: bytes
    digest: bytes


def setup_lines(ruleset: str, options: Mapping[str, Json], seeds: Sequence[bytes | None]) -> list[bytes]:
    transcript = chance.transcript(MATCH.bytes, ruleset, seeds)
    joins = [
        codec.join_line(seat, seed and chance.commitment(MATCH.bytes, seat, seed)) for seat, seed in enumerate(seeds)
    ]
    commit = codec.commit_line(str(MATCH), ruleset, options, LENGTH, S0.hex())
    return [commit, *joins, codec.start_line(seeds, transcript)]


def kept(setup: Sequence[bytes], events: Sequence[Event]) -> list[Kept]:
    lines = [codec.line(event, "2026-11-30T17:00:00Z") for event in events]
    chained = list(chance.digests(MATCH.bytes, [*setup, *lines]))[len(setup) :]
    return [Kept(number, *parts) for number, parts in enumerate(zip(events, lines, chained, strict=True), start=1)]


OPTIONS = {"players": 2, "teams": False}
SETUP = setup_lines("telefon365/1", OPTIONS, SEEDS)


def written(events: Sequence[Event], viewer: int | None = None, **more: Any) -> dict[str, Json]:
    return codec.record(
        match=MATCH,
        title=RULES,
        pace="day",
        options=OPTIONS,
        seats=["Ayşe", None],
        stored=kept(SETUP, events),
        viewer=viewer,
        setup=SETUP,
        root=ROOT,
        length=LENGTH,
        **more,
    )


def test_a_record_of_a_finished_match() -> None:
    document = written([dealt(1), DREW, ENDED], bots=(1,), legal={2: ["pass", "draw"]})
    stored = kept(SETUP, [dealt(1), DREW, ENDED])
    at = "2026-11-30T17:00:00Z"
    assert document == {
        "format": "club-match/1",
        "match": "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "title": "telefon365",
        "ruleset": "telefon365/1",
        "pace": "day",
        "options": {"players": 2, "teams": False},
        "seats": ["Ayşe", None],
        "sides": [[0], [1]],
        "bots": [1],
        "events": [
            {
                "number": 1,
                "kind": "dealt",
                "seat": None,
                "at": at,
                "payload": {"round": 1, "attempt": 0},
                "secret": {"0": ["1a"], "1": ["1b"], "club": ["1c"]},
            },
            {
                "number": 2,
                "kind": "drew",
                "seat": 1,
                "at": at,
                "payload": {"count": 1, "boneyard": 13},
                "secret": {"1": ["66"]},
                "legal": ["draw", "pass"],
            },
            {"number": 3, "kind": "match_ended", "seat": None, "at": at, "payload": ENDED.payload, "secret": {}},
        ],
        "outcome": {"winners": [0], "places": [1, 2], "scores": [3, 1], "reason": "resigned"},
        "fairness": {
            "protocol": "club/v1",
            "length": LENGTH,
            "commitment": S0.hex(),
            "setup": [line.decode() for line in SETUP],
            "seeds": [SEEDS[0].hex(), None],  # type: ignore[union-attr]
            "transcript": chance.transcript(MATCH.bytes, "telefon365/1", SEEDS).hex(),
            "reveal": {"epoch": LENGTH, "key": ROOT.hex()},
            "log": [numbered.line.decode() for numbered in stored],
            "head": stored[-1].digest.hex(),
        },
    }


def test_a_running_record_tells_one_seat_its_own() -> None:
    document = written([dealt(1), OVER, dealt(2), DREW], viewer=0)
    assert [event["secret"] for event in document["events"]] == [dealt(1).secret, {}, {"0": ["2a"]}, {}]
    assert document["outcome"] is None
    assert document["fairness"]["reveal"] == {"epoch": 1, "key": chance.key_at(MATCH.bytes, ROOT, LENGTH, 1).hex()}


def test_nothing_is_revealed_before_an_epoch_is_over() -> None:
    assert written([dealt(1), DREW])["fairness"]["reveal"] is None


def test_a_record_keeps_the_ruleset_it_was_set_up_with() -> None:
    """A title whose rules have changed since must not rename the rules of an old match."""
    assert written([ENDED])["ruleset"] == "telefon365/1"
    assert not hasattr(RULES, "RULESET")


def test_a_record_is_one_line_of_utf_8() -> None:
    dumped = codec.dump(written([ENDED]))
    assert "Ayşe".encode() in dumped
    assert b"\n" not in dumped
    assert codec.parse(dumped) == written([ENDED])


SOUND = written([dealt(1), DREW, ENDED], legal={2: ["draw"]})


def places(value: Json, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in a record whose shape the record page fixes; payloads, secrets and options belong to titles."""
    inside: list[tuple[str | int, ...]] = []
    if isinstance(value, dict) and (not path or path[-1] not in ("payload", "secret", "options")):
        inside = [place for key, item in value.items() for place in places(item, (*path, key))]
    elif isinstance(value, list):
        inside = [place for index, item in enumerate(value) for place in places(item, (*path, index))]
    return [path, *inside]


def changed(path: tuple[str | int, ...], change: Any) -> Json:
    """SOUND with one change at `path`: `change` gets the container and the last key."""
    document = json.loads(codec.dump({"": SOUND}))
    container, steps = document, ("", *path)
    for step in steps[:-1]:
        container = container[step]
    change(container, steps[-1])
    return document.get("")


def drop(container: Any, key: Any) -> None:
    del container[key]


PLACES = places(SOUND)
KEYS = [path for path in PLACES if path and isinstance(path[-1], str) and path[-1] != "legal"]


@pytest.mark.parametrize("wrong", [0.5, {"a": 1}, ["a", ["b"]], True], ids=["float", "object", "list", "flag"])
def test_a_value_of_a_wrong_type_is_refused_wherever_it_stands(wrong: Json) -> None:
    def put(container: Any, key: Any) -> None:
        container[key] = wrong

    for path in PLACES:
        if isinstance(wrong, dict) and path and path[-1] in ("payload", "secret", "options"):
            continue
        with pytest.raises(codec.BadRecord):
            codec.parse(json.dumps(changed(path, put)).encode())


def test_a_missing_key_and_an_unknown_one_are_refused() -> None:
    def add(container: Any, key: Any) -> None:
        container["more"] = 1

    for path in KEYS:
        with pytest.raises(codec.BadRecord):
            codec.parse(json.dumps(changed(path, drop)).encode())
        with pytest.raises(codec.BadRecord):
            codec.parse(json.dumps(changed(path, add)).encode())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "club-match/2"),
        (("match",), "F47AC10B-58CC-4372-A567-0E02B2C3D479"),
        (("ruleset",), "kozel/1\n"),
        (("seats",), ["A"]),
        (("seats",), ["A"] * 5),
        (("events", 0, "seat"), 4),
        (("events", 0, "seat"), -1),
        (("events", 0, "at"), "2026-11-30 17:00:00"),
        (("outcome", "places"), [0, 1]),
        (("fairness", "protocol"), "club/v2"),
        (("fairness", "length"), 2**32),
        (("fairness", "length"), 0),
        (("fairness", "reveal", "epoch"), 0),
        (("fairness", "reveal", "epoch"), LENGTH + 1),
        (("fairness", "head"), "A" * 64),
        (("fairness", "seeds"), [None] * 3),
        (("fairness", "setup"), []),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_value_out_of_range_is_refused_by_its_place(path: tuple[str | int, ...], value: Json) -> None:
    def put(container: Any, key: Any) -> None:
        container[key] = value

    with pytest.raises(codec.BadRecord) as refused:
        codec.parse(json.dumps(changed(path, put)).encode())
    named = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    assert refused.value.where.startswith(named)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b"9" * 5000,
        codec.dump(SOUND)[:-1] + b',"pace":"day"}',
        codec.dump(SOUND).replace("Ayşe".encode(), rb"\ud800"),
        codec.dump(SOUND).replace(b'"number":1', b'"number":NaN'),
        codec.dump(SOUND).replace(b'"attempt":0', b'"attempt":0.0'),
        codec.dump(SOUND) + b" " * codec.LARGEST,
    ],
    ids=[
        "empty",
        "cut",
        "null",
        "list",
        "not UTF-8",
        "deep",
        "long",
        "twice",
        "half a pair",
        "NaN",
        "fraction",
        "large",
    ],
)
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(codec.BadRecord):
        codec.parse(data)


@given(values)
def test_a_made_up_document_is_refused_and_never_more(value: Json) -> None:
    with pytest.raises(codec.BadRecord):
        codec.parse(json.dumps(value).encode())


# A match of every title


@pytest.mark.parametrize("slug", titles.slugs())
def test_a_record_opens_no_round_that_is_played(slug: str) -> None:
    title = titles.get(slug)
    options = complete(title.OPTIONS, 2, {})
    setup = setup_lines(title.RULESET, options, SEEDS)
    draws = SealedChance(MATCH.bytes, LENGTH, lambda: ROOT, chance.transcript(MATCH.bytes, title.RULESET, SEEDS))
    events = list(played(title, options, draws))
    stored = kept(setup, events)
    for number in range(1, len(events) + 1, 7):
        common = {"title": title, "options": options, "stored": stored[:number], "setup": setup, "length": LENGTH}
        for viewer in (None, 0, 1):
            document = codec.record(
                match=MATCH,
                pace="day",
                seats=["A", "B"],
                viewer=viewer,
                root=ROOT,
                **common,  # type: ignore[arg-type]
            )
            assert codec.parse(codec.dump(document)) == document
            assert_closed(document, events[:number], viewer)


def played(title: Title, options: Mapping[str, Json], draws: SealedChance) -> list[Event]:
    """The events of a match in which everybody takes the first move there is, as long as the chain lasts."""
    state, events = engine.begin(title, options, draws)
    told = list(events)
    while state.to_act() and len(told) < 200:
        seat = min(state.to_act())
        state, events = engine.step(state, seat, title.legal_moves(state.position, seat)[0], draws)
        told += events
    return told


def assert_closed(document: dict[str, Json], events: Sequence[Event], viewer: int | None) -> None:
    """What was dealt or thrown since the last end shows the viewer's own at most, and no key given away draws it."""
    ends = [index for index, event in enumerate(events) if event.kind in ENDS]
    running = ends[-1] + 1 if ends else 0
    for entry in document["events"][running:]:
        assert set(entry["secret"]) <= {str(viewer)}
    reveal = document["fairness"]["reveal"]
    if reveal is not None and any(event.kind in ("dealt", "turn_started") for event in events[running:]):
        rounds = [event.payload["round"] for event in events if event.kind == "dealt"]
        turns = sum(event.kind == "turn_started" for event in events)
        assert reveal["epoch"] < max(rounds, default=turns)


ENDS = ("round_ended", "redealt", "bust", "banked", "turn_ended", "match_ended")
