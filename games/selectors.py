"""Everything that is read of tables and matches. Hidden facts leave only through a title's `view`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import F, Prefetch, QuerySet
from django.utils.translation import gettext

from club.members.models import Member
from games import clock, codes, store, titles
from games.engine import codec
from games.engine import match as engine
from games.engine.contract import Event, Json, Move, Phrase, Title, View
from games.engine.match import MatchState
from games.engine.options import is_told
from games.errors import NotFound
from games.models import Match, Seat, SetupLine, Table, Turn
from games.phrases import joined


def about_turn(turn_id: int) -> str:
    """What notices about a turn are about."""
    return f"turn:{turn_id}"


# Tables and lists


def access_table(table_id: UUID, member: Member | None) -> Table:
    """A table this member may look at: a public one, or one where they sit. Raises NotFound."""
    table = Table.objects.filter(pk=table_id).select_related("opener").first()
    if table is None or (table.is_private and not sits_at(table, member)):
        raise NotFound
    return table


def sits_at(table: Table, member: Member | None) -> bool:
    return member is not None and table.seats.filter(member=member).exists()


def room_code(table: Table) -> str:
    """The code of a private table as people read it; for those who sit there."""
    return codes.show_code(codes.code_for(table.id, table.code_try))


def open_tables(member: Member | None) -> QuerySet[Table]:
    """Public tables that wait for people, the oldest first; those where the member sits come elsewhere."""
    tables = Table.objects.filter(status=Table.Status.OPEN, is_private=False, expires_at__gt=clock.now())
    if member is not None:
        tables = tables.exclude(seats__member=member)
    return tables.select_related("opener").prefetch_related("seats__member").order_by("opened_at")


def my_open_tables(member: Member) -> QuerySet[Table]:
    """Tables where the member waits for others."""
    tables = Table.objects.filter(status=Table.Status.OPEN, seats__member=member, expires_at__gt=clock.now())
    return tables.prefetch_related("seats__member").order_by("opened_at")


def options_in_words(table: Table) -> list[tuple[str, str, str]]:
    """Label, value and explanation of every option of a table (message ids), in the order of the rules page."""
    options = titles.of(table.ruleset).OPTIONS
    return [
        (option.label, choice.label, option.help)
        for option in options
        if option.name in table.options and is_told(option, live=table.pace != "day")
        for choice in option.choices
        if same_value(choice.value, table.options[option.name])
    ]


def same_value(one: object, other: object) -> bool:
    """Equality that tells True from 1, as options do."""
    return type(one) is type(other) and one == other


def commitment(table: Table) -> str:
    """`S_0`: the club's seal on its secret, in hex (fairness.md 1)."""
    line = SetupLine.objects.values_list("line", flat=True).get(table=table, index=0)
    return json.loads(bytes(line))["s0"]


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A row of the lobby: a running match of the member, and the open turn that matters most there."""

    match: Match
    seats: tuple[Seat, ...]
    mine: Seat
    turn: Turn | None
    """My open turn, or the one the others are waited for."""

    @property
    def is_my_turn(self) -> bool:
        return self.turn is not None and self.turn.seat == self.mine.number


def my_matches(member: Member) -> list[MyMatch]:
    """All running matches of the member, never cut off: mine to move first, then by deadline."""
    mine = Match.objects.filter(status=Match.Status.RUNNING, table__seats__member=member)
    rows = [_my_match(match, member) for match in _with_people(mine)]
    return sorted(rows, key=_urgency)


def _with_people(matches: QuerySet[Match]) -> QuerySet[Match]:
    open_turns = Prefetch("turns", Turn.objects.filter(closed_at__isnull=True).order_by("due_at"), "open_turns")
    return matches.select_related("table").prefetch_related("table__seats__member", open_turns)


def _my_match(match: Match, member: Member) -> MyMatch:
    seats = tuple(match.table.seats.all())
    mine = next(seat for seat in seats if seat.member_id == member.pk)
    turns: list[Turn] = match.open_turns  # type: ignore[attr-defined]
    own = [turn for turn in turns if turn.seat == mine.number]
    return MyMatch(match, seats, mine, next(iter(own or turns), None))


def _urgency(row: MyMatch) -> tuple[bool, bool, datetime]:
    return (not row.is_my_turn, row.turn is None, row.turn.due_at if row.turn else row.match.moved_at)


def waiting_turns(member: Member) -> QuerySet[Turn]:
    """The open turns of this member in all matches, the one due first before the others."""
    seats = "match__table__seats__"
    mine = {seats + "member": member, seats + "number": F("seat"), seats + "left": ""}
    turns = Turn.objects.filter(closed_at__isnull=True, **mine)
    return turns.select_related("match__table").order_by("due_at")


def finished_matches(member: Member) -> QuerySet[Match]:
    """Matches of the member that are over, the latest first."""
    over = Match.objects.filter(table__seats__member=member, ended_at__isnull=False).order_by("-ended_at", "pk")
    return over.select_related("table").prefetch_related("table__seats__member")


# A match


def access_match(match_id: UUID, member: Member | None) -> tuple[Match, Seat]:
    """A match and the seat this member has there. Raises NotFound: unknown and not yours look the same."""
    match = Match.objects.select_related("table").filter(pk=match_id).first()
    if match is None or member is None:
        raise NotFound
    seat = Seat.objects.filter(table_id=match_id, member=member).select_related("member").first()
    if seat is None:
        raise NotFound
    return match, seat


@dataclass(frozen=True, slots=True)
class Told:
    """One event in sentences, for the history."""

    number: int
    at: datetime
    kind: str
    seat: int | None
    phrases: tuple[Phrase, ...]
    reasons: tuple[Phrase, ...]
    """Why it came to its numbers."""
    payload: Mapping[str, Json]
    """The public part of the event."""
    chosen: bool
    """A move that its member chose: not forced, not a bot's, not the club's."""

    @property
    def told(self) -> tuple[Phrase, ...]:
        """What happened, and where points were written, why."""
        return self.phrases + self.reasons if self.wrote else self.phrases

    @property
    def brief(self) -> tuple[Phrase, ...]:
        """As much as a narrow strip has room for: a move with its points, of anything else the first sentence."""
        return self.phrases if "points" in self.payload else self.phrases[:1]

    @property
    def wrote(self) -> bool:
        """Whether points were written."""
        return bool(self.payload.get("points") or any(self.payload.get("written", ())))


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal move and its words."""

    move: Move
    label: Phrase


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Everything a match page shows to one seat: made from `view`, public payloads and the seat's own secrets."""

    match: Match
    title: Title
    seats: tuple[Seat, ...]
    mine: Seat
    number: int
    """The event after which the position stands; less than `match.number` while looking back."""
    view: View
    scores: tuple[int, ...]
    """By side."""
    to_act: frozenset[int]
    offers: tuple[Offer, ...]
    turn: Turn | None
    """The open turn that is waited for, mine if it is mine."""
    history: tuple[Told, ...]

    @property
    def is_my_turn(self) -> bool:
        return self.turn is not None and self.turn.seat == self.mine.number

    @property
    def lapses_left(self) -> int | None:
        """How many more missed turns forfeit my seat, once there was one."""
        return None if self.match.is_over else lapses_left(self.match.table, self.mine)

    @property
    def is_latest(self) -> bool:
        return self.number == self.match.number

    @property
    def since(self) -> tuple[Told, ...]:
        """What happened after this seat's own last move; what the club played in its place is among it."""
        own = (told.number for told in self.history if told.chosen and told.seat == self.mine.number)
        last = max(own, default=0)
        return tuple(told for told in self.history if told.number > last)


def match_page(match: Match, mine: Seat, number: int | None = None) -> MatchPage:
    """The page of `match` for the seat `mine`, after event `number` (None: now)."""
    seats = tuple(Seat.objects.filter(table_id=match.pk).select_related("member").order_by("number"))
    events = store.load(match.pk)
    states = store.states_along(match, events)
    number = match.number if number is None else min(max(number, 1), match.number)
    latest, state = number == match.number, states[number]
    return MatchPage(
        match=match,
        title=state.title,
        seats=seats,
        mine=mine,
        number=number,
        view=state.title.view(state.position, mine.number),
        scores=state.scores(),
        to_act=state.to_act(),
        offers=offers(state, mine) if latest else (),
        turn=waited_for(match, mine),
        history=history(states, events, mine.number),
    )


def lapses_left(table: Table, seat: Seat) -> int | None:
    """How many more lapses forfeit the seat; None while there was none, or the seat is left."""
    if seat.left or not seat.lapses_in_match:
        return None
    return min(table.lapses_in_a_row - seat.lapses_in_a_row, table.lapses_in_match - seat.lapses_in_match)


def offers(state: MatchState, seat: Seat) -> tuple[Offer, ...]:
    """The moves this seat may make now."""
    if seat.left or seat.number not in state.to_act():
        return ()
    moves = state.title.legal_moves(state.position, seat.number)
    return tuple(Offer(move, state.title.label(state.position, seat.number, move)) for move in moves)


def waited_for(match: Match, mine: Seat) -> Turn | None:
    """The open turn that matters to this seat: its own, else the one due first."""
    turns = list(match.turns.filter(closed_at__isnull=True).order_by("due_at"))
    own = [turn for turn in turns if turn.seat == mine.number]
    return next(iter(own or turns), None)


def history(states: Sequence[MatchState], events: Sequence[store.Numbered], seat: int | None) -> tuple[Told, ...]:
    """Every event in sentences, as far as this seat may know it; `states` are those before each."""
    title = states[0].title
    shown = codec.publish(title, [numbered.event for numbered in events], seat)
    return tuple(
        _told(title, numbered, event, title.explain(state.position, event))
        for state, numbered, event in zip(states, events, shown, strict=False)
    )


def _told(title: Title, numbered: store.Numbered, event: Event, reasons: tuple[Phrase, ...] = ()) -> Told:
    chosen = engine.is_move(event) and "by" not in event.payload
    phrases = describe(title, event)
    return Told(numbered.number, numbered.at, event.kind, event.seat, phrases, reasons, event.payload, chosen)


def describe(title: Title, event: Event) -> tuple[Phrase, ...]:
    """What happened, whether the title or the match itself tells it."""
    return engine.describe(event) if event.kind in engine.OWN_KINDS else title.describe(event)


LATEST = 4
"""How far back the last thing worth telling may lie: after a round come its end, the next opening and forced moves."""


def latest(matches: Iterable[Match]) -> dict[UUID, Told]:
    """The last thing that happened in each match, told from its public part; openings say too little."""
    of = {match.pk: titles.of(match.table.ruleset) for match in matches}
    lines = {match_id: _worth_telling(of[match_id], tail) for match_id, tail in store.load_latest(of, LATEST).items()}
    return {match_id: told[-1] for match_id, told in lines.items() if told}


def _worth_telling(title: Title, tail: Sequence[store.Numbered]) -> list[Told]:
    public = [(numbered, replace(numbered.event, secret={})) for numbered in tail]
    told = [_told(title, numbered, event) for numbered, event in public if event.kind not in title.OPENS]
    return [line for line in told if line.phrases]


def result(match: Match) -> str:
    """The result of a match that is over, in one sentence."""
    outcome = match.outcome or {}
    seats = Seat.objects.filter(table_id=match.pk).order_by("number").values_list("member__name", flat=True)
    title = titles.of(match.table.ruleset)
    names = [joined([seats[seat] for seat in side]) for side in title.sides(match.table.options)]
    if not outcome["winners"]:
        return gettext("The match was annulled without blame.")
    won = joined([names[side] for side in outcome["winners"]])
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, outcome["scores"], strict=True))
    return gettext("Won by: %(names)s. Scores: %(scores)s.") % {"names": won, "scores": scores}


# The record


def record(match: Match, seat: int | None) -> dict:
    """The match record (match-record.md) as `seat` may have it; None: what anybody may know."""
    table = match.table
    title = titles.of(table.ruleset)
    stored = store.load(match.pk)
    setup = [
        bytes(line) for line in SetupLine.objects.filter(table=table).order_by("index").values_list("line", flat=True)
    ]
    return codec.record(
        match=table.id,
        title=title,
        pace=table.pace,
        options=table.options,
        seats=_names(match),
        stored=stored,
        viewer=seat,
        setup=setup,
        root=store.root_of(table),
        length=table.chain_length,
    )


def _names(match: Match) -> list[str]:
    return list(Seat.objects.filter(table_id=match.pk).order_by("number").values_list("member__name", flat=True))
