"""What one seat may know of a position of Kozel."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.contract import Seat
from games.engine.dominoes import ENDS, HALVES, End, Tile, ends, fits, is_double
from games.titles.kozel.position import Result, State
from games.titles.kozel.rules import legal_moves


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile of the line as it lies. `number` counts the tiles of the round as they were laid, from 1."""

    left: int
    right: int
    double: bool
    number: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """An end of the line, the number people know it by, and the face it wants."""

    end: End
    number: int
    face: int


@dataclass(frozen=True, slots=True)
class Held:
    """A tile of the own hand, the ends it fits, and whether it may be laid right now."""

    tile: Tile
    ends: tuple[End, ...]
    playable: bool


@dataclass(frozen=True, slots=True)
class View:
    """All that `seat` (None: a spectator) may know; scores by side, `counts` of tiles in hand by seat.

    `phase` tells the seat to act what it has to do: `open`, `play`, `draw` or `pass`. To all others a turn looks the
    same whatever is in the hand: `open` or `play`. Once the match is over it is `over`, and `result` is its last round.
    """

    seat: Seat | None
    sides: tuple[tuple[Seat, ...], ...]
    round: int
    scores: tuple[int, ...]
    eggs: int
    leader: Seat | None
    to_act: tuple[Seat, ...]
    phase: str
    line: tuple[Placed, ...]
    ends: tuple[OpenEnd, ...]
    hand: tuple[Held, ...]
    counts: tuple[int, ...]
    boneyard: int
    result: Result | None


def view(state: State, seat: Seat | None) -> View:
    """All that a seat may know, made from its own hand and what lies open."""
    return View(
        seat=seat,
        sides=state.round.options.sides,
        round=state.round.number,
        scores=state.round.scores,
        eggs=state.round.eggs,
        leader=state.round.leader,
        to_act=() if state.turn is None else (state.turn,),
        phase=_phase(state, seat),
        line=_line(state),
        ends=tuple(OpenEnd(end, ENDS.index(end) + 1, face) for end, face in ends(state.layout).items()),
        # Before the first deal nobody holds anything.
        hand=_hand(state, seat) if seat is not None and state.hands else (),
        counts=tuple(len(held) for held in state.hands),
        boneyard=len(state.boneyard),
        result=state.result,
    )


def _phase(state: State, seat: Seat | None) -> str:
    if state.turn is None:
        return "over"
    if not state.layout.line:
        return "open"
    if seat != state.turn or fits(state.hands[seat], ends(state.layout).values()):
        return "play"
    return "draw" if state.boneyard else "pass"


def _line(state: State) -> tuple[Placed, ...]:
    order = {tile: (number, seat) for number, (tile, seat) in enumerate(state.laid, start=1)}
    return tuple(
        Placed(*HALVES[written], is_double(written), *order[min(written, written[::-1])])
        for written in state.layout.line
    )


def _hand(state: State, seat: Seat) -> tuple[Held, ...]:
    wanted = ends(state.layout)
    legal = legal_moves(state, seat)
    playable = {move[:2] for move in legal}
    return tuple(
        Held(tile, tuple(end for end, face in wanted.items() if fits((tile,), (face,))), tile in playable)
        for tile in sorted(state.hands[seat])
    )
