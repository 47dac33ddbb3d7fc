"""What every title must hold, by playing it: over all titles, seat counts and options.

A new title is covered by being there. Matches are played with moves at random, now and then by the club for somebody
who is away, and once by bots. While a claim may be made, whoever may act does so in no order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from math import ceil
from random import Random
from string import Formatter
from typing import Any, NamedTuple

import pytest

from games import titles
from games.engine import dominoes
from games.engine.contract import (
    Event,
    IllegalMove,
    Json,
    Move,
    Phrase,
    Seat,
    SeatName,
    SideName,
    State,
    Sum,
    Tiles,
    Title,
    Value,
    Word,
)
from games.engine.match import OWN_KINDS, is_move
from games.engine.options import complete
from games.engine.ranking import places
from tests.titles.conftest import SeededChance
from tests.titles.ledgers import open_ledger

LONGEST = 20_000
"""Moves after which a match is taken to be endless."""

WATCHED = 120
"""How many moves of a match are looked at one by one where that takes long."""

AWAY = 0.04
"""How often the club plays for somebody who is away."""

ROUNDS, MANY_ROUNDS = 2_000, 200_000
"""Rounds of each title whose every event is read: in the normal run, and in the long one."""

LOOKS = 0.03
"""How often a position on the way is looked at from all seats."""

FIRST_BY_RULE = {"knockout", "bald", "instant"}
"""Reasons that make a winner whatever the scores."""

PAYLOADS: Mapping[str, str] = {
    "match_started": "first_seat",
    "dealt": "round attempt leader scores carried",
    "redealt": "round attempt rule seat tile",
    "played": "tiles sum points scores ends",
    "drew": "count boneyard",
    "passed": "",
    "claimed": "points scores",
    "burnt": "points scores",
    "round_ended": "round how seat winner hands values written carried scores leader",
    "turn_started": "round totals opened",
    "threw": "dice",
    "kept": "dice value turn_points next_dice bonus",
    "bust": "lost",
    "banked": "points totals opened",
    "turn_ended": "",
}
"""The payload keys of each kind in their order (match record, "Events")."""

SEATLESS = {"match_started", "dealt", "redealt", "round_ended"}

HOSTILE = (
    "",
    " ",
    "25@",
    "77@L",
    "25@R+",
    "draw ",
    "PASS",
    "keep",
    "keep 7",
    "keep 1 1 1 1 1 1",
    "bank 5",
    "\0",
    "ə" * 9999,
)


class Case(NamedTuple):
    """One table: a title, its seats and the options that differ from the defaults."""

    slug: str
    seats: int
    given: tuple[tuple[str, Json], ...] = ()

    @property
    def title(self) -> Title:
        return titles.get(self.slug)

    @property
    def options(self) -> dict[str, Json]:
        return complete(self.title.OPTIONS, self.seats, dict(self.given), live=True)

    def __str__(self) -> str:
        return "-".join([self.slug, str(self.seats), *(f"{name}={value}" for name, value in self.given)])


def _cases() -> Iterator[Case]:
    """Every seat count with the defaults, with each other choice of each option, and with all of them changed."""
    for slug in titles.slugs():
        for seats in titles.get(slug).SEATS:
            others = [
                (option.name, choice.value)
                for option in titles.get(slug).OPTIONS
                if seats in option.seats
                for choice in option.choices
                if choice.value != option.default
            ]
            yield Case(slug, seats)
            yield from (Case(slug, seats, (other,)) for other in others)
            yield Case(slug, seats, tuple(dict(others).items()))


class Step(NamedTuple):
    """A decision: the position before it, the move (None: the club played for the seat), and what followed.

    A match begins with a step that nobody decides.
    """

    before: State
    seat: Seat | None
    move: Move | None
    events: tuple[Event, ...]


class Match(NamedTuple):
    case: Case
    opening: tuple[Event, ...]
    steps: tuple[Step, ...]
    final: State

    @property
    def log(self) -> tuple[Event, ...]:
        return sum((step.events for step in self.steps), self.opening)


Choose = Callable[[Title, State], tuple[Seat, Move | None]]
"""Who acts, and how; None: the club acts for the seat."""


def fold(title: Title, state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = title.evolve(state, event)
    return state


def play(case: Case, seed: int, choose: Choose) -> Match:
    """A whole match. Fails if nobody is to act before the end, or somebody after it."""
    opening, *steps = walk(case, seed, choose)
    return Match(case, opening.events, tuple(steps), fold(case.title, steps[-1].before, steps[-1].events))


def walk(case: Case, seed: int, choose: Choose) -> Iterator[Step]:
    """The steps of a match."""
    title, chance = case.title, SeededChance(seed)
    state, events = title.initial(case.options), title.setup(case.options, chance)
    yield Step(state, None, None, events)
    for _ in range(LONGEST):
        state = fold(title, state, events)
        if title.outcome(state) is not None:
            assert title.to_act(state) == frozenset()
            return
        seat, move = choose(title, state)
        events = title.absent(state, seat, chance) if move is None else title.decide(state, seat, move, chance)
        yield Step(state, seat, move, events)
    raise AssertionError("endless")


def random_choice(random: Random) -> Choose:
    def choose(title: Title, state: State) -> tuple[Seat, Move | None]:
        if random.random() < AWAY:
            return owner(title, state), None
        seat = random.choice(sorted(title.to_act(state)))
        return seat, random.choice(title.legal_moves(state, seat))

    return choose


def owner(title: Title, state: State) -> Seat:
    """For whom the club acts when a clock runs out here."""
    window = title.window(state)
    return window.owner if window else min(title.to_act(state))


@cache
def at_random(case: Case, seed: int = 1) -> Match:
    return play(case, seed, random_choice(Random(seed)))


CASES = tuple(_cases())


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


@pytest.fixture
def match(case: Case) -> Match:
    return at_random(case)


@pytest.mark.parametrize("slug", titles.slugs())
def test_a_title_says_what_it_is(slug: str) -> None:
    title = titles.get(slug)
    assert slug == title.SLUG
    assert title.RULESET.startswith(f"{slug}/")
    assert title.NAME
    assert set(title.SEATS) <= {2, 3, 4}
    assert title.OPENS
    assert title.CLOSES


def test_the_sides_share_out_the_seats(case: Case) -> None:
    seats = [seat for side in case.title.sides(case.options) for seat in side]
    assert sorted(seats) == list(range(case.seats))
    assert len(case.title.scores(case.title.initial(case.options))) == len(case.title.sides(case.options))


def test_the_outcome_ranks_every_side_once(match: Match) -> None:
    title = match.case.title
    outcome = title.outcome(match.final)
    assert outcome is not None
    assert outcome.scores == title.scores(match.final)
    assert len(outcome.scores) == len(outcome.places) == len(title.sides(match.case.options))
    assert outcome.winners == tuple(side for side, place in enumerate(outcome.places) if place == 1)
    assert outcome.places == places([(place, 0) for place in outcome.places])
    if outcome.reason not in FIRST_BY_RULE:
        best = min(outcome.scores) if title.LOW_WINS else max(outcome.scores)
        assert all(outcome.scores[side] == best for side in outcome.winners)


def test_legal_moves_are_sorted_and_each_is_taken(match: Match) -> None:
    title, chance = match.case.title, SeededChance(1)
    for step in match.steps[:WATCHED]:
        for seat in range(match.case.seats):
            legal = title.legal_moves(step.before, seat)
            assert bool(legal) == (seat in title.to_act(step.before))
            assert list(legal) == sorted(set(legal))
            for move in legal:
                assert_begins(title.decide(step.before, seat, move, chance), seat)


def assert_begins(events: tuple[Event, ...], seat: Seat) -> None:
    """A move of the seat, after points that it burns; an opening that voids the deal is taken back with it."""
    first, *_ = [event for event in events if event.kind != "burnt"]
    if first.kind == "redealt":
        assert first.payload["seat"] == seat
    else:
        assert is_move(first)
        assert first.seat == seat


def test_all_else_is_refused_with_a_reason(match: Match) -> None:
    title, chance = match.case.title, SeededChance(1)
    known = {move for step in match.steps for move in title.legal_moves(step.before, step.seat)}
    for step in match.steps[:WATCHED:4]:
        for seat in range(match.case.seats):
            for move in (known - set(title.legal_moves(step.before, seat))).union(HOSTILE):
                with pytest.raises(IllegalMove) as refused:
                    title.decide(step.before, seat, move, chance)
                assert_speaks(refused.value.reason, match.case)


def test_nothing_is_taken_once_the_match_is_over(match: Match) -> None:
    for step in match.steps[-5:]:
        for seat in range(match.case.seats):
            assert match.case.title.legal_moves(match.final, seat) == ()
            assert match.case.title.forced_move(match.final, seat) is None
            if step.move is not None:
                with pytest.raises(IllegalMove):
                    match.case.title.decide(match.final, seat, step.move, SeededChance(1))


def test_a_forced_move_is_legal(match: Match) -> None:
    title = match.case.title
    for step in match.steps:
        for seat in title.to_act(step.before):
            forced = title.forced_move(step.before, seat)
            assert forced is None or forced in title.legal_moves(step.before, seat)


def test_several_may_act_only_while_a_claim_window_is_open(match: Match) -> None:
    title, windows = match.case.title, 0
    for step in match.steps:
        acting, window = title.to_act(step.before), title.window(step.before)
        if window is None:
            assert len(acting) == 1
            continue
        windows += 1
        assert window.seconds > 0
        assert window.first
        assert window.owner in acting
        assert not window.first & window.then
        assert window.first | window.then == acting
    assert title.window(match.final) is None
    assert (windows > 0) == (match.case.options.get("muggins") == "strict")


def test_when_a_claim_window_has_passed_the_points_are_burnt(match: Match) -> None:
    title, chance = match.case.title, SeededChance(1)
    for step in match.steps:
        if window := title.window(step.before):
            first, *_ = events = title.absent(step.before, window.owner, chance)
            assert first.kind == "burnt"
            assert title.window(fold(title, step.before, events)) is None


def test_the_club_ends_the_turn_of_somebody_who_is_away(match: Match) -> None:
    """It begins with a legal move or is nothing but the end of the turn; all it leaves the seat to do is to claim."""
    title, chance = match.case.title, SeededChance(1)
    for step in match.steps[:WATCHED]:
        if title.window(step.before):
            continue
        events = title.absent(step.before, step.seat, chance)
        moves = [
            title.decide(step.before, step.seat, move, chance)[0] for move in title.legal_moves(step.before, step.seat)
        ]
        assert events[0] in moves or events[0] == Event("turn_ended", step.seat)
        after = fold(title, step.before, events)
        opened = any(event.kind in title.OPENS for event in events)
        assert step.seat not in title.to_act(after) or opened or title.window(after)


def test_the_log_alone_gives_the_position(match: Match) -> None:
    """Folded whole, and folded from the first event and the last that opened a round."""
    title, start = match.case.title, match.case.title.initial(match.case.options)
    assert fold(title, start, match.log) == match.final
    first, *events = match.opening
    for step in match.steps:
        assert fold(title, start, (first, *events)) == step.before
        for event in step.events:
            events = [event] if event.kind in title.OPENS else [*events, event]
    assert fold(title, start, (first, *events)) == match.final


def test_the_same_seed_gives_the_same_match(case: Case) -> None:
    """Positions and all: none is changed in place, although other tests try every move on them."""
    assert at_random.__wrapped__(case) == at_random(case)


def test_another_seed_gives_another_match(case: Case) -> None:
    assert at_random(case).log != at_random(case, seed=2).log


def test_events_survive_json(match: Match) -> None:
    for event in match.log:
        for part in (event.payload, event.secret):
            assert json.loads(json.dumps(part)) == part


def test_events_are_written_as_the_match_record_says(match: Match) -> None:
    for event in match.log:
        assert list(event.payload) == PAYLOADS[event.kind].split(), event.kind
        assert (event.seat is None) == (event.kind in SEATLESS), event.kind
        assert set(event.secret) <= {"club", *map(str, range(match.case.seats))}
    assert match.log[0].kind == "match_started"
    assert match.log[1].kind in match.case.title.OPENS


def test_play_at_random_meets_every_kind_of_event() -> None:
    assert {event.kind for case in CASES for event in at_random(case).log} == set(PAYLOADS)


def test_what_belongs_to_the_match_changes_no_position(match: Match) -> None:
    for step in match.steps[:WATCHED:10]:
        for kind in (*OWN_KINDS, "paused", "resumed", "pace_changed", "of another title"):
            assert match.case.title.evolve(step.before, Event(kind, 0, {"seat": 0})) is step.before


def test_a_seat_sees_nothing_of_what_is_hidden_from_it(match: Match) -> None:
    random = Random(1)
    hidden = [assert_hidden(match.case, step.before, random) for step in match.steps[:WATCHED]]
    assert any(hidden) == any(event.secret for event in match.log)


def assert_hidden(case: Case, state: State, random: Random) -> bool:
    """View, moves and what is forced stay the same when all that a seat cannot know is dealt anew.

    Returns whether there was something to deal anew.
    """
    title, hidden = case.title, False
    for seat in (*range(case.seats), None):
        other = title.resample(state, seat, random.shuffle)
        hidden = hidden or other != state
        assert title.view(other, seat) == title.view(state, seat)
        assert title.to_act(other) == title.to_act(state)
        assert title.window(other) == title.window(state)
        if seat is not None:
            assert title.legal_moves(other, seat) == title.legal_moves(state, seat)
            assert title.forced_move(other, seat) == title.forced_move(state, seat)
    return hidden


def test_a_view_is_made_of_plain_values(match: Match) -> None:
    for state in (*[step.before for step in match.steps[:WATCHED:5]], match.final):
        for seat in (*range(match.case.seats), None):
            assert_plain(match.case.title.view(state, seat))


def assert_plain(value: Any) -> None:
    if is_dataclass(value) and not isinstance(value, type):
        assert not hasattr(value, "__dict__"), "a dataclass with slots"
        for field in fields(value):
            assert_plain(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            assert_plain(item)
    else:
        assert value is None or type(value) in (str, int, bool), repr(value)


def test_everything_that_happens_can_be_told(match: Match) -> None:
    title = match.case.title
    for event in match.log:
        told = title.describe(event)
        assert told or event.kind in ("turn_started", "turn_ended"), event.kind
        for phrase in told:
            assert_speaks(phrase, match.case)
    for step in match.steps[:WATCHED]:
        labels = [title.label(step.before, step.seat, move) for move in title.legal_moves(step.before, step.seat)]
        for phrase in labels:
            assert_speaks(phrase, match.case)
        assert all(labels.count(phrase) == 1 for phrase in labels)


def test_what_is_told_without_secrets_names_no_hidden_tile(match: Match) -> None:
    for event in match.log:
        # The double blank of a bald end is named by its rule.
        if event.payload.get("how") != "bald":
            for phrase in match.case.title.describe(replace(event, secret={})):
                assert all(f'"{tile}"' in json.dumps(event.payload) for tile in named(phrase))


# Why.


def test_every_number_is_explained(match: Match) -> None:
    for before, event in told(match):
        assert_explained(match.case, before, event)


def test_an_explanation_tells_nothing_that_is_hidden(match: Match) -> None:
    random = Random(1)
    for before, event in told(match):
        assert_explanation_is_public(match.case.title, before, event, random)


def told(match: Match) -> Iterator[tuple[State, Event]]:
    """Each event and the position in which it happened; of a long match only some."""
    return happening(match.case.title, match.case.title.initial(match.case.options), match.log[: 2 * WATCHED])


def happening(title: Title, state: State, events: tuple[Event, ...]) -> Iterator[tuple[State, Event]]:
    for event in events:
        yield state, event
        state = title.evolve(state, event)


def assert_explained(case: Case, before: State, event: Event) -> None:
    """Each sentence is whole, each addition comes out, and what was counted is among the numbers."""
    why = case.title.explain(before, event)
    for phrase in why:
        assert_speaks(phrase, case)
    for phrase in (*case.title.describe(event), *why):
        assert_adds_up(phrase)
    assert counted(event, case) - {0} <= {number for phrase in why for number in numbers(phrase)}, event


def assert_explanation_is_public(title: Title, before: State, event: Event, random: Random) -> None:
    """It makes nothing of secrets, and stays the same when all that is hidden is dealt anew."""
    why = title.explain(before, event)
    assert why == title.explain(before, replace(event, secret={}))
    # With the end of a round everything is known.
    if event.kind not in title.CLOSES:
        assert why == title.explain(title.resample(before, None, random.shuffle), event)


def counted(event: Event, case: Case) -> set[int]:
    """The numbers of an event that came about by counting.

    What is written at the end of a round may be the value of a hand, which is told with it. Where the players count for
    themselves, a move is explained when its points have been claimed or burnt.
    """
    fact = event.payload
    if event.kind == "played" and case.options.get("muggins") != "strict":
        return {fact["sum"], fact["points"]}
    if event.kind == "banked":
        return {fact["totals"][event.seat]}
    if event.kind == "round_ended":
        return set(fact["written"]) - set(fact["values"])
    keys = {"kept": ("value", "turn_points"), "claimed": ("points",), "burnt": ("points",)}.get(event.kind, ())
    return {fact[key] for key in keys}


def numbers(phrase: Phrase) -> Iterator[int]:
    for value in phrase.values.values():
        if isinstance(value, int):
            yield value
        elif isinstance(value, Sum):
            yield from (number for number, _ in value.terms)


def named(phrase: Phrase) -> Iterator[str]:
    """The tiles a sentence names."""
    for value in phrase.values.values():
        if isinstance(value, Tiles):
            yield from value.tiles
        elif isinstance(value, Sum):
            yield from (tile for _, tile in value.terms if tile)


EQUATION = re.compile(r"(\d+(?: [+−×] \d+)*) = (\d+)")


def assert_adds_up(phrase: Phrase) -> None:
    """What a sentence says of the form "3 + 2 + 12 = 17" is so."""
    sentence = phrase.text.format_map({name: shown(value) for name, value in phrase.values.items()})
    for terms, result in EQUATION.findall(sentence):
        assert eval(terms.replace("−", "-").replace("×", "*")) == int(result), sentence


def shown(value: Value) -> str:
    if isinstance(value, Sum):
        return " + ".join(str(number) for number, _ in value.terms)
    return str(value) if isinstance(value, int | str) else "…"


def assert_speaks(phrase: Phrase, case: Case) -> None:
    """Every placeholder of the sentence has its value and the other way round, and every value can be spoken."""
    assert phrase.text
    assert {name for _, name, _, _ in Formatter().parse(phrase.text) if name is not None} == set(phrase.values)
    for value in phrase.values.values():
        if isinstance(value, SeatName):
            assert 0 <= value.seat < case.seats
        elif isinstance(value, SideName):
            assert 0 <= value.side < len(case.title.sides(case.options))
        elif isinstance(value, Tiles):
            assert value.tiles
            assert set(value.tiles) <= set(dominoes.TILES)
        elif isinstance(value, Sum):
            assert value.terms
            assert {tile for _, tile in value.terms if tile} <= set(dominoes.TILES)
        elif isinstance(value, str):
            assert not any(letter.isalpha() for letter in value), "words would not be translated"
        else:
            assert type(value) in (int, Word)


def test_bots_play_a_match_to_its_end_by_legal_moves(case: Case) -> None:
    def choose(title: Title, state: State) -> tuple[Seat, Move]:
        seat = owner(title, state)
        view, moves = title.view(state, seat), title.legal_moves(state, seat)
        move = title.bot(view, moves)
        assert move in moves
        assert title.bot(view, moves) == move
        return seat, move

    play(case, 3, choose)


# Round after round.


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_of_many_rounds_keeps_to_the_rules(case: Case) -> None:
    read_rounds(case, ROUNDS, seed=0)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_of_very_many_rounds_keeps_to_the_rules(case: Case) -> None:
    read_rounds(case, MANY_ROUNDS, seed=1_000_000)


def read_rounds(case: Case, total: int, seed: int) -> None:
    """Enter every event of the case's share of `total` rounds in a ledger, and look at some positions on the way."""
    wanted = ceil(total / sum(other.slug == case.slug for other in CASES))
    while wanted > 0:
        seed += 1
        wanted -= read_match(case, seed)


def read_match(case: Case, seed: int) -> int:
    """Enter every event of a match; returns its rounds."""
    title, random = case.title, Random(seed)
    ledger = open_ledger(title, case.options, SeededChance(seed))
    for step in walk(case, seed, random_choice(Random(seed))):
        if step.seat is not None and random.random() < LOOKS:
            ledger.compare(title, step.before)
            assert_hidden(case, step.before, random)
            for before, event in happening(title, step.before, step.events):
                assert_explained(case, before, event)
                assert_explanation_is_public(title, before, event, random)
        for event in step.events:
            ledger.enter(event)
    ledger.compare(title, fold(title, step.before, step.events))
    return ledger.rounds


@pytest.mark.parametrize(
    ("slug", "kind", "key", "wrong"),
    [
        ("telefon365", "played", "sum", 37),
        ("telefon365", "played", "points", 15),
        ("telefon365", "played", "scores", [0, 1]),
        ("kozel", "played", "ends", {"L": 7, "R": 7}),
        ("kozel", "played", "tiles", [["66", "L"]]),
        ("kozel", "drew", "boneyard", 14),
        ("kozel", "dealt", "attempt", 1),
        ("kozel", "round_ended", "hands", [[], []]),
        ("kozel", "round_ended", "written", [1, 1]),
        ("thousand", "threw", "dice", [1, 1, 1, 1, 2]),
        ("thousand", "kept", "value", 75),
        ("thousand", "kept", "next_dice", 0),
        ("thousand", "banked", "totals", [0, 0]),
        ("thousand", "turn_started", "round", 0),
    ],
)
def test_a_ledger_finds_a_wrong_fact(slug: str, kind: str, key: str, wrong: Json) -> None:
    case = Case(slug, 2)
    log = at_random(case).log
    last = max(at for at, event in enumerate(log) if event.kind == kind)
    ledger = open_ledger(case.title, case.options, SeededChance(1))
    for event in log[:last]:
        ledger.enter(event)
    with pytest.raises((AssertionError, ValueError)):
        ledger.enter(replace(log[last], payload={**log[last].payload, key: wrong}))
