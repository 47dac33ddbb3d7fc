"""The position of a round of dominoes, and how an event changes it.

Everything the four domino titles share (domino-common). What differs between them stands in a `Game`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar

from games.engine.contract import Event, Json, Move, Seat
from games.engine.dominoes import EMPTY, End, Hand, HubCount, Layout, Tile, lay

_PARTNERS = ((0, 2), (1, 3))
_SINGLES = ((0,), (1,), (2,), (3,))

Hands = tuple[Hand, ...]

Placement = tuple[Tile, End | None]
"""A tile and the end it is put on; None when it opens the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What every domino table agrees on, typed. Titles add their own."""

    players: int
    target: int
    round_limit: int | None
    teams: bool = False

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each side: partners sit opposite (domino-common 3)."""
        return _PARTNERS if self.teams else _SINGLES[: self.players]


O = TypeVar("O", bound=Options)  # noqa: E741 - the options of a title


@dataclass(frozen=True, slots=True)
class Result:
    """How the round ended: `seat` went out, blocked or scored; `winner` is a side, None when nobody won.

    `hands` and their `values` are by seat, the hand points `written` by side.
    """

    how: str
    seat: Seat
    winner: int | None
    hands: Hands
    values: tuple[int, ...]
    written: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round(Generic[O]):
    """What holds for a whole round, and the `scores` by side as they stand.

    `carried` are the points that wait for the next winner or loser (seka bank, eggs). `leader` opens the round; in the
    first one mostly with the tile `opening`, which is None where any tile will do.
    """

    options: O
    scores: tuple[int, ...]
    number: int = 0
    attempt: int = 0
    carried: int = 0
    leader: Seat | None = None
    opening: Tile | None = None


@dataclass(frozen=True, slots=True)
class State(Generic[O]):
    """A position. `hands` are by seat, `boneyard` in drawing order.

    `turn` is the seat to act, None before the deal and after the round. `laid` tells each tile with the seat that laid
    it, in order. `drew` says that the seat to act has just drawn. `reached` are the sides that came to the target in
    this round, in the order in which they did.
    """

    round: Round[O]
    turn: Seat | None = None
    hands: Hands = ()
    boneyard: tuple[Tile, ...] = ()
    layout: Layout = EMPTY
    laid: tuple[tuple[Tile, Seat], ...] = ()
    drew: bool = False
    result: Result | None = None
    reached: tuple[int, ...] = ()


class Laid(NamedTuple):
    """What a title is asked about a move that has just been made: may it end the round by itself?

    `tile` is the last one laid, `left` the rest of the hand, `total` the open sum, `score` that of the mover's side.
    """

    tile: Tile
    left: Hand
    total: int
    score: int


class Settled(NamedTuple):
    """What the end of a round comes to. `values` are by seat, `written` by side; `leader` is None once all is over."""

    winner: int | None
    values: tuple[int, ...]
    written: tuple[int, ...]
    carried: int
    leader: Seat | None


class Void(NamedTuple):
    """Why a deal is void: the rule, and the seat whose hand made it so."""

    rule: str
    seat: Seat


def _never(*_: Any) -> None:
    """The answer of a title that has no such rule."""


@dataclass(frozen=True, slots=True)
class Game(Generic[O]):
    """Where a title differs: numbers, and pure functions that answer what its rules page says."""

    options: Callable[..., O]
    """Makes the typed options of the complete ones."""
    hand_size: Mapping[int, int]
    """Tiles in a hand, by the number of players."""
    first_lead: Callable[[O, Hands], tuple[Seat, Tile | None]]
    """Who opens the first round, and the tile it must be."""
    score: Callable[[State[O], Layout], tuple[int, int]]
    """The open sum of a layout, and what it is worth to who made it in this position."""
    settle: Callable[[State[O], str, Seat], Settled]
    """The count of a round that ended in this position, how, and by whom."""
    hub_count: Callable[[O], HubCount] | None = None
    """What the closed hub counts. None: no double ever branches, and nothing is counted during a round."""
    reserve: int = 0
    """Tiles at the end of the boneyard that nobody takes."""
    blocks_early: Callable[[O], bool | None] = _never
    """Whether a round is blocked before the boneyard is drawn out."""
    ends_at_once: Callable[[O, Laid], str | None] = _never
    """How a move ends the round by itself, before going out is asked."""
    waits: Callable[[O, Event], bool | None] = _never
    """Whether the points of a move wait to be claimed, and with them the end of the round."""
    void: Callable[[O, Hands], Void | None] = _never
    """Why these dealt hands are void."""
    veto: Callable[[State[O], Seat, Tile], Void | None] = _never
    """Why opening with this tile voids the deal."""
    sets: Callable[[State[O], Hand], list[Move]] | None = None
    """The moves of several tiles this hand may make."""
    read_set: Callable[[State[O], Hand, Move], tuple[Placement, ...]] | None = None
    """What a move of several tiles lays. Raises IllegalMove."""

    @property
    def branching(self) -> bool:
        """Whether side arms grow from the first closed double."""
        return self.hub_count is not None


def sides(game: Game[O], options: Mapping[str, Json]) -> tuple[tuple[Seat, ...], ...]:
    """The seats of each side; `options` are complete."""
    return game.options(**options).sides


def initial(game: Game[O], options: Mapping[str, Json]) -> State[O]:
    """The position before the first event; `options` are complete."""
    typed = game.options(**options)
    return State(Round(typed, (0,) * len(typed.sides)))


def evolve(game: Game[O], state: State[O], event: Event) -> State[O]:
    """The position after `event`. Kinds that are none of a domino round's change nothing."""
    change = _CHANGES.get(event.kind)
    return change(game, state, event) if change else state


def scores(state: State[O]) -> tuple[int, ...]:
    """The score of each side as it stands."""
    return state.round.scores


def drawable(game: Game[O], state: State[O]) -> tuple[Tile, ...]:
    """The tiles that may be drawn, in order: all but the reserve."""
    return state.boneyard[: len(state.boneyard) - game.reserve] if game.reserve else state.boneyard


def side_of(seat: Seat, sides: tuple[tuple[Seat, ...], ...]) -> int:
    """The side a seat belongs to."""
    return seat if len(sides) > 2 or len(sides[0]) == 1 else seat % 2


def acting(event: Event) -> Seat:
    """The seat that acted."""
    assert event.seat is not None
    return event.seat


def with_hand(hands: Hands, seat: Seat, hand: Hand) -> Hands:
    """The hands with that of one seat changed."""
    return (*hands[:seat], hand, *hands[seat + 1 :])


def with_scores(state: State[O], after: tuple[int, ...]) -> State[O]:
    """The position with new scores; who has come to the target is noted."""
    before = state.round
    arrived = tuple(
        side
        for side, (score, old) in enumerate(zip(after, before.scores, strict=True))
        if score >= before.options.target > old
    )
    standing = Round(
        before.options, after, before.number, before.attempt, before.carried, before.leader, before.opening
    )
    return State(
        standing,
        state.turn,
        state.hands,
        state.boneyard,
        state.layout,
        state.laid,
        state.drew,
        state.result,
        state.reached + arrived,
    )


def _dealt(game: Game[O], state: State[O], event: Event) -> State[O]:
    payload, secret = event.payload, event.secret
    options = state.round.options
    hands = tuple(tuple(secret[str(seat)]) for seat in range(options.players))
    leader, opening = payload["leader"], None
    if leader is None:
        leader, opening = game.first_lead(options, hands)
    standing = Round(
        options, tuple(payload["scores"]), payload["round"], payload["attempt"], payload["carried"], leader, opening
    )
    return State(standing, leader, hands, tuple(secret["club"]))


def _played(game: Game[O], state: State[O], event: Event) -> State[O]:
    seat = acting(event)
    payload, layout, laid, hand = event.payload, state.layout, state.laid, state.hands[seat]
    for tile, end in payload["tiles"]:
        place = hand.index(tile)
        hand = hand[:place] + hand[place + 1 :]
        layout = lay(layout, tile, end, branching=game.branching)
        laid = (*laid, (tile, seat))
    hands = with_hand(state.hands, seat, hand)
    after = State(state.round, (seat + 1) % len(hands), hands, state.boneyard, layout, laid, False, None, state.reached)
    return with_scores(after, tuple(payload["scores"])) if payload["points"] else after


def _drew(game: Game[O], state: State[O], event: Event) -> State[O]:
    seat = acting(event)
    taken = tuple(event.secret[str(seat)])
    hands = with_hand(state.hands, seat, state.hands[seat] + taken)
    boneyard = state.boneyard[len(taken) :]
    return State(state.round, seat, hands, boneyard, state.layout, state.laid, True, None, state.reached)


def _passed(game: Game[O], state: State[O], event: Event) -> State[O]:
    coming = (acting(event) + 1) % len(state.hands)
    return State(state.round, coming, state.hands, state.boneyard, state.layout, state.laid, False, None, state.reached)


def _round_ended(game: Game[O], state: State[O], event: Event) -> State[O]:
    payload = event.payload
    result = Result(
        how=payload["how"],
        seat=payload["seat"],
        winner=payload["winner"],
        hands=tuple(tuple(hand) for hand in payload["hands"]),
        values=tuple(payload["values"]),
        written=tuple(payload["written"]),
    )
    scored = with_scores(state, tuple(payload["scores"]))
    return replace(
        scored, round=replace(scored.round, carried=payload["carried"], opening=None), turn=None, result=result
    )


_CHANGES: Mapping[str, Callable[[Game[Any], State[Any], Event], State[Any]]] = {
    "dealt": _dealt,
    "played": _played,
    "drew": _drew,
    "passed": _passed,
    "round_ended": _round_ended,
}
