"""What happens in a round of dominoes, in sentences (user interface, section 7).

The sentences that all titles share. Each title adds what a round's end and its carried points mean there.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.contract import Event, Move, Phrase, Seat, SeatName, SideName, Sum, Tiles, Value, gettext_noop
from games.engine.counting import parts
from games.engine.dominoes import HubCount, Layout, is_double, lay, open_sum
from games.engine.rounds.play import BLOCKED, DRAW, OUT
from games.engine.rounds.position import Game, O, State, acting
from games.engine.rounds.view import end_number, read_placements


def phrase(text: str, **values: Value) -> Phrase:
    """A sentence with its values."""
    return Phrase(text, values)


def name(event: Event) -> SeatName:
    """The seat that acted."""
    return SeatName(acting(event))


def label(state: State[O], seat: Seat, move: Move) -> Phrase:
    """A legal move in words, for its button."""
    placed = read_placements(move)
    if not placed:
        return Phrase(gettext_noop("Draw") if move == DRAW else gettext_noop("Pass"))
    (tile, end), *others = placed
    if end is None:
        return phrase("{tile}", tile=Tiles((tile,)))
    if others:
        numbers = ", ".join(str(end_number(at)) for _, at in placed if at)
        return phrase(
            gettext_noop("{tiles}, ends {ends}"), tiles=Tiles(tuple(tile for tile, _ in placed)), ends=numbers
        )
    return phrase(gettext_noop("{tile}, end {end}"), tile=Tiles((tile,)), end=end_number(end))


def started(event: Event) -> Iterator[Phrase]:
    """`match_started`."""
    yield Phrase(gettext_noop("The match begins."))


def dealt(event: Event) -> Iterator[Phrase]:
    """`dealt`, without what the carried points are called."""
    yield phrase(gettext_noop("Round {round}."), round=event.payload["round"])
    if event.payload["leader"] is not None:
        yield phrase(gettext_noop("To lead: {n}."), n=SeatName(event.payload["leader"]))


def played(event: Event) -> Iterator[Phrase]:
    """`played` where nothing is counted."""
    ((tile, end),) = event.payload["tiles"]
    if end is None:
        yield phrase(gettext_noop("{n}: {t}, the first tile."), n=name(event), t=Tiles((tile,)))
        return
    value = event.payload["ends"][end]
    yield phrase(
        gettext_noop("{n}: {t}, end {e}. Open {v}."), n=name(event), t=Tiles((tile,)), e=end_number(end), v=value
    )


def counted_move(event: Event) -> Iterator[Phrase]:
    """`played` with the open sum and its points."""
    payload, total = event.payload, event.payload["sum"]
    tiles = Tiles(tuple(tile for tile, _ in payload["tiles"]))
    (_, end), *others = payload["tiles"]
    if end is None:
        yield phrase(gettext_noop("{n}: {t}, the first tile. Total {s}."), n=name(event), t=tiles, s=total)
    elif others:
        numbers = ", ".join(str(end_number(at)) for _, at in payload["tiles"])
        yield phrase(gettext_noop("{n}: {t}, ends {e}. Total {s}."), n=name(event), t=tiles, e=numbers, s=total)
    else:
        yield phrase(
            gettext_noop("{n}: {t}, end {e}. Open {v}, total {s}."),
            n=name(event),
            t=tiles,
            e=end_number(end),
            v=payload["ends"][end],
            s=total,
        )
    if payload["points"]:
        yield phrase(gettext_noop("Plus {p}."), p=payload["points"])


def drew(event: Event) -> Iterator[Phrase]:
    """`drew`; the tiles only where they are known."""
    yield phrase(gettext_noop("{n}: from the boneyard {k}."), n=name(event), k=event.payload["count"])
    if taken := event.secret.get(str(event.seat)):
        yield phrase(gettext_noop("Taken: {t}."), t=Tiles(tuple(taken)))


def passed(event: Event) -> Iterator[Phrase]:
    """`passed`."""
    yield phrase(gettext_noop("{n}: pass."), n=name(event))


def how_it_ended(event: Event) -> Iterator[Phrase]:
    """The head of `round_ended` for a round that somebody won by going out or by a block."""
    payload = event.payload
    if payload["how"] == OUT:
        yield phrase(gettext_noop("{n}: last tile."), n=SeatName(payload["seat"]))
    elif payload["how"] == BLOCKED and payload["winner"] is not None:
        yield phrase(gettext_noop("Blocked. Fewest: {n}."), n=SideName(payload["winner"]))


def hands_left(event: Event) -> Iterator[Phrase]:
    """Each hand that is left at the end of a round, and its value."""
    for seat, hand in enumerate(event.payload["hands"]):
        if hand:
            yield phrase(
                gettext_noop("{n}: left in the hand {t}, worth {k}."),
                n=SeatName(seat),
                t=Tiles(tuple(sorted(hand))),
                k=event.payload["values"][seat],
            )


def written(event: Event) -> Iterator[Phrase]:
    """The points that the end of a round wrote, and the new totals."""
    for side, points in enumerate(event.payload["written"]):
        if points:
            total = event.payload["scores"][side]
            yield phrase(gettext_noop("{n}: plus {p}. Total {s}."), n=SideName(side), p=points, s=total)


def open_ends(layout: Layout, hub_count: HubCount) -> Sum:
    """The open sum as an addition: `3 + 2 + 12 (double 6)`."""
    return Sum(tuple((part.count, part.tile if is_double(part.tile) else None) for part in parts(layout, hub_count)))


def why_points(game: Game[O], state: State[O], event: Event) -> Iterator[Phrase]:
    """Why a move that happened in position `state` scored, or why not, and the hub that it made."""
    assert game.hub_count is not None
    layout = after(state, event)
    yield counted_ends(layout, game.hub_count(state.round.options))
    yield from new_hub(state.layout, layout)


def after(state: State[O], event: Event) -> Layout:
    """The layout that a move which happened in position `state` made, where doubles branch."""
    layout = state.layout
    for tile, end in event.payload["tiles"]:
        layout = lay(layout, tile, end, branching=True)
    return layout


def counted_ends(layout: Layout, hub_count: HubCount) -> Phrase:
    """The open sum, term by term, and whether it scores."""
    terms, total = open_ends(layout, hub_count), open_sum(layout, hub_count)
    if total == 0:
        return phrase(gettext_noop("{terms} = {s}: zero scores nothing."), terms=terms, s=total)
    if total % 5:
        return phrase(gettext_noop("{terms} = {s}, not a multiple of five."), terms=terms, s=total)
    return phrase(gettext_noop("{terms} = {s}, a multiple of five."), terms=terms, s=total)


def new_hub(before: Layout, layout: Layout) -> Iterator[Phrase]:
    """What comes of a double that has just been closed first."""
    if layout.hub and not before.hub:
        yield phrase(
            gettext_noop("{t} is closed first: from now on ends 3 and 4 are open too."), t=Tiles((layout.hub,))
        )


def left_over(event: Event, seats: tuple[Seat, ...]) -> Sum:
    """The hand values of some seats as an addition."""
    return Sum(tuple((event.payload["values"][seat], None) for seat in seats))
