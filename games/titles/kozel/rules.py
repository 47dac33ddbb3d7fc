"""Kozel: what its rules page says beyond what all domino titles share (Kozel rules, sections 2 to 13)."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.contract import Outcome, Seat
from games.engine.dominoes import Layout, Tile, lowest, side_totals, weight
from games.engine.rounds import position
from games.engine.rounds.play import BLOCKED
from games.engine.rounds.position import Game, Hands, Laid, Settled, side_of
from games.titles.kozel import scoring

BALD = "bald"

BLANK_LAST = "last"

_DOUBLES_BLANK_LOWEST = ("11", "00", "22", "33", "44", "55", "66")
_DOUBLES_BLANK_LAST = ("11", "22", "33", "44", "55", "66", "00")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(position.Options):
    """The options of a table, typed (section 14)."""

    entry_13: bool
    bald: bool
    blank_double_rank: str


State = position.State[Options]


def first_lead(options: Options, hands: Hands) -> tuple[Seat, Tile]:
    """Who opens the first round, and with which tile (section 4)."""
    holders = {tile: seat for seat, hand in enumerate(hands) for tile in hand}
    for tile in _DOUBLES_BLANK_LAST if options.blank_double_rank == BLANK_LAST else _DOUBLES_BLANK_LOWEST:
        if tile in holders:
            return holders[tile], tile
    lightest = min(holders, key=weight)
    return holders[lightest], lightest


def score(state: State, layout: Layout) -> tuple[int, int]:
    """Nothing is counted during a round (section 7)."""
    return 0, 0


def ends_at_once(options: Options, laid: Laid) -> str | None:
    """Going out with the double blank ends a match with this option (section 13)."""
    return BALD if options.bald and laid.tile == "00" and not laid.left else None


def settle(state: State, how: str, seat: Seat) -> Settled:
    """The count of a round: `seat` went out or blocked (sections 8 to 13)."""
    standing, options = state.round, state.round.options
    values = tuple(scoring.hand_value(hand) for hand in state.hands)
    totals = side_totals(values, options.sides)
    winner = lowest(totals) if how == BLOCKED else side_of(seat, options.sides)
    written = scoring.Written((0,) * len(totals), standing.carried)
    if how != BALD:
        written = scoring.write(totals, winner, standing.scores, standing.carried, options.entry_13)
    after = tuple(score + penalty for score, penalty in zip(standing.scores, written.penalties, strict=True))
    leader = None
    if not over(options, standing.number, how, after):
        winners = () if winner is None else options.sides[winner]
        leader = scoring.leader_after_block(seat, winners, values) if how == BLOCKED else seat
    return Settled(winner, values, written.penalties, written.eggs, leader)


def over(options: Options, number: int, how: str, scores: tuple[int, ...]) -> str | None:
    """Why the match is over after round `number` that ended `how`, with these scores; None if another round follows."""
    if how == BALD:
        return BALD
    if max(scores) >= options.target:
        return "target"
    return "round_limit" if number == options.round_limit else None


def outcome(state: State) -> Outcome | None:
    """How the match ended (sections 11 and 13; domino-common 18); None while it runs."""
    result, standing = state.result, state.round
    if result is None or not (reason := over(standing.options, standing.number, result.how, standing.scores)):
        return None
    return scoring.outcome(standing.scores, reason, result.winner if result.how == BALD else None)


GAME: Game[Options] = Game(
    options=Options,
    hand_size={2: 7, 3: 7, 4: 7},
    first_lead=first_lead,
    score=score,
    settle=settle,
    ends_at_once=ends_at_once,
)
