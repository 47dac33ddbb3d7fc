"""What happens in Kozel, in sentences (user interface, section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.engine.contract import Event, Json, Phrase, SeatName, SideName, Tiles, gettext_noop
from games.engine.dominoes import pips, side_totals
from games.engine.rounds import words
from games.engine.rounds.play import BLOCKED
from games.engine.rounds.words import phrase
from games.titles.kozel.rules import BALD, State
from games.titles.kozel.scoring import ENTRY


def describe(event: Event) -> tuple[Phrase, ...]:
    """What happened. Drawn tiles are named only if `event.secret` holds them; kinds not Kozel's own say nothing."""
    tell = _TELLERS.get(event.kind)
    return tuple(tell(event)) if tell else ()


def explain(state: State, event: Event) -> tuple[Phrase, ...]:
    """How the penalties of a round came about; during a round nothing is counted."""
    return tuple(_why_written(state, event)) if event.kind == "round_ended" else ()


def _dealt(event: Event) -> Iterator[Phrase]:
    yield from words.dealt(event)
    if event.payload["carried"]:
        yield phrase(gettext_noop("Eggs: {k}."), k=event.payload["carried"])


def _round_ended(event: Event) -> Iterator[Phrase]:
    payload = event.payload
    if payload["how"] == BALD:
        yield phrase(
            gettext_noop("{n}: the last tile is {t}. Match: {side}."),
            n=SeatName(payload["seat"]),
            t=Tiles(("00",)),
            side=SideName(payload["winner"]),
        )
    elif payload["winner"] is None:
        yield phrase(gettext_noop("Blocked. Fewest shared. Eggs: {k}."), k=payload["carried"])
    else:
        yield from words.how_it_ended(event)
    yield from words.hands_left(event)
    yield from words.written(event)


def _why_written(state: State, event: Event) -> Iterator[Phrase]:
    payload, sides = event.payload, state.round.options.sides
    yield from _lone_tiles(payload)
    if payload["how"] == BALD:
        return
    totals, eggs = side_totals(payload["values"], sides), state.round.carried
    for side, seats in enumerate(sides):
        # Alone, and not compared with others, a hand needs no adding up.
        if payload["how"] == BLOCKED or (side != payload["winner"] and len(seats) > 1):
            counted = words.left_over(event, seats)
            yield phrase(gettext_noop("{n}: {terms} = {k}."), n=SideName(side), terms=counted, k=totals[side])
    if payload["winner"] is None:
        added = payload["carried"] - eggs
        yield phrase(gettext_noop("Eggs: {before} + {added} = {k}."), before=eggs, added=added, k=payload["carried"])
        return
    for side, total in enumerate(totals):
        if side != payload["winner"]:
            yield from _penalty(state, payload, side, total)
    if eggs and payload["carried"] == eggs:
        yield phrase(gettext_noop("The most is shared, so the eggs stay: {k}."), k=eggs)


def _lone_tiles(payload: Mapping[str, Json]) -> Iterator[Phrase]:
    for hand, value in zip(payload["hands"], payload["values"], strict=True):
        if value != pips(hand):
            left = Tiles(tuple(sorted(hand)))
            yield phrase(gettext_noop("Nothing left but {t}: that counts {k}."), t=left, k=value)


def _penalty(state: State, payload: Mapping[str, Json], side: int, total: int) -> Iterator[Phrase]:
    """Why a losing side writes what it writes: its hands, the eggs that fall to it, the entry."""
    losing = [total for seats, total in enumerate(_totals(state, payload)) if seats != payload["winner"]]
    takes_eggs = total == max(losing) and losing.count(total) == 1
    eggs = state.round.carried if takes_eggs else 0
    if eggs:
        yield phrase(
            gettext_noop("{n}: {k} in the hand + {eggs} eggs = {p}."),
            n=SideName(side),
            k=total,
            eggs=eggs,
            p=total + eggs,
        )
    if total + eggs != payload["written"][side]:
        yield phrase(
            gettext_noop("{n}: {p} is less than {entry}, so it is not written."),
            n=SideName(side),
            p=total + eggs,
            entry=ENTRY,
        )


def _totals(state: State, payload: Mapping[str, Json]) -> tuple[int, ...]:
    return side_totals(payload["values"], state.round.options.sides)


_TELLERS = {
    "match_started": words.started,
    "dealt": _dealt,
    "played": words.played,
    "drew": words.drew,
    "passed": words.passed,
    "round_ended": _round_ended,
}
