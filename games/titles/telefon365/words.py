"""What happens in Telefon 365, in sentences (user interface, section 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from games.engine.contract import Event, Phrase, SeatName, SideName, Sum, Tiles, gettext_noop
from games.engine.dominoes import pips, points, side_totals
from games.engine.rounds import words
from games.engine.rounds.play import BLOCKED
from games.engine.rounds.words import phrase
from games.titles.telefon365 import scoring
from games.titles.telefon365.rules import (
    GAME,
    KNOCKOUT,
    MANY_DOUBLES,
    ONE_SUIT,
    ONLY_5_5,
    TARGET,
    State,
    doubles,
    first_at_target,
    one_suit,
    over,
)


def describe(event: Event) -> tuple[Phrase, ...]:
    """What happened. Drawn tiles are named only if `event.secret` holds them; kinds of the match itself say nothing."""
    tell = _TELLERS.get(event.kind)
    return tuple(tell(event)) if tell else ()


def explain(state: State, event: Event) -> tuple[Phrase, ...]:
    """Why a move scored or not, why a deal is void, and how the points of a round came about."""
    why = _REASONS.get(event.kind)
    return tuple(why(state, event)) if why else ()


def _dealt(event: Event) -> Iterator[Phrase]:
    yield from words.dealt(event)
    if event.payload["carried"]:
        yield phrase(gettext_noop("Seka bank: {k}."), k=event.payload["carried"])


def _redealt(event: Event) -> Iterator[Phrase]:
    rule, n = event.payload["rule"], SeatName(event.payload["seat"])
    if rule == MANY_DOUBLES:
        yield phrase(gettext_noop("{n}: five or more doubles."), n=n)
    elif rule == ONE_SUIT:
        yield phrase(gettext_noop("{n}: five or more tiles of one suit."), n=n)
    else:
        led = Tiles((event.payload["tile"],))
        yield phrase(gettext_noop("{n}: {t} led, and the opponents do not hold that suit."), n=n, t=led)
    yield phrase(gettext_noop("The tiles are dealt again."))


def _round_ended(event: Event) -> Iterator[Phrase]:
    payload = event.payload
    if payload["how"] == KNOCKOUT:
        yield phrase(gettext_noop("Knock-out 35. Match: {n}."), n=SideName(payload["winner"]))
    elif payload["winner"] is None:
        yield phrase(gettext_noop("Seka. Bank {k}."), k=payload["carried"])
    else:
        yield from words.how_it_ended(event)
    yield from words.hands_left(event)
    yield from words.written(event)


def _why_points(state: State, event: Event) -> Iterator[Phrase]:
    payload, options = event.payload, state.round.options
    yield from words.why_points(GAME, state, event)
    if len(payload["tiles"]) > 1:
        yield phrase(gettext_noop("Doubles laid together score once, when all of them lie."))
    if payload["sum"] == options.knockout:
        yield phrase(gettext_noop("{s} is the knock-out: it wins the match at once."), s=payload["sum"])
    elif points(payload["sum"]) != payload["points"]:
        if options.opening_scores == ONLY_5_5:
            yield phrase(gettext_noop("Of all opening tiles only double 5 scores at this table."))
        else:
            yield phrase(gettext_noop("The opening tile does not score at this table."))


def _why_void(state: State, event: Event) -> Iterator[Phrase]:
    """The tiles of a void deal are public."""
    rule, seat = event.payload["rule"], event.payload["seat"]
    if rule == MANY_DOUBLES:
        yield phrase(
            gettext_noop("{n}: {t}. Five or more doubles in one hand void the deal."),
            n=SeatName(seat),
            t=Tiles(tuple(sorted(doubles(state.hands[seat])))),
        )
    elif rule == ONE_SUIT:
        yield phrase(
            gettext_noop("{n}: {t}. Five or more tiles of one suit, its double not counted, void the deal."),
            n=SeatName(seat),
            t=Tiles(tuple(sorted(one_suit(state.hands[seat])))),
        )
    else:
        yield phrase(
            gettext_noop("{t} opens, and neither opponent was dealt a tile of that suit: the deal is void."),
            t=Tiles((event.payload["tile"],)),
        )


def _why_written(state: State, event: Event) -> Iterator[Phrase]:
    payload = event.payload
    for seat, (hand, value) in enumerate(zip(payload["hands"], payload["values"], strict=True)):
        if value != pips(hand):
            blank = Tiles((scoring.BLANK,))
            yield phrase(gettext_noop("{n}: {t} counts {k}."), n=SeatName(seat), t=blank, k=value - pips(hand))
    if payload["how"] == KNOCKOUT:
        yield phrase(gettext_noop("After a knock-out nothing is written for the hands."))
        return
    if payload["how"] == BLOCKED:
        yield from _comparison(state, event)
    yield from _why_banked(state, event) if payload["winner"] is None else _why_won(state, event)
    yield from _who_follows(state, event)


def _comparison(state: State, event: Event) -> Iterator[Phrase]:
    """What partners hold together; a hand of one's own has been told."""
    for side, seats in enumerate(state.round.options.sides):
        if len(seats) > 1:
            terms, total = words.left_over(event, seats), sum(event.payload["values"][seat] for seat in seats)
            yield phrase(gettext_noop("{n}: {terms} = {k}."), n=SideName(side), terms=terms, k=total)


def _why_banked(state: State, event: Event) -> Iterator[Phrase]:
    """All hands go to the seka bank."""
    yield phrase(gettext_noop("The fewest points are shared: all hands go to the seka bank."))
    added, before = scoring.seka(_totals(state, event)), state.round.carried
    yield _rounded(words.left_over(event, tuple(range(len(state.hands)))), added)
    if before:
        bank = event.payload["carried"]
        yield phrase(gettext_noop("Seka bank: {before} + {added} = {k}."), before=before, added=added, k=bank)


def _why_won(state: State, event: Event) -> Iterator[Phrase]:
    """The hands of all others, the seka bank with them, and what the limit lets through."""
    payload, options, totals = event.payload, state.round.options, _totals(state, event)
    winner, bank = payload["winner"], state.round.carried
    gained, written = scoring.hand_points(totals, winner), payload["written"][winner]
    others = tuple(seat for seat in range(options.players) if seat not in options.sides[winner])
    yield _rounded(words.left_over(event, others), gained)
    if totals[winner]:
        own = gettext_noop("{n}: own tiles worth {k}, neither added nor taken off.")
        yield phrase(own, n=SideName(winner), k=totals[winner])
    if bank:
        yield phrase(gettext_noop("With the seka bank: {h} + {bank} = {p}."), h=gained, bank=bank, p=gained + bank)
    if written != gained + bank:
        cut = gettext_noop("The limit is {limit}: {k} of {p} are written.")
        yield phrase(cut, limit=options.hand_cap, k=written, p=gained + bank)


def _who_follows(state: State, event: Event) -> Iterator[Phrase]:
    """Who leads after a block; of equals at the top, who wins the match."""
    payload, options = event.payload, state.round.options
    best = scoring.leading(payload["scores"])
    if payload["how"] == BLOCKED and payload["leader"] is not None:
        yield phrase(gettext_noop("Laid the last tile and leads: {n}."), n=SeatName(payload["leader"]))
    elif len(best) > 1 and over(options, payload["round"], payload["how"], tuple(payload["scores"])) == TARGET:
        first = SideName(first_at_target(state, best))
        yield phrase(gettext_noop("Equal at the top: {n} came to {target} first."), n=first, target=options.target)


def _rounded(terms: Sum, rounded: int) -> Phrase:
    """An addition of hand values, rounded up; a single hand needs no addition."""
    total = sum(count for count, _ in terms.terms)
    if len(terms.terms) == 1:
        return phrase(gettext_noop("{s}, rounded up to a multiple of five: {h}."), s=total, h=rounded)
    text = gettext_noop("{terms} = {s}, rounded up to a multiple of five: {h}.")
    return phrase(text, terms=terms, s=total, h=rounded)


def _totals(state: State, event: Event) -> tuple[int, ...]:
    return side_totals(event.payload["values"], state.round.options.sides)


_TELLERS: Mapping[str, Callable[[Event], Iterator[Phrase]]] = {
    "match_started": words.started,
    "dealt": _dealt,
    "redealt": _redealt,
    "played": words.counted_move,
    "drew": words.drew,
    "passed": words.passed,
    "round_ended": _round_ended,
}

_REASONS: Mapping[str, Callable[[State, Event], Iterator[Phrase]]] = {
    "played": _why_points,
    "redealt": _why_void,
    "round_ended": _why_written,
}
