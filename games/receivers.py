"""What the club tells people about their matches: rows written with the move itself, sent after it."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.dispatch import receiver

from club.members.models import Member
from club.members.signals import guest_counted, guest_merged
from games import selectors, signals
from games.models import Match, Seat, Table, Turn
from notifications.services import Telling, cancel, hand_over, tell_all

LOW_TIME = timedelta(hours=4)


@receiver(signals.turn_opened)
def tell_turn(match: Match, turn: Turn, seat: Seat, **_: object) -> None:
    """Your turn, now; and a reminder four hours before the deadline, written ahead."""
    _tell_turn(match, turn, seat.member, with_your_turn=True)


@receiver(signals.deadline_moved)
def tell_moved(match: Match, turn: Turn, seat: Seat, **_: object) -> None:
    """A moved deadline arms its reminder anew; the one written for the old deadline is no longer true."""
    _tell_turn(match, turn, seat.member, with_your_turn=False)


def _tell_turn(match: Match, turn: Turn, member: Member, with_your_turn: bool) -> None:
    facts = {"match": str(match.pk), "turn": turn.pk}
    about, thread = selectors.about_turn(turn.pk), str(match.pk)
    tellings = [
        Telling(
            member, "low_time", about, send_at=turn.due_at - LOW_TIME, due_at=turn.due_at, thread=thread, facts=facts
        )
    ]
    if with_your_turn:
        tellings.append(Telling(member, "your_turn", about, due_at=turn.due_at, thread=thread, facts=facts))
    tell_all(tellings)


@receiver(signals.turns_closed)
def cancel_reminders(turns: list[Turn], **_: object) -> None:
    cancel(*(selectors.about_turn(turn.pk) for turn in turns))


@receiver(signals.turn_lapsed)
def tell_lapse(match: Match, turn: Turn, seat: Seat, **_: object) -> None:
    """Told at once what was played, and how many lapses are left."""
    facts = {"match": str(match.pk), "turn": turn.pk, "number": match.number}
    tell_all([Telling(seat.member, "lapsed", selectors.about_turn(turn.pk), thread=str(match.pk), facts=facts)])


@receiver(signals.match_ended)
def tell_end(match: Match, **_: object) -> None:
    facts = {"match": str(match.pk)}
    seats = Seat.objects.filter(table_id=match.pk).select_related("member")
    tell_all(
        [Telling(seat.member, "match_ended", f"match:{match.pk}", thread=str(match.pk), facts=facts) for seat in seats]
    )


@receiver(signals.table_expired)
def tell_expired(table: Table, **_: object) -> None:
    seats = table.seats.select_related("member")
    facts = {"table": str(table.pk)}
    tell_all([Telling(seat.member, "table_expired", f"table:{table.pk}", facts=facts) for seat in seats])


@receiver(guest_counted)
def count_seats(guest: Member, **_: object) -> int:
    """How many seats a guest would bring to an account."""
    return Seat.objects.filter(member=guest).count()


@receiver(guest_merged)
def move_seats(guest: Member, member: Member, **_: object) -> None:
    """A guest's seats move to the account with what is still to be told, except where the account sits as well.

    The tables are locked before the seats, as by whoever sits down or gets up there: so nobody waits in a ring.
    """
    sits = Seat.objects.filter(member=guest).values("table_id")
    tables = Table.objects.filter(Q(opener=guest) | Q(pk__in=sits)).order_by("pk")
    list(tables.select_for_update(no_key=True).values_list("pk"))
    taken = Seat.objects.filter(member=member).values("table_id")
    moving = Seat.objects.filter(member=guest).exclude(table_id__in=taken)
    threads = [str(table) for table in moving.values_list("table_id", flat=True)]
    moving.update(member=member)
    Table.objects.filter(opener=guest).update(opener=member)
    hand_over(guest, member, threads)
