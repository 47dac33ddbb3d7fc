"""What may be done in a round of dominoes, and what follows from it (domino-common 4 to 10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.engine import dominoes
from games.engine.contract import (
    Chance,
    Event,
    IllegalMove,
    Json,
    Move,
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
    Tile,
    cautious,
    draw_run,
    ends,
    fits,
    is_blocked,
    lay,
    placements,
    read_placement,
    without,
    write_placement,
)
from games.engine.rounds.position import (
    Game,
    Hands,
    Laid,
    O,
    Placement,
    Round,
    State,
    acting,
    drawable,
    evolve,
    initial,
    side_of,
    with_hand,
)

DRAW = "draw"
PASS = "pass"  # noqa: S105

OUT = "out"
BLOCKED = "blocked"


def setup(game: Game[O], options: Mapping[str, Json], chance: Chance) -> tuple[Event, ...]:
    """The start of a match and its first deal; `options` are complete."""
    first = replace(initial(game, options).round, number=1)
    return Event("match_started", None, {"first_seat": None}), *deal(game, first, chance)


def to_act(state: State[O]) -> frozenset[Seat]:
    """The one seat in turn; nobody once the match is over."""
    return frozenset() if state.turn is None else frozenset((state.turn,))


def window(state: State[O]) -> None:
    """Nothing is claimed: points are written at once."""


def legal_moves(game: Game[O], state: State[O], seat: Seat) -> tuple[Move, ...]:
    """Every move this seat may make now, sorted."""
    if seat != state.turn:
        return ()
    hand = state.hands[seat]
    if not state.layout.line:
        return (state.round.opening,) if state.round.opening else tuple(sorted(hand))
    legal = placements(hand, ends(state.layout))
    if not legal:
        return (DRAW if drawable(game, state) else PASS,)
    moves = [f"{tile}@{end}" for tile, end in legal]
    if game.sets:
        moves += game.sets(state, hand)
    return tuple(sorted(moves))


def forced_move(game: Game[O], state: State[O], seat: Seat) -> Move | None:
    """Draw, pass, the only place for the tile just drawn, or the tile that must open the first round.

    A sole legal tile of the hand is not forced: the speed would tell the others what is in the hand.
    """
    if seat != state.turn:
        return None
    if not state.layout.line:
        return state.round.opening
    if state.drew or not fits(state.hands[seat], ends(state.layout).values()):
        moves = legal_moves(game, state, seat)
        return moves[0] if len(moves) == 1 else None
    return None


def decide(game: Game[O], state: State[O], seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    """What follows from a move, the end of the round and the next deal included. Raises IllegalMove."""
    event = act(game, state, seat, move)
    if not state.layout.line and (void := game.veto(state, seat, event.payload["tiles"][0][0])):
        again = replace(state.round, attempt=state.round.attempt + 1)
        tile = event.payload["tiles"][0][0]
        return _redealt(state.round, void.rule, void.seat, tile), *deal(game, again, chance)
    return event, *follow(game, state, event, chance)


def act(game: Game[O], state: State[O], seat: Seat, move: Move) -> Event:
    """The fact of a move alone: `played`, `drew` or `passed`. Raises IllegalMove."""
    if seat != state.turn:
        raise refusal(gettext_noop("It is not your turn."))
    if move == DRAW:
        return _draw(game, state, seat)
    if move == PASS:
        return _pass(game, state, seat)
    if "+" in move and game.read_set:
        return _play(game, state, seat, game.read_set(state, state.hands[seat], move))
    placement = read_placement(move)
    if placement is None:
        raise refusal(gettext_noop("There is no such move in this game."))
    _check(state, seat, *placement)
    return _play(game, state, seat, (placement,))


def follow(game: Game[O], state: State[O], event: Event, chance: Chance) -> tuple[Event, ...]:
    """What the fact of a move, which happened in position `state`, leads to: the end of the round and the next deal."""
    if event.kind == "passed":
        return ()
    seat = acting(event)
    hand = state.hands[seat]
    if event.kind == "played":
        if game.waits(state.round.options, event):
            return ()
        for tile, _ in event.payload["tiles"]:
            hand = without(hand, tile)
        how = _ending(game, state, event, with_hand(state.hands, seat, hand))
    elif event.payload["boneyard"] > game.reserve:
        return ()
    else:
        # Nothing was laid, so the round can only be blocked, and by whoever laid last.
        hands = with_hand(state.hands, seat, (*hand, *event.secret[str(seat)]))
        how = BLOCKED if is_blocked(ends(state.layout).values(), hands) else None
        seat = state.laid[-1][1]
    return close(game, evolve(game, state, event), how, seat, chance) if how else ()


def close(game: Game[O], state: State[O], how: str, seat: Seat, chance: Chance) -> tuple[Event, ...]:
    """The end of the round, and the next deal unless the match is over: `seat` went out, blocked or scored."""
    ended = round_ended(game, state, how, seat)
    told, before = ended.payload, state.round
    if told["leader"] is None:
        return (ended,)
    coming = Round(before.options, tuple(told["scores"]), before.number + 1, 0, told["carried"], told["leader"])
    return ended, *deal(game, coming, chance)


def round_ended(game: Game[O], state: State[O], how: str, seat: Seat) -> Event:
    """The count of a round that ended in this position."""
    settled = game.settle(state, how, seat)
    before = state.round
    payload = {
        "round": before.number,
        "how": how,
        "seat": seat,
        "winner": settled.winner,
        "hands": [list(hand) for hand in state.hands],
        "values": list(settled.values),
        "written": list(settled.written),
        "carried": settled.carried,
        "scores": [score + points for score, points in zip(before.scores, settled.written, strict=True)],
        "leader": settled.leader,
    }
    return Event("round_ended", None, payload)


def blocked(game: Game[O], state: State[O]) -> bool:
    """Whether nobody can lay a tile any more (domino-common 10)."""
    return _is_blocked(game, state, state.hands, ends(state.layout))


def deal(game: Game[O], coming: Round[O], chance: Chance) -> tuple[Event, ...]:
    """The deal of a round, dealt again as often as its rules make it void."""
    players = coming.options.players
    hands, boneyard = dominoes.deal(chance.deal(coming.number, coming.attempt), players, game.hand_size[players])
    payload = {
        "round": coming.number,
        "attempt": coming.attempt,
        "leader": None if coming.number == 1 else coming.leader,
        "scores": list(coming.scores),
        "carried": coming.carried,
    }
    secret = {str(seat): list(hand) for seat, hand in enumerate(hands)} | {"club": list(boneyard)}
    dealt = Event("dealt", None, payload, secret)
    if (void := game.void(coming.options, hands)) is None:
        return (dealt,)
    again = replace(coming, attempt=coming.attempt + 1)
    return dealt, _redealt(coming, void.rule, void.seat, None), *deal(game, again, chance)


def absent(game: Game[O], state: State[O], seat: Seat, chance: Chance) -> tuple[Event, ...]:
    """What the club does for a seat whose turn has lapsed: it draws, passes, or lays the heaviest tile that fits.

    A turn that has to begin with a draw is played to its end.
    """
    events = decide(game, state, seat, cautious_move(game, state, seat), chance)
    if len(events) > 1 or events[0].kind != "drew":
        return events
    drawn = evolve(game, state, events[0])
    return events + decide(game, drawn, seat, cautious_move(game, drawn, seat), chance)


def cautious_move(game: Game[O], state: State[O], seat: Seat) -> Move:
    """The one move the club makes for somebody who is away: never of several tiles."""
    moves = legal_moves(game, state, seat)
    legal = [placement for move in moves if (placement := read_placement(move))]
    return write_placement(*cautious(legal)) if legal else moves[0]


def resample(state: State[O], seat: Seat | None, shuffle: Shuffle) -> State[O]:
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


def refusal(text: str, **values: Value) -> IllegalMove:
    """A move the rules do not allow, with the sentence that says why."""
    return IllegalMove(Phrase(text, values))


def check_placement(hand: tuple[Tile, ...], wanted: Mapping[End, int], tile: Tile, end: End) -> None:
    """Raises IllegalMove unless the hand holds the tile and the end wants it."""
    if tile not in hand:
        raise refusal(gettext_noop("{tile}: not in your hand."), tile=Tiles((tile,)))
    if end not in wanted or tile not in SUITS[wanted[end]]:
        raise refusal(gettext_noop("{tile} does not fit there."), tile=Tiles((tile,)))


def _check(state: State[O], seat: Seat, tile: Tile, end: End | None) -> None:
    hand = state.hands[seat]
    if tile not in hand:
        raise refusal(gettext_noop("{tile}: not in your hand."), tile=Tiles((tile,)))
    if not state.layout.line:
        if end is not None:
            raise refusal(gettext_noop("The table is empty: the first tile has no end."))
        if state.round.opening and tile != state.round.opening:
            raise refusal(gettext_noop("The first round opens with {tile}."), tile=Tiles((state.round.opening,)))
    elif end is None:
        raise refusal(gettext_noop("Choose the end for the tile."))
    else:
        check_placement(hand, ends(state.layout), tile, end)


def _play(game: Game[O], state: State[O], seat: Seat, placed: tuple[Placement, ...]) -> Event:
    layout = state.layout
    for tile, end in placed:
        layout = lay(layout, tile, end, branching=game.branching)
    total, points = game.score(state, layout)
    scores = list(state.round.scores)
    if points:
        scores[side_of(seat, state.round.options.sides)] += points
    tiles = [[tile, end] for tile, end in placed]
    payload = {"tiles": tiles, "sum": total, "points": points, "scores": scores, "ends": ends(layout)}
    return Event("played", seat, payload)


def _ending(game: Game[O], state: State[O], event: Event, hands: Hands) -> str | None:
    """How the round ends after tiles have been laid; `hands` are those left. None if it goes on (domino-common 9)."""
    seat, payload, options = acting(event), event.payload, state.round.options
    left = hands[seat]
    laid = Laid(payload["tiles"][-1][0], left, payload["sum"], payload["scores"][side_of(seat, options.sides)])
    if how := game.ends_at_once(options, laid):
        return how
    if not left:
        return OUT
    return BLOCKED if _is_blocked(game, state, hands, payload["ends"]) else None


def _is_blocked(game: Game[O], state: State[O], hands: Hands, wanted: Mapping[End, int]) -> bool:
    stock = drawable(game, state)
    if stock and not game.blocks_early(state.round.options):
        return False
    return is_blocked(wanted.values(), hands, stock)


def _draw(game: Game[O], state: State[O], seat: Seat) -> Event:
    wanted = _wanted_without_placement(state, seat)
    stock = drawable(game, state)
    if not stock:
        raise refusal(gettext_noop("No tile can be drawn any more."))
    taken = draw_run(stock, wanted)
    payload = {"count": len(taken), "boneyard": len(state.boneyard) - len(taken)}
    return Event("drew", seat, payload, {str(seat): list(taken)})


def _pass(game: Game[O], state: State[O], seat: Seat) -> Event:
    _wanted_without_placement(state, seat)
    if drawable(game, state):
        raise refusal(gettext_noop("Draw first: a tile can still be drawn."))
    return Event("passed", seat)


def _wanted_without_placement(state: State[O], seat: Seat) -> tuple[int, ...]:
    """The wanted faces, for a seat that may draw or pass. Raises IllegalMove while a tile can be laid."""
    wanted = tuple(ends(state.layout).values())
    if not wanted or fits(state.hands[seat], wanted):
        raise refusal(gettext_noop("There is a tile to lay, so neither drawing nor passing is allowed."))
    return wanted


def _redealt(void: Round[O], rule: str, seat: Seat, tile: Tile | None) -> Event:
    payload = {"round": void.number, "attempt": void.attempt, "rule": rule, "seat": seat, "tile": tile}
    return Event("redealt", None, payload)
