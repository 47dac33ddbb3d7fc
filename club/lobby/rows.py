"""The rows of the lobby: a match or a table in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from club.members.models import Member
from games import selectors, titles
from games.engine.contract import Title
from games.models import Match, Seat, Table, Turn
from games.phrases import Reader
from games.selectors import Told
from games.templatetags.say import Writer


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as its member sees it in a list; `scores` begin with the member's own side."""

    match: Match
    title: Title
    opponents: list[Member]
    partners: list[Member]
    scores: list[int]
    turn: Turn | None
    is_mine: bool
    last: SafeString | None
    """The last thing that happened, in one sentence."""
    won: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """An open table: who sits there, and what differs from the usual."""

    table: Table
    title: Title
    members: list[Member]
    unusual: list[tuple[str, str]]

    @property
    def hours(self) -> int:
        return self.table.turn_seconds // 3600


def running(member: Member) -> list[MatchRow]:
    """All running matches of the member, those that wait for the member first; never cut off."""
    mine = selectors.my_matches(member)
    told = selectors.latest(row.match for row in mine)
    return [_row(row.match, row.seats, row.mine, told, row.turn, row.is_my_turn) for row in mine]


def finished(matches: Iterable[Match], member: Member) -> list[MatchRow]:
    """Matches that are over."""
    return [_finished(match, member) for match in matches]


def _finished(match: Match, member: Member) -> MatchRow:
    seats = tuple(match.table.seats.all())
    return _row(match, seats, next(seat for seat in seats if seat.member_id == member.pk), {})


def _row(
    match: Match,
    seats: Sequence[Seat],
    mine: Seat,
    told: dict,
    turn: Turn | None = None,
    is_mine: bool = False,
) -> MatchRow:
    title = titles.of(match.table.ruleset)
    sides = title.sides(match.table.options)
    own = next(side for side, members in enumerate(sides) if mine.number in members)
    others = [side for side in range(len(sides)) if side != own]
    return MatchRow(
        match=match,
        title=title,
        opponents=[seat.member for seat in seats if seat.number not in sides[own]],
        partners=[seat.member for seat in seats if seat.number in sides[own] and seat != mine],
        scores=[match.scores[side] for side in (own, *others)],
        turn=turn,
        is_mine=is_mine,
        last=_sentence(told.get(match.pk), Reader([seat.member.name for seat in seats], sides)),
        won=own in (match.outcome or {"winners": ()})["winners"],
    )


def _sentence(told: Told | None, reader: Reader) -> SafeString | None:
    return Writer.like(reader).say(told.phrases[0]) if told else None


def tables(found: Iterable[Table]) -> list[TableRow]:
    """Open tables."""
    return [_table(table) for table in found]


def _table(table: Table) -> TableRow:
    title = titles.of(table.ruleset)
    usual = {option.label: option.default for option in title.OPTIONS}
    labels = {option.label: {choice.label: choice.value for choice in option.choices} for option in title.OPTIONS}
    unusual = [
        (label, value)
        for label, value, _help in selectors.options_in_words(table)
        if not selectors.same_value(labels[label][value], usual[label])
    ]
    return TableRow(table, title, [seat.member for seat in table.seats.all()], unusual)
