"""A position of All Fives with the points that wait to be claimed, and what may be done about them (section 8).

Who may act at which second is the match's to say (engine.match); here are the moves that are right in themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.engine import fives
from games.engine.contract import Chance, Event, Json, Move, Outcome, Seat, Shuffle, Window, gettext_noop
from games.engine.dominoes import points
from games.engine.match import CLAIM
from games.engine.rounds import play, position
from games.engine.rounds.play import BLOCKED, DRAW, OUT, PASS, refusal
from games.engine.rounds.position import acting, side_of, with_scores
from games.engine.rounds.view import View
from games.engine.rounds.view import view as round_view
from games.titles.allfives.rules import GAME, Table, waits

CLAIMED = "claimed"
BURNT = "burnt"


@dataclass(frozen=True, slots=True)
class Claim:
    """The points of the last move, which `owner` made; nobody has them yet."""

    owner: Seat
    points: int


@dataclass(frozen=True, slots=True)
class State:
    """A position. While there is a `claim`, the round stands where the move that made the points left it."""

    table: Table
    claim: Claim | None = None


def initial(options: Mapping[str, Json]) -> State:
    """The position before the first event; `options` are complete."""
    return State(position.initial(GAME, options))


def evolve(state: State, event: Event) -> State:
    """The position after `event`."""
    if event.kind == CLAIMED:
        return State(with_scores(state.table, tuple(event.payload["scores"])))
    if event.kind == BURNT:
        return State(state.table)
    table = position.evolve(GAME, state.table, event)
    if table is state.table:
        return state
    if event.kind == "played" and waits(table.round.options, event):
        return State(table, Claim(acting(event), points(event.payload["sum"])))
    return State(table)


def to_act(state: State) -> frozenset[Seat]:
    """The seat in turn; while points wait, their owner and all opponents."""
    if state.claim is None:
        return play.to_act(state.table)
    return frozenset((state.claim.owner, *_opponents(state.table, state.claim)))


def window(state: State) -> Window | None:
    """First the owner of the points alone, then the opponents."""
    claim, options = state.claim, state.table.round.options
    if claim is None:
        return None
    return Window(claim.owner, options.claim_seconds, frozenset((claim.owner,)), _opponents(state.table, claim))


def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """Every move this seat may make now, sorted. While points wait nobody draws or passes."""
    claim, table = state.claim, state.table
    if claim is None:
        return play.legal_moves(GAME, table, seat)
    if seat not in to_act(state):
        return ()
    if seat != table.turn or _went_out(table, claim):
        return (CLAIM,)
    return (*(move for move in play.legal_moves(GAME, table, seat) if move not in (DRAW, PASS)), CLAIM)


def forced_move(state: State, seat: Seat) -> Move | None:
    """As in every round; nothing is forced while points wait."""
    return play.forced_move(GAME, state.table, seat) if state.claim is None else None


def decide(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    """What follows from a move; the next tile burns the points that still wait. Raises IllegalMove."""
    claim, table = state.claim, state.table
    if move == CLAIM and table.round.options.strict:
        return _claim(state, seat, chance)
    if claim is None:
        return play.decide(GAME, table, seat, move, chance)
    if seat == table.turn and (move in (DRAW, PASS) or _went_out(table, claim)):
        raise refusal(gettext_noop("Wait: the points of the last move can still be claimed."))
    moved = play.decide(GAME, table, seat, move, chance)
    return _burnt(claim, table), *moved


def absent(state: State, seat: Seat, chance: Chance) -> tuple[Event, ...]:
    """What the club does for a seat whose time is over: points that wait are burnt, and a turn is played."""
    claim, table = state.claim, state.table
    if claim is None:
        return play.absent(GAME, table, seat, chance)
    following = _end_of_round(table, chance)
    if not following and seat == table.turn:
        following = play.absent(GAME, table, seat, chance)
    return _burnt(claim, table), *following


def scores(state: State) -> tuple[int, ...]:
    """The score of each side as it stands."""
    return position.scores(state.table)


def outcome(state: State) -> Outcome | None:
    """How the match ended; None while it runs."""
    return fives.outcome(state.table)


def view(state: State, seat: Seat | None) -> View:
    """All that a seat may know. Where points are claimed, nothing is counted for anybody."""
    claim, table = state.claim, state.table
    counting = not table.round.options.strict
    if claim is None:
        return round_view(GAME, table, seat, counting=counting)
    # Nobody can lay a tile any more once a hand is out.
    seen = round_view(GAME, replace(table, turn=None) if _went_out(table, claim) else table, seat, counting=counting)
    claimants = to_act(state)
    return replace(seen, to_act=tuple(sorted(claimants)), phase="claim" if seat in claimants else "play")


def resample(state: State, seat: Seat | None, shuffle: Shuffle) -> State:
    """A position that `seat` cannot tell from this one."""
    return State(play.resample(state.table, seat, shuffle), state.claim)


def _opponents(table: Table, claim: Claim) -> frozenset[Seat]:
    sides = table.round.options.sides
    own = side_of(claim.owner, sides)
    return frozenset(seat for side, seats in enumerate(sides) if side != own for seat in seats)


def _went_out(table: Table, claim: Claim) -> bool:
    """Whether the points that wait were made with the last tile of a hand."""
    return not table.hands[claim.owner]


def _claim(state: State, seat: Seat, chance: Chance) -> tuple[Event, ...]:
    claim, table = state.claim, state.table
    if claim is None:
        raise refusal(gettext_noop("There are no points to claim."))
    if seat not in to_act(state):
        raise refusal(gettext_noop("Your partner made these points, so you cannot claim them."))
    options, after = table.round.options, list(table.round.scores)
    side = side_of(seat, options.sides)
    after[side] += claim.points
    event = Event(CLAIMED, seat, {"points": claim.points, "scores": after})
    told = evolve(state, event).table
    if fives.wins_at_once(options, after[side]):
        return event, *play.close(GAME, told, fives.TARGET, seat, chance)
    return event, *_end_of_round(told, chance)


def _burnt(claim: Claim, table: Table) -> Event:
    return Event(BURNT, claim.owner, {"points": claim.points, "scores": list(table.round.scores)})


def _end_of_round(table: Table, chance: Chance) -> tuple[Event, ...]:
    """The end that the last placement has brought about and that waited with its points; nothing if there is none."""
    _, mover = table.laid[-1]
    how = OUT if not table.hands[mover] else BLOCKED if play.blocked(GAME, table) else None
    return play.close(GAME, table, how, mover, chance) if how else ()
