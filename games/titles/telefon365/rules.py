"""Telefon 365: what its rules page says beyond what all domino titles share (Telefon 365 rules, sections 3 to 15)."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.contract import Json, Outcome, Seat
from games.engine.dominoes import (
    DOUBLES,
    SUITS,
    Hand,
    HubCount,
    Layout,
    Tile,
    is_double,
    lowest,
    open_sum,
    points,
    side_totals,
    weight,
)
from games.engine.rounds import position
from games.engine.rounds.play import BLOCKED
from games.engine.rounds.position import Game, Hands, Laid, Settled, Void, side_of
from games.titles.telefon365 import scoring
from games.titles.telefon365.sets import read_set, sets

KNOCKOUT = "knockout"
TARGET = "target"

ANY = "any"
ONLY_5_5 = "only_5_5"
AT_ONCE = "at_once"

MANY_DOUBLES = "R1"
ONE_SUIT = "R2"
NO_ANSWER = "R3"

TOO_MANY = 5
"""Doubles, or tiles of one suit without its double, that void a deal."""

_OPENING = ("23", "11", "22", "33", "44", "55", "66", "00")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(position.Options):
    """The options of a table, typed (section 15)."""

    opening_scores: str
    double_blank: str
    blocked_check: str
    hand_cap: int
    knockout: int


State = position.State[Options]


def typed(**chosen: Json) -> Options:
    """The typed options of the complete ones: four seats always play in teams (section 1)."""
    return Options(**chosen, teams=chosen["players"] == 4)


def first_lead(options: Options, hands: Hands) -> tuple[Seat, Tile]:
    """Who opens the first round, and with which tile (section 4)."""
    holders = {tile: seat for seat, hand in enumerate(hands) for tile in hand}
    for tile in _OPENING:
        if tile in holders:
            return holders[tile], tile
    lightest = min(holders, key=weight)
    return holders[lightest], lightest


def doubles(hand: Hand) -> Hand:
    """The doubles of a hand."""
    return tuple(tile for tile in hand if is_double(tile))


def one_suit(hand: Hand) -> Hand:
    """The tiles of one suit, its double left out, of which a hand holds too many; empty if there is no such suit."""
    for face, suit in enumerate(SUITS):
        if len(found := tuple(tile for tile in hand if tile in suit and tile != DOUBLES[face])) >= TOO_MANY:
            return found
    return ()


def void(options: Options, hands: Hands) -> Void | None:
    """Why these dealt hands are void: the lowest rule, then the lowest seat (section 3)."""
    for seat, hand in enumerate(hands):
        if len(doubles(hand)) >= TOO_MANY:
            return Void(MANY_DOUBLES, seat)
    for seat, hand in enumerate(hands):
        if one_suit(hand):
            return Void(ONE_SUIT, seat)
    return None


def veto(state: State, seat: Seat, tile: Tile) -> Void | None:
    """Why leading this tile voids the deal: a double of a suit that no opponent was dealt (section 3)."""
    sides = state.round.options.sides
    if state.round.options.players < 4 or not is_double(tile):
        return None
    opponents = sides[1 - side_of(seat, sides)]
    suit = SUITS[int(tile[0])]
    return Void(NO_ANSWER, seat) if all(suit.isdisjoint(state.hands[other]) for other in opponents) else None


def hub_count(options: Options) -> HubCount:
    """The closed telephone counts nothing (section 7)."""
    return "zero"


def score(state: State, layout: Layout) -> tuple[int, int]:
    """The open sum and its points; whether an opening tile scores is an option (section 7)."""
    total = open_sum(layout, "zero")
    if not state.layout.line and not opening_scores(state.round.options, layout):
        return total, 0
    return total, points(total)


def opening_scores(options: Options, layout: Layout) -> bool:
    """Whether the tile that lies alone may score."""
    return options.opening_scores == ANY or (options.opening_scores == ONLY_5_5 and layout.line == ("55",))


def blocks_early(options: Options) -> bool:
    """Whether a round is blocked as soon as nothing fits, before the boneyard is drawn out (section 11)."""
    return options.blocked_check == AT_ONCE


def ends_at_once(options: Options, laid: Laid) -> str | None:
    """35 wins the match on the spot (section 8)."""
    return KNOCKOUT if laid.total == options.knockout else None


def settle(state: State, how: str, seat: Seat) -> Settled:
    """The count of a round: `seat` went out, blocked or made the knockout (sections 8 to 14)."""
    standing, options = state.round, state.round.options
    values = tuple(scoring.hand_value(hand, options.double_blank) for hand in state.hands)
    totals = side_totals(values, options.sides)
    winner = lowest(totals) if how == BLOCKED else side_of(seat, options.sides)
    written = scoring.Written((0,) * len(totals), standing.carried)
    if how != KNOCKOUT:
        written = scoring.write(totals, winner, standing.scores, standing.carried, options.hand_cap)
    after = tuple(score + more for score, more in zip(standing.scores, written.points, strict=True))
    leader = None if over(options, standing.number, how, after) else seat
    return Settled(winner, values, written.points, written.bank, leader)


def over(options: Options, number: int, how: str, scores: tuple[int, ...]) -> str | None:
    """Why the match is over after round `number` that ended `how`, with these scores; None if another round follows."""
    if how == KNOCKOUT:
        return KNOCKOUT
    if max(scores) >= options.target:
        return TARGET
    return "round_limit" if number == options.round_limit else None


def outcome(state: State) -> Outcome | None:
    """How the match ended (sections 8 and 13; domino-common 18); None while it runs."""
    result, standing = state.result, state.round
    if result is None or not (reason := over(standing.options, standing.number, result.how, standing.scores)):
        return None
    winners = scoring.leading(standing.scores)
    if reason == KNOCKOUT:
        assert result.winner is not None
        winners = [result.winner]
    elif reason == TARGET:
        winners = [first_at_target(state, winners)]
    return scoring.outcome(standing.scores, reason, winners)


def first_at_target(state: State, leading: list[int]) -> int:
    """Of the sides with the highest score, the one that came to the target first (section 13)."""
    return min(leading, key=state.reached.index)


GAME: Game[Options] = Game(
    options=typed,
    hand_size={2: 7, 3: 7, 4: 7},
    first_lead=first_lead,
    score=score,
    settle=settle,
    hub_count=hub_count,
    reserve=1,
    blocks_early=blocks_early,
    ends_at_once=ends_at_once,
    void=void,
    veto=veto,
    sets=sets,
    read_set=read_set,
)
