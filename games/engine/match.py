"""A match: a title's position, wrapped in what every match has - lapses, leaving, bots, the end.

Pure like the titles. A service and a simulation drive the same functions: `begin`, `step`, `automatic`, `lapse`,
`leave`; each returns the new state and the events that led there. `fold` rebuilds the state from events alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from games.engine.contract import (
    Chance,
    Event,
    IllegalMove,
    Json,
    Move,
    Outcome,
    Phrase,
    Seat,
    SeatName,
    State,
    Title,
    Window,
    Word,
    gettext_noop,
)
from games.engine.ranking import places

RESIGNED = "resigned"
FORFEITED = "forfeited"
VOIDED = "voided"

OWN_KINDS = frozenset({"lapsed", RESIGNED, FORFEITED, "bot_seated", VOIDED, "match_ended", "deadline_moved"})
"""Events that the match writes itself, whatever the title."""


@dataclass(frozen=True, slots=True)
class Absence:
    """How often a seat let its turn lapse; only lapses that count."""

    in_a_row: int = 0
    in_match: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """At which lapse a seat is forfeited (time.md 2)."""

    in_a_row: int = 2
    in_match: int = 3


@dataclass(frozen=True, slots=True)
class MatchState:
    """Everything a match is at one event. `options` are complete (engine.options)."""

    title: Title
    options: Mapping[str, Json]
    position: State
    absences: tuple[Absence, ...]
    left: frozenset[Seat] = frozenset()
    """Seats whose member resigned or forfeited; a bot plays them on."""
    bots: frozenset[Seat] = frozenset()
    """Seats that a bot plays now."""
    outcome: Outcome | None = None
    lapsed: Seat | None = None
    """The seat whose turn the club is ending."""

    def to_act(self) -> frozenset[Seat]:
        """Who is obliged to act; nobody once the match is over."""
        return frozenset() if self.outcome else self.title.to_act(self.position)

    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        return self.title.sides(self.options)

    def scores(self) -> tuple[int, ...]:
        return self.outcome.scores if self.outcome else self.title.scores(self.position)


class Step(NamedTuple):
    """What one step led to: the new state, and the events on the way."""

    state: MatchState
    events: tuple[Event, ...]


class Automatic(NamedTuple):
    """A move nobody has to be asked for, and why: `by` is `forced` or `bot`."""

    seat: Seat
    move: Move
    by: str


def initial(title: Title, options: Mapping[str, Json]) -> MatchState:
    """The state before the first event."""
    return MatchState(title, options, title.initial(options), (Absence(),) * options["players"])


def begin(title: Title, options: Mapping[str, Json], chance: Chance) -> Step:
    """Start a match: `match_started` and what opens the first round."""
    return _told(initial(title, options), title.setup(options, chance))


def step(state: MatchState, seat: Seat, move: Move, chance: Chance, by: str = "", waited: float | None = None) -> Step:
    """Play a move. `by` names who did it when it was not the member: `forced`, `bot`, `club`.

    `waited` are the seconds since the last event, where a clock runs. Raises IllegalMove when the rules do not allow
    the move, or not at this time.
    """
    if waited is not None and (why := _untimely(window(state), seat, move, waited)):
        raise IllegalMove(Phrase(why))
    events = state.title.decide(state.position, seat, move, chance)
    return _told(state, _signed(events, by))


def automatic(state: MatchState) -> Automatic | None:
    """The next move that needs nobody's choice: forced by the rules, or a bot's."""
    acting = state.to_act()
    if len(acting) > 1:
        return _bot_claim(state)
    for seat in acting:
        if (move := state.title.forced_move(state.position, seat)) is not None:
            return Automatic(seat, move, "forced")
        if seat in state.bots:
            return _bot_move(state, seat)
    return None


def _bot_move(state: MatchState, seat: Seat) -> Automatic:
    view = state.title.view(state.position, seat)
    return Automatic(seat, state.title.bot(view, state.title.legal_moves(state.position, seat)), "bot")


# Claim windows


CLAIM = "claim"
"""The move that takes what waits to be claimed, in every title that has windows."""


def window(state: MatchState) -> Window | None:
    """The claim window that is open, if any, as this match plays it: no bot claims what somebody else forgot."""
    found = None if state.outcome else state.title.window(state.position)
    if found is None or state.bots.isdisjoint(found.then):
        return found
    return replace(found, then=found.then - state.bots)


def lasts(window: Window) -> int:
    """After how many seconds nobody may claim any more: without a seat in it the second span is skipped."""
    return window.seconds * (2 if window.then else 1)


def may_act(state: MatchState, seat: Seat, move: Move, waited: float) -> bool:
    """Whether the clock allows a legal move `waited` seconds after the last event.

    Only claim windows limit moves. Who is next in turn may lay any time after the first span: that ends the second.
    """
    return _untimely(window(state), seat, move, waited) is None


def unclaimed(state: MatchState, chance: Chance) -> Step:
    """The open window has passed: the club acts for its owner, without blame."""
    passed = window(state)
    assert passed is not None, "a claim window is open"
    return _told(state, state.title.absent(state.position, passed.owner, chance))


def _untimely(window: Window | None, seat: Seat, move: Move, waited: float) -> str | None:
    """Why a move comes too early or too late."""
    if window is None:
        return None
    if seat in window.first:
        return _LATE if waited > window.seconds else None
    if seat not in window.then:
        return None
    if waited <= window.seconds:
        return _EARLY
    return _LATE if move == CLAIM and waited > 2 * window.seconds else None


_EARLY = gettext_noop("Too early: whoever made the points may claim them first.")
_LATE = gettext_noop("Too late: the time for this claim is over.")


def _bot_claim(state: MatchState) -> Automatic | None:
    """A bot claims its own points at once. Nothing else is played while others may claim: it would burn the points."""
    open_now = window(state)
    return _bot_move(state, open_now.owner) if open_now and open_now.owner in state.bots else None


def lapse(state: MatchState, seat: Seat, chance: Chance, limits: Limits, counts: bool) -> Step:
    """A turn passed unplayed: the club plays, or the seat is forfeited at a limit (time.md 2).

    `counts` is False for a lapse that nobody may be blamed for; it is told, but no figure moves.
    """
    absence = state.absences[seat]
    if counts:
        absence = Absence(absence.in_a_row + 1, absence.in_match + 1)
    told = _told(state, (_lapsed(seat, absence),))
    if counts and (absence.in_a_row >= limits.in_a_row or absence.in_match >= limits.in_match):
        return _then(told, leave(told.state, seat, FORFEITED))
    done = state.title.absent(told.state.position, seat, chance)
    return _then(told, _told(told.state, _signed(done, "club")))


def leave(state: MatchState, seat: Seat, how: str) -> Step:
    """A member resigns or forfeits; a bot takes the seat, or the match ends when at most one side has a member."""
    left = state.left | {seat}
    told = _told(state, (Event(how, seat, {"seat": seat}),))
    staying = [side for side, seats in enumerate(state.sides()) if not left.issuperset(seats)]
    if len(staying) > 1:
        return _then(told, _told(told.state, (Event("bot_seated", seat, {"seat": seat}),)))
    return _then(told, _told(told.state, (_ended(_broken_off(told.state, staying, how)),)))


def void(state: MatchState, reason: str) -> Step:
    """Annul a match without blame: nobody wins, the scores stay as they stood."""
    outcome = Outcome((), (), state.scores(), VOIDED)
    return _told(state, (Event(VOIDED, None, {"reason": reason}), _ended(outcome)))


def fold(state: MatchState, events: Iterable[Event]) -> MatchState:
    """The state after `events`."""
    for event in events:
        state = evolve(state, event)
    return state


def resume(
    title: Title,
    options: Mapping[str, Json],
    tail: Iterable[Event],
    *,
    absences: tuple[Absence, ...],
    left: frozenset[Seat],
    outcome: Outcome | None,
) -> MatchState:
    """The state of a stored match: `tail` is event 1 and everything since the last round opening, the rest is known."""
    position = title.initial(options)
    for event in tail:
        position = title.evolve(position, event)
    return MatchState(title, options, position, absences, left, left, outcome)


def evolve(state: MatchState, event: Event) -> MatchState:
    """The state after one event. Total, like every title's."""
    position = state.title.evolve(state.position, event)
    if position is not state.position:
        state = MatchState(
            state.title, state.options, position, state.absences, state.left, state.bots, state.outcome, state.lapsed
        )
    if event.kind in OWN_KINDS:
        return _evolve_own(state, event)
    seat = _mover(event)
    if seat is None:
        return state
    if state.lapsed is not None:
        by_club, state = state.lapsed == seat, replace(state, lapsed=None)
        if by_club:
            return state
    if state.absences[seat].in_a_row and "by" not in event.payload:
        return _with_absence(state, seat, replace(state.absences[seat], in_a_row=0))
    return state


def _evolve_own(state: MatchState, event: Event) -> MatchState:
    payload = event.payload
    if event.kind == "lapsed":
        told = replace(state, lapsed=payload["seat"])
        return _with_absence(told, payload["seat"], Absence(payload["in_a_row"], payload["in_match"]))
    if event.kind in (RESIGNED, FORFEITED):
        return replace(state, left=state.left | {payload["seat"]})
    if event.kind == "bot_seated":
        return replace(state, bots=state.bots | {payload["seat"]})
    if event.kind == "match_ended":
        return replace(state, outcome=outcome_of(payload))
    return state


OFFERED = frozenset({"played", "drew", "passed", "threw", "kept", "banked"})
"""Moves with which a record may tell what was offered (match record, "legal")."""

_MOVES = OFFERED | {"claimed"}


def is_move(event: Event) -> bool:
    """Whether the event is a move of a seat."""
    return event.kind in _MOVES


def _mover(event: Event) -> Seat | None:
    """The seat whose move the event is; None for all else. A lead that voids the deal leaves only the re-deal."""
    if event.kind in _MOVES:
        return event.seat
    if event.kind == "redealt" and event.payload["tile"]:
        seat: Seat = event.payload["seat"]
        return seat
    return None


def outcome_of(payload: Mapping[str, Json]) -> Outcome:
    """The outcome in the payload of `match_ended`."""
    return Outcome(
        tuple(payload["winners"]), tuple(payload["places"]), tuple(payload["scores"]), str(payload["reason"])
    )


def outcome_payload(outcome: Outcome) -> dict[str, Json]:
    """The outcome as the match record writes it."""
    return {
        "winners": list(outcome.winners),
        "places": list(outcome.places),
        "scores": list(outcome.scores),
        "reason": outcome.reason,
    }


_REASONS = {
    "target": gettext_noop("the score was reached"),
    "round_limit": gettext_noop("the agreed number of hands was played"),
    "knockout": gettext_noop("knock-out"),
    "bald": gettext_noop("bald: the blank double went out last"),
    "instant": gettext_noop("five ones in one throw"),
    RESIGNED: gettext_noop("given up"),
    FORFEITED: gettext_noop("forfeited by the clock"),
    VOIDED: gettext_noop("annulled without blame"),
}
"""Why matches end (match record, `reason`)."""


def describe(event: Event) -> tuple[Phrase, ...]:
    """One of the match's own events in sentences; what titles tell, they describe themselves."""
    payload = event.payload
    seat = SeatName(event.seat) if event.seat is not None else ""
    if event.kind == "lapsed":
        return (Phrase(gettext_noop("{n}: out of time."), {"n": seat}),)
    if event.kind == RESIGNED:
        return (Phrase(gettext_noop("{n}: gave the match up."), {"n": seat}),)
    if event.kind == FORFEITED:
        return (Phrase(gettext_noop("{n}: the seat is forfeited."), {"n": seat}),)
    if event.kind == "bot_seated":
        return (Phrase(gettext_noop("{n}: a bot plays on from here."), {"n": seat}),)
    if event.kind == "deadline_moved":
        return (Phrase(gettext_noop("{n}: the club was away, so the deadline was moved by that time."), {"n": seat}),)
    if event.kind == VOIDED:
        return (Phrase(gettext_noop("The match is annulled without blame.")),)
    if event.kind == "match_ended":
        return (Phrase(gettext_noop("The match is over: {reason}."), {"reason": Word(_REASONS[payload["reason"]])}),)
    return ()


def _told(state: MatchState, events: Sequence[Event]) -> Step:
    """Fold `events` in, and end the match when its own rules say so."""
    state = fold(state, events)
    if state.outcome is None and (outcome := state.title.outcome(state.position)) is not None:
        return _then(Step(state, tuple(events)), _told(state, (_ended(_ranked_by_staying(state, outcome)),)))
    return Step(state, tuple(events))


def _then(first: Step, second: Step) -> Step:
    return Step(second.state, first.events + second.events)


def _signed(events: Sequence[Event], by: str) -> tuple[Event, ...]:
    if not by:
        return tuple(events)
    return tuple(replace(event, payload={**event.payload, "by": by}) if is_move(event) else event for event in events)


def _lapsed(seat: Seat, absence: Absence) -> Event:
    return Event("lapsed", seat, {"seat": seat, "in_a_row": absence.in_a_row, "in_match": absence.in_match})


def _ended(outcome: Outcome) -> Event:
    return Event("match_ended", None, outcome_payload(outcome))


def _with_absence(state: MatchState, seat: Seat, absence: Absence) -> MatchState:
    absences = (*state.absences[:seat], absence, *state.absences[seat + 1 :])
    return replace(state, absences=absences)


def _gone(state: MatchState) -> tuple[bool, ...]:
    """By side: whether every member of it has left."""
    return tuple(state.left.issuperset(seats) for seats in state.sides())


def _broken_off(state: MatchState, staying: Sequence[int], how: str) -> Outcome:
    """Those whose member stayed win; then the order is by the scores as they stand (time.md 2)."""
    scores = state.scores()
    keys = [(side not in staying, _rank(state, score)) for side, score in enumerate(scores)]
    return Outcome(tuple(staying), places(keys), scores, how)


def _ranked_by_staying(state: MatchState, outcome: Outcome) -> Outcome:
    """A side that left never wins and ranks below those that stayed, even when its bot played well."""
    gone = _gone(state)
    if not any(gone):
        return outcome
    ranked = places([(gone[side], place) for side, place in enumerate(outcome.places)])
    return replace(outcome, winners=tuple(side for side, place in enumerate(ranked) if place == 1), places=ranked)


def _rank(state: MatchState, score: int) -> int:
    return score if state.title.LOW_WINS else -score
