"""What Telefon and All Fives share: open ends that make fives, the bonus, the target, and a lead that goes round.

Telefon rules, sections 7 to 11; All Fives rules, sections 7 and 9 to 12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from games.engine.contract import (
    Choice,
    Event,
    Option,
    Outcome,
    Phrase,
    Seat,
    SeatName,
    SideName,
    Sum,
    Tiles,
    gettext_noop,
)
from games.engine.dominoes import (
    PIPS,
    Hand,
    HubCount,
    Layout,
    is_double,
    lowest,
    near5,
    open_sum,
    pips,
    side_totals,
)
from games.engine.ranking import places
from games.engine.rounds import position, words
from games.engine.rounds.play import BLOCKED
from games.engine.rounds.position import Laid, Settled, State, side_of, with_scores
from games.engine.rounds.words import phrase

TARGET = "target"
ROUND_LIMIT = "round_limit"

AT_ONCE = "at_once"
AFTER_HAND = "after_hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(position.Options):
    """The options of a table, typed."""

    hub_count: HubCount
    match_end: str


O = TypeVar("O", bound=Options)  # noqa: E741 - the options of a title


TARGET_OPTION = Option(
    "target",
    gettext_noop("Played to"),
    gettext_noop("Whoever reaches this score has won."),
    tuple(Choice(target, str(target)) for target in (50, 100, 150, 200, 250, 365)),
    default=100,
)

HUB_COUNT_OPTION = Option(
    "hub_count",
    gettext_noop("The closed spinner counts"),
    gettext_noop("How long the first closed double counts both of its halves."),
    (
        Choice("until_first_side_arm", gettext_noop("Until a side arm starts")),
        Choice("until_both_side_arms", gettext_noop("Until both side arms start")),
        Choice("zero", gettext_noop("Never")),
    ),
    default="until_first_side_arm",
)

MATCH_END_OPTION = Option(
    "match_end",
    gettext_noop("The match ends"),
    gettext_noop("As soon as the score is reached, or when that round has been written."),
    (Choice(AT_ONCE, gettext_noop("At once")), Choice(AFTER_HAND, gettext_noop("After the round"))),
    default=AT_ONCE,
)


# Rules


def hand_value(hand: Sequence[str]) -> int:
    """What a remaining hand is worth: its pips."""
    return pips(hand)


def hub_count(options: Options) -> HubCount:
    """What the closed spinner counts at this table."""
    return options.hub_count


def wins_at_once(options: Options, score: int) -> bool:
    """Whether a side that has come to this score ends the match in the middle of the round."""
    return options.match_end == AT_ONCE and score >= options.target


def ends_at_once(options: Options, laid: Laid) -> str | None:
    """A move that brings its side to the target ends the match, and no bonus is written."""
    return TARGET if wins_at_once(options, laid.score) else None


def bonus(values: Sequence[int], winner: int, sides: Sequence[Sequence[Seat]]) -> int:
    """What the winning side writes: the hands of all other sides, rounded once."""
    return near5(sum(total for side, total in enumerate(side_totals(values, sides)) if side != winner))


def settle(state: State[O], how: str, seat: Seat) -> Settled:
    """The count of a round: `seat` went out, blocked, or reached the target."""
    standing, options = state.round, state.round.options
    values = tuple(hand_value(hand) for hand in state.hands)
    winner = lowest(side_totals(values, options.sides)) if how == BLOCKED else side_of(seat, options.sides)
    written = [0] * len(options.sides)
    if winner is not None and how != TARGET:
        written[winner] = bonus(values, winner, options.sides)
    scores = tuple(score + points for score, points in zip(standing.scores, written, strict=True))
    leader = None if over(options, standing.number, how, scores) else _left_neighbour(state)
    return Settled(winner, values, tuple(written), 0, leader)


def _left_neighbour(state: State[O]) -> Seat:
    """Who leads next, however the round ended: who sits left of its opener."""
    opener = state.round.leader
    assert opener is not None
    return (opener + 1) % state.round.options.players


def over(options: Options, number: int, how: str, scores: tuple[int, ...]) -> str | None:
    """Why the match is over after round `number` that ended `how`, with these scores; None if another round follows."""
    if max(scores) >= options.target:
        return TARGET
    return ROUND_LIMIT if number == options.round_limit else None


def outcome(state: State[O]) -> Outcome | None:
    """How the match ended; None while it runs."""
    result, standing = state.result, state.round
    if result is None or not (reason := over(standing.options, standing.number, result.how, standing.scores)):
        return None
    first = _first(state) if reason == TARGET else None
    ranked = places([(first not in (None, side), -score) for side, score in enumerate(standing.scores)])
    winners = tuple(side for side, place in enumerate(ranked) if place == 1)
    return Outcome(winners, ranked, standing.scores, reason)


def _first(state: State[O]) -> int:
    """The side with the highest score; of equal ones at the target, the side that reached it first."""
    scores = state.round.scores
    return next(side for side in state.reached if scores[side] == max(scores))


# Words


def describe(event: Event) -> tuple[Phrase, ...]:
    """What happened. Drawn tiles are named only if `event.secret` holds them; kinds of others say nothing."""
    tell = TELLERS.get(event.kind)
    return tuple(tell(event)) if tell else ()


def why_move(game: position.Game[O], state: State[O], event: Event) -> Iterator[Phrase]:
    """Why a move that happened in position `state` makes its sum, and what the spinner adds to it."""
    yield from words.why_points(game, state, event)
    yield from why_spinner(state.round.options, state.layout, words.after(state, event))


def why_spinner(options: Options, before: Layout, layout: Layout) -> Iterator[Phrase]:
    """Why the closed spinner counts in a layout; where it does not, why, if that is new since the layout `before`."""
    if layout.hub is None:
        return
    spinner = Tiles((layout.hub,))
    if _spinner(options, layout):
        yield phrase(_COUNTS[options.hub_count], t=spinner)
    elif _spinner(options, before):
        yield phrase(_STOPPED[options.hub_count], t=spinner)
    elif options.hub_count == "zero" and before.hub is None:
        yield phrase(gettext_noop("Closed, so it counts nothing: {t}."), t=spinner)


def _spinner(options: Options, layout: Layout) -> int:
    """What the closed spinner adds to the open sum."""
    return open_sum(layout, options.hub_count) - open_sum(layout, "zero")


_COUNTS: Mapping[HubCount, str] = {
    "until_first_side_arm": gettext_noop("Closed, but it counts until a side arm starts: {t}."),
    "until_both_side_arms": gettext_noop("Closed, but it counts until both side arms start: {t}."),
}

_STOPPED: Mapping[HubCount, str] = {
    "until_first_side_arm": gettext_noop("A side arm has started, so it counts no more: {t}."),
    "until_both_side_arms": gettext_noop("Both side arms have started, so it counts no more: {t}."),
}


def why_written(state: State[O], event: Event) -> Iterator[Phrase]:
    """Why the end of a round, which came in position `state`, writes what it writes."""
    payload, options = event.payload, state.round.options
    if payload["how"] == TARGET:
        yield phrase(
            gettext_noop("{n}: {s}, and the match goes to {t}. It ends at once, without a bonus."),
            n=SideName(payload["winner"]),
            s=payload["scores"][payload["winner"]],
            t=options.target,
        )
        return
    yield from _hands(payload["hands"])
    if payload["how"] == BLOCKED and options.teams:
        totals = side_totals(payload["values"], options.sides)
        for side, seats in enumerate(options.sides):
            counted = words.left_over(event, seats)
            yield phrase(_ADDED_UP, n=SideName(side), terms=counted, k=totals[side])
    if payload["winner"] is None:
        yield phrase(gettext_noop("The fewest pips are shared, so nobody scores."))
    else:
        yield _bonus(state, event)
    yield from _tie(state, event)


_ADDED_UP = gettext_noop("{n}: {terms} = {k}.")


def _hands(hands: Sequence[Hand]) -> Iterator[Phrase]:
    """The pips of each hand of several tiles."""
    for seat, hand in enumerate(hands):
        if len(hand) > 1:
            terms = Sum(tuple((PIPS[tile], tile if is_double(tile) else None) for tile in sorted(hand)))
            yield phrase(_ADDED_UP, n=SeatName(seat), terms=terms, k=pips(hand))


def _bonus(state: State[O], event: Event) -> Phrase:
    payload, sides = event.payload, state.round.options.sides
    won = sides[payload["winner"]]
    others = tuple(seat for seat in range(len(state.hands)) if seat not in won)
    total, written = sum(payload["values"][seat] for seat in others), payload["written"][payload["winner"]]
    if len(others) == 1:
        return phrase(gettext_noop("{k}, to the nearest multiple of five: {p}."), k=total, p=written)
    terms = words.left_over(event, others)
    return phrase(gettext_noop("{terms} = {k}, to the nearest multiple of five: {p}."), terms=terms, k=total, p=written)


def _tie(state: State[O], event: Event) -> Iterator[Phrase]:
    """Who wins when the target was reached with equal scores."""
    scores, target = tuple(event.payload["scores"]), state.round.options.target
    best = max(scores)
    if best >= target and scores.count(best) > 1:
        first = _first(with_scores(state, scores))
        yield phrase(gettext_noop("Equal scores. First at {t}: {n}."), t=target, n=SideName(first))


def _round_ended(event: Event) -> Iterator[Phrase]:
    payload = event.payload
    if payload["how"] == TARGET:
        yield phrase(gettext_noop("Target reached: {n}."), n=SideName(payload["winner"]))
    elif payload["winner"] is None:
        yield phrase(gettext_noop("Blocked. Fewest shared. Nobody scores."))
    else:
        yield from words.how_it_ended(event)
    yield from words.hands_left(event)
    yield from words.written(event)


TELLERS: Mapping[str, Callable[[Event], Iterator[Phrase]]] = {
    "match_started": words.started,
    "dealt": words.dealt,
    "played": words.counted_move,
    "drew": words.drew,
    "passed": words.passed,
    "round_ended": _round_ended,
}
