"""Matches for showing and for tests, made by playing moves through the services people use."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from club.members.models import Member
from games import services, store, titles
from games.models import Match, Seat


def seated(members: list[Member], title: str, **options: Any) -> Match:
    """A match that has just begun."""
    first, *others = members
    table = services.open_table(member=first, title=title, size=len(members), options=options)
    for member in others:
        services.take_seat(member=member, table_id=table.id)
    return Match.objects.select_related("table").get(pk=table.id)


def play(match: Match, moves: int | None = None, until: Member | None = None) -> Match:
    """Play by the titles' bots: `moves` moves (None: to the end), then on until it is the turn of `until`, if given."""
    done = 0
    while True:
        match.refresh_from_db()
        seats = list(Seat.objects.filter(table_id=match.pk).select_related("member").order_by("number"))
        if match.is_over:
            return match
        seat = seats[match.to_act[0]]
        if moves is not None and done >= moves and until in (None, seat.member):
            return match
        title = titles.of(match.table.ruleset)
        position = store.state_of(match, seats).position
        move = title.bot(title.view(position, seat.number), title.legal_moves(position, seat.number))
        services.play_move(match_id=match.pk, member=seat.member, move=move, seen=match.number, key=str(uuid4()))
        done += 1
