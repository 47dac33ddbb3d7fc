"""What happens in Kozel, in sentences (user interface, section 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from games.engine.contract import (
    Event,
    Json,
    Move,
    Phrase,
    Seat,
    SeatName,
    SideName,
    Tiles,
    Value,
    gettext_noop,
)
from games.engine.dominoes import ENDS, End, read_placement
from games.titles.kozel.position import State
from games.titles.kozel.rules import BALD, DRAW


def describe(event: Event) -> tuple[Phrase, ...]:
    """What happened. Drawn tiles are named only if `event.secret` holds them; kinds not Kozel's own say nothing."""
    tell = _TELLERS.get(event.kind)
    return tuple(tell(event)) if tell else ()


def label(state: State, seat: Seat, move: Move) -> Phrase:
    """A legal move in words, for its button."""
    placement = read_placement(move)
    if placement is None:
        return Phrase(gettext_noop("Draw") if move == DRAW else gettext_noop("Pass"))
    tile, end = placement
    if end is None:
        return _phrase("{tile}", tile=Tiles((tile,)))
    return _phrase(gettext_noop("{tile}, end {end}"), tile=Tiles((tile,)), end=end_number(end))


def end_number(end: End) -> int:
    """The number people know an end by: 1 is left, 2 is right."""
    return ENDS.index(end) + 1


def _phrase(text: str, **values: Value) -> Phrase:
    return Phrase(text, values)


def _match_started(event: Event) -> Iterator[Phrase]:
    yield Phrase(gettext_noop("The match begins."))


def _dealt(event: Event) -> Iterator[Phrase]:
    payload = event.payload
    yield _phrase(gettext_noop("Round {round}."), round=payload["round"])
    if payload["leader"] is not None:
        yield _phrase(gettext_noop("To lead: {n}."), n=SeatName(payload["leader"]))
    if payload["carried"]:
        yield _phrase(gettext_noop("Eggs: {k}."), k=payload["carried"])


def _played(event: Event) -> Iterator[Phrase]:
    name, open_ends = _name(event), event.payload["ends"]
    ((tile, end),) = event.payload["tiles"]
    if end is None:
        yield _phrase(gettext_noop("{n}: {t}, the first tile."), n=name, t=Tiles((tile,)))
        return
    yield _phrase(
        gettext_noop("{n}: {t}, end {e}. Open {v}."), n=name, t=Tiles((tile,)), e=end_number(end), v=open_ends[end]
    )


def _drew(event: Event) -> Iterator[Phrase]:
    name = _name(event)
    yield _phrase(gettext_noop("{n}: from the boneyard {k}."), n=name, k=event.payload["count"])
    if taken := event.secret.get(str(event.seat)):
        yield _phrase(gettext_noop("Taken: {t}."), t=Tiles(tuple(taken)))


def _passed(event: Event) -> Iterator[Phrase]:
    yield _phrase(gettext_noop("{n}: pass."), n=_name(event))


def _round_ended(event: Event) -> Iterator[Phrase]:
    payload = event.payload
    yield _how(payload)
    for seat, hand in enumerate(payload["hands"]):
        if hand:
            left = Tiles(tuple(sorted(hand)))
            yield _phrase(
                gettext_noop("{n}: left in the hand {t}, worth {k}."),
                n=SeatName(seat),
                t=left,
                k=payload["values"][seat],
            )
    for side, penalty in enumerate(payload["written"]):
        if penalty:
            total = payload["scores"][side]
            yield _phrase(gettext_noop("{n}: plus {p}. Total {s}."), n=SideName(side), p=penalty, s=total)


def _how(payload: Mapping[str, Json]) -> Phrase:
    if payload["how"] == BALD:
        return _phrase(
            gettext_noop("{n}: the last tile is {t}. Match: {side}."),
            n=SeatName(payload["seat"]),
            t=Tiles(("00",)),
            side=SideName(payload["winner"]),
        )
    if payload["how"] == "out":
        return _phrase(gettext_noop("{n}: last tile."), n=SeatName(payload["seat"]))
    if payload["winner"] is None:
        return _phrase(gettext_noop("Blocked. Fewest shared. Eggs: {k}."), k=payload["carried"])
    return _phrase(gettext_noop("Blocked. Fewest: {n}."), n=SideName(payload["winner"]))


def _name(event: Event) -> SeatName:
    assert event.seat is not None
    return SeatName(event.seat)


_TELLERS: Mapping[str, Callable[[Event], Iterator[Phrase]]] = {
    "match_started": _match_started,
    "dealt": _dealt,
    "played": _played,
    "drew": _drew,
    "passed": _passed,
    "round_ended": _round_ended,
}
