"""The position of a match of Kozel, and how an event changes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from games.engine.contract import Event, Json, Seat
from games.engine.dominoes import EMPTY, HALVES, PIPS, End, Hand, Layout, Tile, lay, weight, without

BLANK_LAST = "last"


_PARTNERS = ((0, 2), (1, 3))
_SINGLES = ((0,), (1,), (2,), (3,))


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a table, typed (Kozel rules, section 14)."""

    players: int
    target: int
    entry_13: bool
    bald: bool
    blank_double_rank: str
    round_limit: int | None
    teams: bool = False

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each side: partners sit opposite."""
        return _PARTNERS if self.teams else _SINGLES[: self.players]


@dataclass(frozen=True, slots=True)
class Result:
    """How the round ended: `seat` went out or blocked; `winner` is a side, None for eggs.

    `hands` and their `values` are by seat, the penalties `written` by side.
    """

    how: str
    seat: Seat
    winner: int | None
    hands: tuple[Hand, ...]
    values: tuple[int, ...]
    written: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """What holds for a whole round. `scores` are by side, as they stand.

    `leader` opens the round; in the first one it must be with the tile `opening`.
    """

    options: Options
    scores: tuple[int, ...]
    number: int = 0
    eggs: int = 0
    leader: Seat | None = None
    opening: Tile | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A position. `hands` are by seat, `boneyard` in drawing order.

    `turn` is the seat to act, None before the deal and after the round. `laid` tells each tile with the seat that laid
    it, in order. `drew` says that the seat to act has just drawn.
    """

    round: Round
    turn: Seat | None = None
    hands: tuple[Hand, ...] = ()
    boneyard: tuple[Tile, ...] = ()
    layout: Layout = EMPTY
    laid: tuple[tuple[Tile, Seat], ...] = ()
    drew: bool = False
    result: Result | None = None


def initial(options: Mapping[str, Json]) -> State:
    """The position before the first event; `options` are complete."""
    typed = Options(**options)
    return State(Round(typed, (0,) * len(typed.sides)))


def evolve(state: State, event: Event) -> State:
    """The position after `event`. Kinds that are none of Kozel's own change nothing."""
    change = _CHANGES.get(event.kind)
    return change(state, event) if change else state


def opening_tile(hands: tuple[Hand, ...], blank_double_rank: str) -> tuple[Seat, Tile]:
    """Who opens the first round, and with which tile (section 4)."""
    holders = {tile: seat for seat, hand in enumerate(hands) for tile in hand}
    for tile in _DOUBLES_BLANK_LAST if blank_double_rank == BLANK_LAST else _DOUBLES_BLANK_LOWEST:
        if tile in holders:
            return holders[tile], tile
    lightest = min(holders, key=weight)
    return holders[lightest], lightest


_DOUBLES_BLANK_LOWEST = ("11", "00", "22", "33", "44", "55", "66")
_DOUBLES_BLANK_LAST = ("11", "22", "33", "44", "55", "66", "00")


def _dealt(state: State, event: Event) -> State:
    payload, secret = event.payload, event.secret
    options = state.round.options
    hands = tuple(tuple(secret[str(seat)]) for seat in range(options.players))
    leader, opening = payload["leader"], None
    if leader is None:
        leader, opening = opening_tile(hands, options.blank_double_rank)
    standing = Round(options, tuple(payload["scores"]), payload["round"], payload["carried"], leader, opening)
    return State(standing, leader, hands, tuple(secret["club"]))


def _played(state: State, event: Event) -> State:
    seat = _acting(event)
    ((tile, end),) = event.payload["tiles"]
    hands = _with_hand(state.hands, seat, without(state.hands[seat], tile))
    # In Kozel no double ever branches.
    layout = lay(state.layout, tile, end, branching=False)
    return _after_turn(state, seat, hands, layout, (*state.laid, (tile, seat)))


def _drew(state: State, event: Event) -> State:
    seat = _acting(event)
    taken = tuple(event.secret[str(seat)])
    return replace(
        state,
        hands=_with_hand(state.hands, seat, state.hands[seat] + taken),
        boneyard=state.boneyard[len(taken) :],
        drew=True,
    )


def _passed(state: State, event: Event) -> State:
    return _after_turn(state, _acting(event), state.hands, state.layout, state.laid)


def _round_ended(state: State, event: Event) -> State:
    payload = event.payload
    result = Result(
        how=payload["how"],
        seat=payload["seat"],
        winner=payload["winner"],
        hands=tuple(tuple(hand) for hand in payload["hands"]),
        values=tuple(payload["values"]),
        written=tuple(payload["written"]),
    )
    before = state.round
    standing = Round(before.options, tuple(payload["scores"]), before.number, payload["carried"], before.leader)
    return State(standing, None, state.hands, state.boneyard, state.layout, state.laid, result=result)


_CHANGES: Mapping[str, Callable[[State, Event], State]] = {
    "dealt": _dealt,
    "played": _played,
    "drew": _drew,
    "passed": _passed,
    "round_ended": _round_ended,
}


def ends_after(wanted: Mapping[End, int], tile: Tile, end: End | None) -> dict[End, int]:
    """The ends and what they want once `tile` lies on `end` (None: it opens the round, the smaller half to the left).

    A laid tile shows its other half; a double shows its face again.
    """
    if end is None:
        left, right = HALVES[tile]
        return {"L": left, "R": right}
    return {**wanted, end: PIPS[tile] - wanted[end]}


def _after_turn(
    state: State, seat: Seat, hands: tuple[Hand, ...], layout: Layout, laid: tuple[tuple[Tile, Seat], ...]
) -> State:
    """The turn goes on clockwise."""
    return State(state.round, (seat + 1) % len(hands), hands, state.boneyard, layout, laid)


def _acting(event: Event) -> Seat:
    assert event.seat is not None
    return event.seat


def _with_hand(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])
