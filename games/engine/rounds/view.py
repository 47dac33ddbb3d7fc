"""What one seat may know of a round of dominoes."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.contract import Move, Seat
from games.engine.dominoes import ENDS, HALVES, End, Tile, ends, fits, is_double, lay, read_placement
from games.engine.rounds.play import legal_moves
from games.engine.rounds.position import Game, O, Placement, Result, State, drawable


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile as it lies: in the line from left to right, in an arm from the hub outwards.

    `number` counts the tiles of the round as they were laid, from 1.
    """

    left: int
    right: int
    double: bool
    number: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """An end that can be played on, the number people know it by, and the face it wants."""

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
class Preview:
    """What a legal move would lead to: the open sum and its points."""

    move: Move
    sum: int
    points: int


@dataclass(frozen=True, slots=True)
class View:
    """All that `seat` (None: a spectator) may know; scores by side, `counts` of tiles in hand by seat.

    `phase` tells the seat to act what it has to do: `open`, `play`, `draw`, `pass` or `claim`. To all others a turn
    looks the same whatever is in the hand: `open` or `play`. Once the match is over it is `over`, and `result` is its
    last round. `hub` is the double that side arms grow from, and `arms` are the two of them. `sum` and `previews` stay
    empty where the title counts nothing, or leaves the counting to the players. `reserve` are the tiles at the end of
    the boneyard that nobody takes.
    """

    seat: Seat | None
    sides: tuple[tuple[Seat, ...], ...]
    round: int
    scores: tuple[int, ...]
    carried: int
    leader: Seat | None
    to_act: tuple[Seat, ...]
    phase: str
    line: tuple[Placed, ...]
    hub: Tile | None
    arms: tuple[tuple[Placed, ...], ...]
    ends: tuple[OpenEnd, ...]
    sum: int | None
    hand: tuple[Held, ...]
    previews: tuple[Preview, ...]
    counts: tuple[int, ...]
    boneyard: int
    reserve: int
    result: Result | None


def view(game: Game[O], state: State[O], seat: Seat | None, *, counting: bool) -> View:
    """All that a seat may know, made from its own hand and what lies open. `counting`: with sums and previews."""
    legal = legal_moves(game, state, seat) if seat is not None else ()
    order = {tile: (number, holder) for number, (tile, holder) in enumerate(state.laid, start=1)}
    return View(
        seat=seat,
        sides=state.round.options.sides,
        round=state.round.number,
        scores=state.round.scores,
        carried=state.round.carried,
        leader=state.round.leader,
        to_act=() if state.turn is None else (state.turn,),
        phase=_phase(game, state, seat),
        line=_placed(state.layout.line, order),
        hub=state.layout.hub,
        arms=tuple(_placed(arm, order) for arm in state.layout.arms),
        ends=tuple(OpenEnd(end, end_number(end), face) for end, face in ends(state.layout).items()),
        sum=game.score(state, state.layout)[0] if counting else None,
        # Before the first deal nobody holds anything.
        hand=_hand(state, seat, legal) if seat is not None and state.hands else (),
        previews=tuple(_preview(game, state, move) for move in legal if move[0].isdigit()) if counting else (),
        counts=tuple(len(held) for held in state.hands),
        boneyard=len(state.boneyard),
        reserve=min(game.reserve, len(state.boneyard)),
        result=state.result,
    )


def end_number(end: End) -> int:
    """The number people know an end by: 1 and 2 are left and right, 3 and 4 the side arms."""
    return ENDS.index(end) + 1


def read_placements(move: Move) -> tuple[Placement, ...]:
    """What a legal move lays, several tiles perhaps; nothing for a draw or a pass."""
    return tuple(placement for part in move.split("+") if (placement := read_placement(part)))


def _phase(game: Game[O], state: State[O], seat: Seat | None) -> str:
    if state.turn is None:
        return "over"
    if not state.layout.line:
        return "open"
    if seat != state.turn or fits(state.hands[seat], ends(state.layout).values()):
        return "play"
    return "draw" if drawable(game, state) else "pass"


def _placed(branch: tuple[str, ...], order: dict[Tile, tuple[int, Seat]]) -> tuple[Placed, ...]:
    return tuple(
        Placed(*HALVES[written], is_double(written), *order[min(written, written[::-1])]) for written in branch
    )


def _hand(state: State[O], seat: Seat, legal: tuple[Move, ...]) -> tuple[Held, ...]:
    wanted = ends(state.layout)
    playable = {move[:2] for move in legal}
    return tuple(
        Held(tile, tuple(end for end, face in wanted.items() if fits((tile,), (face,))), tile in playable)
        for tile in sorted(state.hands[seat])
    )


def _preview(game: Game[O], state: State[O], move: Move) -> Preview:
    layout = state.layout
    for tile, end in read_placements(move):
        layout = lay(layout, tile, end, branching=game.branching)
    return Preview(move, *game.score(state, layout))
