"""What every title must hold, by playing it: over all titles, seat counts and options.

A new title is covered by being there. Matches are played with moves at random, now and then by the club for somebody
who is away, and once by bots.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import chain
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
    Tiles,
    Title,
    Word,
)
from games.engine.match import OWN_KINDS, is_move
from games.engine.options import complete
from games.engine.ranking import places
from tests.engine.test_dominoes import assert_joined
from tests.titles.conftest import SeededChance

LONGEST = 20_000
"""Moves after which a match is taken to be endless."""

WATCHED = 120
"""How many moves of a match are looked at one by one where that takes long."""

AWAY = 0.04
"""How often the club plays for somebody who is away."""

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
        return complete(self.title.OPTIONS, self.seats, dict(self.given))

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
    """A decision: the position before it, the move (None: the club played for the seat), and what followed."""

    before: State
    seat: Seat
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


Choose = Callable[[Title, State, Seat], Move | None]


def fold(title: Title, state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = title.evolve(state, event)
    return state


def play(case: Case, seed: int, choose: Choose) -> Match:
    """A whole match. Fails if nobody is to act before the end, or somebody after it."""
    title, chance = case.title, SeededChance(seed)
    opening = title.setup(case.options, chance)
    state = fold(title, title.initial(case.options), opening)
    steps: list[Step] = []
    while title.outcome(state) is None:
        assert len(steps) < LONGEST, "endless"
        seat = min(title.to_act(state))
        move = choose(title, state, seat)
        events = title.absent(state, seat, chance) if move is None else title.decide(state, seat, move, chance)
        steps.append(Step(state, seat, move, events))
        state = fold(title, state, events)
    assert title.to_act(state) == frozenset()
    return Match(case, opening, tuple(steps), state)


@cache
def at_random(case: Case, seed: int = 1) -> Match:
    random = Random(seed)

    def choose(title: Title, state: State, seat: Seat) -> Move | None:
        return None if random.random() < AWAY else random.choice(title.legal_moves(state, seat))

    return play(case, seed, choose)


@pytest.fixture(params=_cases(), ids=str)
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
                first, *_ = title.decide(step.before, seat, move, chance)
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
    for step in match.steps:
        forced = match.case.title.forced_move(step.before, step.seat)
        assert forced is None or forced in match.case.title.legal_moves(step.before, step.seat)


def test_the_club_ends_the_turn_of_somebody_who_is_away(match: Match) -> None:
    """It begins with a legal move, or with nothing but the end of the turn, and leaves the seat nothing to do."""
    title, chance = match.case.title, SeededChance(1)
    for step in match.steps[:WATCHED]:
        events = title.absent(step.before, step.seat, chance)
        moves = [
            title.decide(step.before, step.seat, move, chance)[0] for move in title.legal_moves(step.before, step.seat)
        ]
        assert events[0] in moves or events[0] == Event("turn_ended", step.seat)
        after = fold(title, step.before, events)
        assert step.seat not in title.to_act(after) or any(event.kind in title.OPENS for event in events)


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


def test_what_belongs_to_the_match_changes_no_position(match: Match) -> None:
    for step in match.steps[:WATCHED:10]:
        for kind in (*OWN_KINDS, "paused", "resumed", "pace_changed", "of another title"):
            assert match.case.title.evolve(step.before, Event(kind, 0, {"seat": 0})) is step.before


def test_a_seat_sees_nothing_of_what_is_hidden_from_it(match: Match) -> None:
    """View, moves and what is forced stay the same when all that the seat cannot know is dealt anew."""
    title, random = match.case.title, Random(1)
    hidden = False
    for step in match.steps[:WATCHED]:
        for seat in (*range(match.case.seats), None):
            other = title.resample(step.before, seat, random.shuffle)
            hidden = hidden or other != step.before
            assert title.view(other, seat) == title.view(step.before, seat)
            assert title.to_act(other) == title.to_act(step.before)
            if seat is not None:
                assert title.legal_moves(other, seat) == title.legal_moves(step.before, seat)
                assert title.forced_move(other, seat) == title.forced_move(step.before, seat)
    assert hidden == any(event.secret for event in match.log)


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
        public = json.dumps(event.payload)
        for phrase in match.case.title.describe(replace(event, secret={})):
            for value in phrase.values.values():
                # The double blank of a bald end is named by its rule.
                named = value.tiles if isinstance(value, Tiles) and event.payload.get("how") != "bald" else ()
                assert all(tile in public for tile in named)


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
        else:
            assert type(value) in (int, str, Word)


def test_bots_play_a_match_to_its_end_by_legal_moves(case: Case) -> None:
    def choose(title: Title, state: State, seat: Seat) -> Move:
        view, moves = title.view(state, seat), title.legal_moves(state, seat)
        move = title.bot(view, moves)
        assert move in moves
        assert title.bot(view, moves) == move
        return move

    play(case, 3, choose)


DOMINOES = [case for case in _cases() if "dealt" in case.title.OPENS]

BRANCHLESS = {"kozel"}


@pytest.mark.parametrize("case", DOMINOES, ids=str)
def test_the_28_tiles_are_always_somewhere(case: Case) -> None:
    """The facts that always hold (domino-common 8), kept up from the events alone and compared with the position."""
    match = at_random(case)
    ledger = Ledger(case)
    state = case.title.initial(case.options)
    for event in match.log:
        state = case.title.evolve(state, event)
        ledger.enter(event)
        if event.kind != "match_started":
            ledger.check()
            for seat in range(case.seats):
                assert sorted(held.tile for held in case.title.view(state, seat).hand) == sorted(ledger.hands[seat])


class Ledger:
    """Where each tile is, by the events."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.branching = case.slug not in BRANCHLESS
        self.hands: list[list[str]] = []
        self.boneyard: list[str] = []
        self.layout = dominoes.EMPTY
        self.round = 0

    def enter(self, event: Event) -> None:
        entering = getattr(self, f"_{event.kind}", None)
        if entering:
            entering(event)

    def check(self) -> None:
        table = [*self.layout.line, *self.layout.arms[0], *self.layout.arms[1]]
        everywhere = [*chain(*self.hands), *self.boneyard, *(min(tile, tile[::-1]) for tile in table)]
        assert sorted(everywhere) == list(dominoes.TILES)
        assert sum(dominoes.PIPS[tile] for tile in everywhere) == 168
        assert_joined(self.layout)
        assert len(dominoes.ends(self.layout)) == (4 if self.layout.hub else 2 if table else 0)

    def _dealt(self, event: Event) -> None:
        told = event.payload
        assert told["round"] == self.round + (told["attempt"] == 0)
        self.round = told["round"]
        self.hands = [list(event.secret[str(seat)]) for seat in range(self.case.seats)]
        self.boneyard = list(event.secret["club"])
        self.layout = dominoes.EMPTY
        order = SeededChance(1).deal(told["round"], told["attempt"])
        assert [*chain(*self.hands), *self.boneyard] == list(order)
        assert len({len(hand) for hand in self.hands}) == 1

    def _drew(self, event: Event) -> None:
        seat, taken = self._acting(event), event.secret[str(event.seat)]
        assert taken == self.boneyard[: len(taken)]
        assert len(taken) == event.payload["count"] > 0
        wanted = dominoes.ends(self.layout).values()
        assert not dominoes.fits([*self.hands[seat], *taken[:-1]], wanted), "no draw with a tile that fits"
        self.hands[seat] += taken
        del self.boneyard[: len(taken)]
        assert event.payload["boneyard"] == len(self.boneyard)

    def _passed(self, event: Event) -> None:
        assert not dominoes.fits(self.hands[self._acting(event)], dominoes.ends(self.layout).values())

    def _played(self, event: Event) -> None:
        told = event.payload
        for tile, end in told["tiles"]:
            wanted = dominoes.ends(self.layout)
            assert end is None or tile in dominoes.SUITS[wanted[end]]
            self.hands[self._acting(event)].remove(tile)
            self.layout = dominoes.lay(self.layout, tile, end, branching=self.branching)
            if end and dominoes.is_double(tile):
                assert dominoes.ends(self.layout)[end] == wanted[end]
        assert told["ends"] == dominoes.ends(self.layout)
        assert list(told["ends"]) == list(dominoes.ends(self.layout))
        count = self.case.options.get("hub_count", "zero")
        assert told["sum"] == (dominoes.open_sum(self.layout, count) if self.branching else 0)
        assert 0 <= told["sum"] <= 36

    def _round_ended(self, event: Event) -> None:
        assert event.payload["hands"] == self.hands
        assert event.payload["round"] == self.round

    def _acting(self, event: Event) -> Seat:
        assert event.seat is not None
        return event.seat
