"""What every match has around its title: lapses, leaving, bots, the end."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games import titles
from games.engine import chance, match
from games.engine.contract import Event, IllegalMove
from games.engine.match import Absence, Limits, MatchState
from games.engine.options import complete

LIMITS = Limits()


def sealed(length: int = chance.LENGTH, salt: int = 0) -> chance.SealedChance:
    return chance.SealedChance(
        bytes(16), length, lambda: chance.Key(bytes([salt]) * chance.SIZE), bytes([salt]) * chance.SIZE
    )


def begun(slug: str, seats: int, **given) -> tuple[MatchState, list[Event], chance.SealedChance]:
    title = titles.get(slug)
    draws = sealed()
    step = match.begin(title, complete(title.OPTIONS, seats, given), draws)
    return run(step.state, draws, list(step.events))


def run(state, draws, events) -> tuple[MatchState, list[Event], chance.SealedChance]:
    """Play what nobody has to be asked for."""
    while (auto := match.automatic(state)) is not None:
        step = match.step(state, auto.seat, auto.move, draws, auto.by)
        state = step.state
        events += step.events
    return state, events, draws


def any_move(state: MatchState) -> tuple[int, str]:
    seat = min(state.to_act())
    return seat, state.title.legal_moves(state.position, seat)[0]


@pytest.mark.parametrize("slug", titles.slugs())
def test_a_lapse_is_told_and_played_by_the_club(slug):
    state, _, draws = begun(slug, 3)
    (seat,) = state.to_act()
    step = match.lapse(state, seat, draws, LIMITS, counts=True)
    lapsed, played = step.events[0], step.events[1]
    assert (lapsed.kind, lapsed.seat, lapsed.payload) == ("lapsed", seat, {"seat": seat, "in_a_row": 1, "in_match": 1})
    assert played.payload.get("by") == "club" or played.kind == "turn_ended"
    assert seat not in step.state.to_act()


@pytest.mark.parametrize("slug", titles.slugs())
def test_the_second_lapse_in_a_row_forfeits_and_the_other_wins(slug):
    state, events, draws = begun(slug, 2)
    (seat,) = state.to_act()
    while True:
        (acting,) = state.to_act()
        step = (
            match.lapse(state, acting, draws, LIMITS, counts=True)
            if acting == seat
            else match.step(state, *any_move(state), draws)
        )
        state, events, _ = run(step.state, draws, events + list(step.events))
        if state.outcome:
            break
    assert [event.kind for event in events if event.kind in ("lapsed", "forfeited", "match_ended")] == [
        "lapsed",
        "lapsed",
        "forfeited",
        "match_ended",
    ]
    assert state.outcome.winners == (1 - seat,)
    assert state.outcome.reason == "forfeited"
    assert state.outcome.places[seat] == 2


def test_a_move_of_ones_own_ends_the_row_but_not_the_count():
    state, events, draws = begun("thousand", 2)
    (late,) = state.to_act()
    lapses = 0
    while state.outcome is None:
        (acting,) = state.to_act()
        turn_begins = state.title.view(state.position, acting).phase == "roll"
        if acting == late and turn_begins and lapses % 2 == state.absences[late].in_a_row and lapses < 3:
            step = match.lapse(state, acting, draws, LIMITS, counts=True)
            lapses += 1
        else:
            step = match.step(state, *any_move(state), draws)
        if acting == late and step.events[0].kind == "threw":
            assert step.state.absences[late].in_a_row == 0
            lapses += lapses % 2
        state, events, _ = run(step.state, draws, events + list(step.events))
    assert any(event.kind == "lapsed" for event in events)
    assert match.fold(match.initial(state.title, state.options), events) == state


def test_a_lapse_without_blame_moves_no_figure():
    state, _, draws = begun("kozel", 2)
    (seat,) = state.to_act()
    for _ in range(5):
        state = match.lapse(state, min(state.to_act()), draws, LIMITS, counts=False).state
    assert state.absences[seat] == Absence(0, 0)
    assert state.outcome is None


def test_a_third_lapse_of_the_match_forfeits_although_not_in_a_row():
    state, _, draws = begun("thousand", 2)
    (seat,) = state.to_act()
    state = replace(state, absences=tuple(Absence(0, 2) if s == seat else Absence() for s in range(2)))
    step = match.lapse(state, seat, draws, LIMITS, counts=True)
    assert [event.kind for event in step.events] == ["lapsed", "forfeited", "match_ended"]


def test_who_resigns_in_mid_turn_is_followed_by_a_bot_and_nobody_is_skipped():
    state, events, draws = begun("thousand", 4)
    (first,) = state.to_act()
    step = match.step(state, first, "throw", draws)
    step = match.leave(step.state, first, match.RESIGNED)
    assert [event.kind for event in step.events] == ["resigned", "bot_seated"]
    state, events, _ = run(step.state, draws, [])
    assert {event.payload.get("by") for event in events if match.is_move(event)} == {"bot"}
    assert state.to_act() == {(first + 1) % 4}


def test_another_seats_leaving_changes_nothing_for_the_one_to_move():
    state, _, _draws = begun("thousand", 4)
    (acting,) = state.to_act()
    step = match.leave(state, (acting + 2) % 4, match.RESIGNED)
    assert step.state.position == state.position
    assert step.state.to_act() == {acting}


def test_in_teams_one_partner_may_leave_and_the_second_ends_the_match():
    state, _, _draws = begun("kozel", 4)
    step = match.leave(state, 1, match.RESIGNED)
    assert step.state.outcome is None
    step = match.leave(step.state, 3, match.RESIGNED)
    assert step.state.outcome.winners == (0,)
    assert step.state.outcome.reason == "resigned"


def test_the_last_member_among_singles_wins_and_the_rest_is_ranked_by_score():
    state, _, _draws = begun("thousand", 3)
    state = match.leave(state, 0, match.RESIGNED).state
    state = match.leave(state, 2, match.FORFEITED).state
    assert state.outcome.winners == (1,)
    assert state.outcome.places == (2, 1, 2)


def test_a_side_that_left_never_wins_even_if_its_bot_does():
    for salt in range(40):
        title = titles.get("thousand")
        draws = sealed(salt=salt)
        state = match.begin(title, complete(title.OPTIONS, 3, {}), draws).state
        state = match.leave(state, 0, match.RESIGNED).state
        while state.outcome is None:
            state, _, _ = run(state, draws, [])
            if state.outcome is None:
                # The members only ever bust or dawdle, so that the bot reaches the target first.
                state = match.lapse(state, min(state.to_act()), draws, Limits(99, 99), counts=False).state
        assert state.outcome.reason in ("target", "instant")
        assert 0 not in state.outcome.winners
        assert state.outcome.places[0] == 3
        if state.outcome.scores[0] >= 1000:
            return
    pytest.fail("the bot never won")


def test_a_voided_match_has_no_winner_and_keeps_the_scores():
    state, _, _ = begun("kozel", 2)
    step = match.void(state, "chain")
    assert [event.kind for event in step.events] == ["voided", "match_ended"]
    assert match.outcome_payload(step.state.outcome) == {
        "winners": [],
        "places": [],
        "scores": [0, 0],
        "reason": "voided",
    }
    assert step.state.to_act() == frozenset()


@pytest.mark.parametrize("slug", titles.slugs())
def test_the_fold_of_the_log_and_of_its_tail_are_the_live_state(slug):
    title = titles.get(slug)
    rng = random.Random(7)
    for seats in title.SEATS:
        state, events, draws = begun(slug, seats)
        while state.outcome is None:
            seat = min(state.to_act())
            chosen = rng.choice(title.legal_moves(state.position, seat))
            step = match.step(state, seat, chosen, draws)
            if rng.random() < 0.05:
                step = match.lapse(state, seat, draws, Limits(3, 6), counts=True)
            state, events, _ = run(step.state, draws, events + list(step.events))
            opening = max(number for number, event in enumerate(events) if event.kind in title.OPENS)
            tail = match.resume(
                title,
                state.options,
                [events[0], *events[opening:]],
                absences=state.absences,
                left=state.left,
                outcome=state.outcome,
            )
            assert tail.position == state.position
        assert match.fold(match.initial(title, state.options), events) == state


@pytest.mark.parametrize("slug", titles.slugs())
def test_every_position_of_the_log_can_be_looked_at(slug):
    """History is stepped through from event 1: there is a view after every single event, not only at moves."""
    for seats in titles.get(slug).SEATS:
        state, events, draws = begun(slug, seats)
        while state.outcome is None:
            step = match.step(state, *any_move(state), draws)
            state, events, _ = run(step.state, draws, events + list(step.events))
        state = match.initial(state.title, state.options)
        for event in events:
            state = match.evolve(state, event)
            for viewer in (None, *range(seats)):
                assert state.title.view(state.position, viewer) is not None
                assert state.title.legal_moves(state.position, viewer or 0) is not None


@pytest.mark.parametrize("slug", titles.slugs())
def test_every_own_event_has_a_sentence(slug):
    for kind, payload in (
        ("lapsed", {}),
        ("resigned", {}),
        ("forfeited", {}),
        ("bot_seated", {}),
        ("deadline_moved", {}),
        ("voided", {}),
        ("match_ended", {"reason": "target"}),
    ):
        assert match.describe(Event(kind, 0, payload))
    assert {*match.OWN_KINDS} == {
        "lapsed",
        "resigned",
        "forfeited",
        "bot_seated",
        "deadline_moved",
        "voided",
        "match_ended",
    }


def test_an_illegal_move_changes_nothing():
    state, _, draws = begun("thousand", 2)
    (seat,) = state.to_act()
    with pytest.raises(IllegalMove):
        match.step(state, seat, "bank", draws)


def test_a_match_beyond_its_chain_cannot_draw():
    title = titles.get("thousand")
    draws = sealed(length=1)
    state = match.begin(title, complete(title.OPTIONS, 2, {}), draws).state
    state = match.lapse(state, min(state.to_act()), draws, LIMITS, counts=False).state
    with pytest.raises(chance.ChainExhausted):
        match.step(state, min(state.to_act()), "throw", draws)
