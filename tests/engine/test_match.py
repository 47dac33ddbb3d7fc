"""What every match has around its title: lapses, leaving, bots, the end."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from games import titles
from games.engine import chance, match
from games.engine.contract import Event, IllegalMove, Outcome, Window
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


# Claim windows, with a title that is little else


@dataclass(frozen=True, slots=True)
class Points:
    """`waiting` points belong to `owner` until they are claimed or burnt; `turn` lays next and makes some."""

    players: int
    turn: int = 0
    owner: int = 0
    waiting: int = 0
    scores: tuple[int, ...] = (0, 0, 0)


class Claims:
    """Every move makes five points that wait for five seconds twice."""

    SLUG = "claims"
    LOW_WINS = False

    @staticmethod
    def sides(options):
        return tuple((seat,) for seat in range(options["players"]))

    @staticmethod
    def initial(options):
        return Points(options["players"])

    @staticmethod
    def setup(options, draws):
        return (Event("match_started", None, {"first_seat": 0}),)

    @staticmethod
    def evolve(position, event):
        if event.kind == "played":
            return replace(position, turn=(event.seat + 1) % position.players, owner=event.seat, waiting=5)
        if event.kind == "burnt":
            return replace(position, waiting=0)
        if event.kind == "claimed":
            scores = tuple(score + 5 * (seat == event.seat) for seat, score in enumerate(position.scores))
            return replace(position, waiting=0, scores=scores)
        return position

    @staticmethod
    def to_act(position):
        return frozenset(range(position.players) if position.waiting else (position.turn,))

    @staticmethod
    def window(position):
        if not position.waiting:
            return None
        owner = frozenset((position.owner,))
        return Window(position.owner, 5, owner, frozenset(range(position.players)) - owner)

    @staticmethod
    def legal_moves(position, seat):
        return ("claim",) * bool(position.waiting) + ("lay",) * (seat == position.turn)

    @staticmethod
    def decide(position, seat, move, draws):
        if move == "claim":
            return (Event("claimed", seat),)
        burnt = (Event("burnt", position.owner),) * bool(position.waiting)
        return *burnt, Event("played", seat)

    @staticmethod
    def absent(position, seat, draws):
        return (Event("burnt", seat),) if position.waiting else (Event("played", seat),)

    @staticmethod
    def forced_move(position, seat):
        return None if seat == 0 else "lay"

    @staticmethod
    def view(position, seat):
        return position

    @staticmethod
    def bot(view, moves):
        return moves[0]

    @staticmethod
    def scores(position):
        return position.scores

    @staticmethod
    def outcome(position):
        return Outcome((0,), (1, 2, 2), position.scores, "target") if max(position.scores) > 5 else None


def waiting(*bots: int) -> MatchState:
    """Seat 0 of three has laid, and its points wait."""
    state = match.begin(Claims, {"players": 3}, sealed()).state
    return replace(match.step(state, 0, "lay", sealed()).state, bots=frozenset(bots))


@pytest.mark.parametrize(
    ("seat", "move", "allowed"),
    [
        (0, "claim", (0, 4.9, 5)),
        (1, "claim", (5.1, 10)),
        (1, "lay", (5.1, 10, 10.1, 60)),
        (2, "claim", (5.1, 10)),
    ],
)
def test_a_claim_window_says_who_may_act_when(seat: int, move: str, allowed: tuple[float, ...]) -> None:
    state = waiting()
    for waited in (0, 4.9, 5, 5.1, 10, 10.1, 60):
        assert match.may_act(state, seat, move, waited) == (waited in allowed)
        if waited in allowed:
            assert match.step(state, seat, move, sealed(), waited=waited).events
        else:
            with pytest.raises(IllegalMove) as refused:
                match.step(state, seat, move, sealed(), waited=waited)
            assert refused.value.reason.text.startswith("Too early" if waited <= 5 else "Too late")


def test_without_a_clock_and_without_a_window_nothing_is_too_early_or_too_late() -> None:
    state = waiting()
    assert match.step(state, 2, "claim", sealed()).events[0].kind == "claimed"
    state = match.step(state, 0, "claim", sealed()).state
    assert match.window(state) is None
    for waited in (0, 5, 99):
        assert match.may_act(state, 1, "lay", waited)


def test_who_lays_in_the_second_span_burns_the_points() -> None:
    step = match.step(waiting(), 1, "lay", sealed(), by="forced", waited=6)
    assert [(event.kind, event.seat, event.payload) for event in step.events] == [
        ("burnt", 0, {}),
        ("played", 1, {"by": "forced"}),
    ]


def test_points_that_nobody_claimed_are_burnt_without_blame() -> None:
    state = waiting()
    step = match.unclaimed(state, sealed())
    assert step.events == (Event("burnt", 0),)
    assert step.state.absences == state.absences
    assert match.window(step.state) is None
    assert step.state.to_act() == {1}


def test_once_the_match_is_over_there_is_no_window() -> None:
    state = waiting()
    state = replace(state, position=replace(state.position, scores=(5, 0, 0)))
    over = match.step(state, 0, "claim", sealed()).state
    assert over.outcome is not None
    assert match.window(over) is None
    # A member leaves while points wait: nobody is asked for them any more.
    over = match.leave(match.leave(state, 1, match.RESIGNED).state, 2, match.RESIGNED).state
    assert over.position.waiting
    assert match.window(over) is None


def test_nothing_is_played_by_itself_while_others_may_claim() -> None:
    state = waiting(1, 2)
    assert match.automatic(state) is None
    assert match.automatic(match.unclaimed(state, sealed()).state) == (1, "lay", "forced")


def test_a_bot_claims_its_own_points_at_once() -> None:
    assert match.automatic(waiting(0)) == (0, "claim", "bot")
    assert match.automatic(waiting(0, 1, 2)) == (0, "claim", "bot")


@pytest.mark.parametrize(("bots", "then", "seconds"), [((), {1, 2}, 10), ((1,), {2}, 10), ((1, 2), set(), 5)])
def test_no_bot_claims_what_another_forgot(bots: tuple[int, ...], then: set[int], seconds: int) -> None:
    """Where every other seat is a bot's, nobody is waited for in the second span."""
    state = waiting(*bots)
    window = match.window(state)
    assert window is not None
    assert window.then == then
    assert match.lasts(window) == seconds


def test_a_lead_that_voids_the_deal_is_a_move_of_its_member() -> None:
    """It leaves no event of its own kind, and still the member was there; but not if the club led after a lapse."""
    vetoed = Event("redealt", None, {"round": 2, "attempt": 0, "rule": "R3", "seat": 0, "tile": "55"})
    void = Event("redealt", None, {"round": 2, "attempt": 0, "rule": "R1", "seat": 0, "tile": None})
    lapsed = Event("lapsed", 0, {"seat": 0, "in_a_row": 1, "in_match": 1})
    other = Event("passed", 1)
    state = match.initial(titles.get("telefon365"), complete(titles.get("telefon365").OPTIONS, 4, {}))
    for events, in_a_row in (
        ((lapsed, vetoed), 1),
        ((lapsed, void), 1),
        ((lapsed, vetoed, vetoed), 0),
        ((lapsed, other, vetoed), 0),
    ):
        kept = replace(state, title=Still())
        assert match.fold(kept, events).absences[0] == match.Absence(in_a_row, 1)


class Still:
    """A title in which nothing changes a position."""

    def evolve(self, position: object, event: Event) -> object:
        return position
