"""Kozel: what may be done, and what follows from it (Kozel rules, sections 2 to 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.engine.contract import (
    Chance,
    Event,
    IllegalMove,
    Json,
    Move,
    Outcome,
    Phrase,
    Seat,
    Shuffle,
    Tiles,
    Value,
    gettext_noop,
)
from games.engine.dominoes import (
    SUITS,
    End,
    Hand,
    Tile,
    cautious,
    deal,
    draw_run,
    ends,
    fits,
    is_blocked,
    placements,
    read_placement,
    without,
    write_placement,
)
from games.titles.kozel import scoring
from games.titles.kozel.position import Options, Round, State, ends_after, evolve, initial

HAND_SIZE = 7

DRAW = "draw"
PASS = "pass"  # noqa: S105

BALD = "bald"


def sides(options: Mapping[str, Json]) -> tuple[tuple[Seat, ...], ...]:
    """The seats of each side; `options` are complete."""
    return Options(**options).sides


def setup(options: Mapping[str, Json], chance: Chance) -> tuple[Event, ...]:
    """The start of a match and its first deal."""
    first = replace(initial(options).round, number=1)
    return Event("match_started", None, {"first_seat": None}), _deal(first, chance)


def to_act(state: State) -> frozenset[Seat]:
    """The one seat in turn; nobody once the match is over."""
    return frozenset() if state.turn is None else frozenset((state.turn,))


def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """Every move this seat may make now, sorted (sections 4 to 6)."""
    if seat != state.turn:
        return ()
    if not state.layout.line:
        return (state.round.opening,) if state.round.opening else tuple(sorted(state.hands[seat]))
    legal = placements(state.hands[seat], ends(state.layout))
    if not legal:
        return (DRAW if state.boneyard else PASS,)
    return tuple(sorted([f"{tile}@{end}" for tile, end in legal]))


def forced_move(state: State, seat: Seat) -> Move | None:
    """Draw, pass, the only place for the tile just drawn, or the tile that must open the first round.

    A sole legal tile of the hand is not forced: the speed would tell the others what is in the hand.
    """
    if seat != state.turn:
        return None
    if not state.layout.line:
        return state.round.opening
    if state.drew or not fits(state.hands[seat], ends(state.layout).values()):
        moves = legal_moves(state, seat)
        return moves[0] if len(moves) == 1 else None
    return None


def decide(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    """What follows from a move, the end of the round and the next deal included. Raises IllegalMove."""
    if seat != state.turn:
        raise _refusal(gettext_noop("It is not your turn."))
    if move == DRAW:
        return _draw(state, seat, chance)
    if move == PASS:
        return _pass(state, seat)
    placement = read_placement(move)
    if placement is None:
        raise _refusal(gettext_noop("There is no such move in this game."))
    return _play(state, seat, *placement, chance)


def absent(state: State, seat: Seat, chance: Chance) -> tuple[Event, ...]:
    """What the club does for a seat whose turn has lapsed: it draws, passes, or lays the heaviest tile that fits.

    A turn that has to begin with a draw is played to its end.
    """
    events = decide(state, seat, _cautious_move(state, seat), chance)
    if len(events) > 1 or events[0].kind != "drew":
        return events
    drawn = evolve(state, events[0])
    return events + decide(drawn, seat, _cautious_move(drawn, seat), chance)


def scores(state: State) -> tuple[int, ...]:
    """The penalties by side."""
    return state.round.scores


def outcome(state: State) -> Outcome | None:
    """How the match ended (sections 11 and 13; domino-common 18); None while it runs."""
    result = state.result
    if result is None or not (reason := _over(state, result.how, state.round.scores)):
        return None
    return scoring.outcome(state.round.scores, reason, result.winner if result.how == BALD else None)


def resample(state: State, seat: Seat | None, shuffle: Shuffle) -> State:
    """A position that `seat` cannot tell from this one: all tiles it does not see are dealt anew.

    The tile that must open the first round stays with its holder, because everybody sees who is to open.
    """
    others = [tile for holder, hand in enumerate(state.hands) if holder != seat for tile in hand]
    hidden = [tile for tile in (*others, *state.boneyard) if tile != state.round.opening]
    shuffle(hidden)
    rest = iter(hidden)
    hands = tuple(
        hand if holder == seat else tuple(tile if tile == state.round.opening else next(rest) for tile in hand)
        for holder, hand in enumerate(state.hands)
    )
    return replace(state, hands=hands, boneyard=tuple(rest))


def _deal(coming: Round, chance: Chance) -> Event:
    hands, boneyard = deal(chance.deal(coming.number, 0), coming.options.players, HAND_SIZE)
    return Event(
        "dealt",
        None,
        {
            "round": coming.number,
            "attempt": 0,
            "leader": coming.leader,
            "scores": list(coming.scores),
            "carried": coming.eggs,
        },
        {str(seat): list(hand) for seat, hand in enumerate(hands)} | {"club": list(boneyard)},
    )


def _play(state: State, seat: Seat, tile: Tile, end: End | None, chance: Chance) -> tuple[Event, ...]:
    hand = state.hands[seat]
    if tile not in hand:
        raise _refusal(gettext_noop("{tile}: not in your hand."), tile=Tiles((tile,)))
    wanted = ends(state.layout)
    _check_place(state, wanted, tile, end)
    wanted = ends_after(wanted, tile, end)
    played = Event(
        "played",
        seat,
        {"tiles": [[tile, end]], "sum": 0, "points": 0, "scores": list(state.round.scores), "ends": wanted},
    )
    how = _ending(state, seat, without(hand, tile), tile, wanted)
    return (played, *_close(evolve(state, played), how, seat, chance)) if how else (played,)


def _check_place(state: State, wanted: Mapping[End, int], tile: Tile, end: End | None) -> None:
    if not wanted:
        if end is not None:
            raise _refusal(gettext_noop("The table is empty: the first tile has no end."))
        if state.round.opening and tile != state.round.opening:
            raise _refusal(gettext_noop("The first round opens with {tile}."), tile=Tiles((state.round.opening,)))
    elif end is None:
        raise _refusal(gettext_noop("Choose the end for the tile."))
    elif end not in wanted or tile not in SUITS[wanted[end]]:
        raise _refusal(gettext_noop("{tile} does not fit there."), tile=Tiles((tile,)))


def _ending(state: State, seat: Seat, left: Hand, tile: Tile, wanted: Mapping[End, int]) -> str | None:
    """How the round ends when `tile` has been laid and `left` is the rest of the hand; None if it goes on."""
    if not left:
        return BALD if state.round.options.bald and tile == "00" else "out"
    if state.boneyard:
        return None
    others = (hand for holder, hand in enumerate(state.hands) if holder != seat)
    return "blocked" if is_blocked(wanted.values(), (left, *others)) else None


def _draw(state: State, seat: Seat, chance: Chance) -> tuple[Event, ...]:
    wanted = _wanted_without_placement(state, seat)
    if not state.boneyard:
        raise _refusal(gettext_noop("The boneyard is empty."))
    taken = draw_run(state.boneyard, wanted)
    left = len(state.boneyard) - len(taken)
    drew = Event("drew", seat, {"count": len(taken), "boneyard": left}, {str(seat): list(taken)})
    if left:
        return (drew,)
    after = evolve(state, drew)
    if not is_blocked(wanted, after.hands):
        return (drew,)
    return (drew, *_close(after, "blocked", after.laid[-1][1], chance))


def _pass(state: State, seat: Seat) -> tuple[Event, ...]:
    _wanted_without_placement(state, seat)
    if state.boneyard:
        raise _refusal(gettext_noop("Draw first: the boneyard is not empty."))
    return (Event("passed", seat),)


def _wanted_without_placement(state: State, seat: Seat) -> tuple[int, ...]:
    """The wanted faces, for a seat that may draw or pass. Raises IllegalMove while a tile can be laid."""
    wanted = tuple(ends(state.layout).values())
    if not wanted or fits(state.hands[seat], wanted):
        raise _refusal(gettext_noop("There is a tile to lay, so neither drawing nor passing is allowed."))
    return wanted


def _cautious_move(state: State, seat: Seat) -> Move:
    moves = legal_moves(state, seat)
    legal = [placement for move in moves if (placement := read_placement(move))]
    return write_placement(*cautious(legal)) if legal else moves[0]


def _close(state: State, how: str, seat: Seat, chance: Chance) -> tuple[Event, ...]:
    """The end of the round, and the next deal unless the match is over."""
    ended = round_ended(state, how, seat)
    told = ended.payload
    if told["leader"] is None:
        return (ended,)
    before = state.round
    coming = Round(before.options, tuple(told["scores"]), before.number + 1, told["carried"], told["leader"])
    return ended, _deal(coming, chance)


def round_ended(state: State, how: str, seat: Seat) -> Event:
    """The count of a round that ended in this position: `seat` went out or blocked (sections 8 to 13)."""
    options = state.round.options
    values = tuple(scoring.hand_value(hand) for hand in state.hands)
    totals = scoring.side_totals(values, options.sides)
    winner = scoring.lowest_side(totals) if how == "blocked" else scoring.side_of(seat, options.sides)
    written = scoring.Written((0,) * len(totals), state.round.eggs)
    if how != BALD:
        written = scoring.write(totals, winner, state.round.scores, state.round.eggs, options.entry_13)
    after = tuple(score + penalty for score, penalty in zip(state.round.scores, written.penalties, strict=True))
    payload = {
        "round": state.round.number,
        "how": how,
        "seat": seat,
        "winner": winner,
        "hands": [list(hand) for hand in state.hands],
        "values": list(values),
        "written": list(written.penalties),
        "carried": written.eggs,
        "scores": list(after),
        "leader": None if _over(state, how, after) else _next_leader(options, how, seat, winner, values),
    }
    return Event("round_ended", None, payload)


def _next_leader(options: Options, how: str, seat: Seat, winner: int | None, values: tuple[int, ...]) -> Seat:
    if how != "blocked":
        return seat
    return scoring.leader_after_block(seat, () if winner is None else options.sides[winner], values)


def _over(state: State, how: str, scores: tuple[int, ...]) -> str | None:
    """Why the match is over after a round that ended so, with these scores; None if another round follows."""
    if how == BALD:
        return BALD
    if max(scores) >= state.round.options.target:
        return "target"
    return "round_limit" if state.round.number == state.round.options.round_limit else None


def _refusal(text: str, **values: Value) -> IllegalMove:
    return IllegalMove(Phrase(text, values))
