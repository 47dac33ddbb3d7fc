"""The kinds of notice the games send: when each is still true, and what it says at the moment of sending."""

from __future__ import annotations

from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import selectors, titles
from games.models import Match, Seat, Table, Turn
from games.phrases import Reader
from notifications import when
from notifications.kinds import Kind, Letter, register
from notifications.models import Notice

LAST_EVENTS = 6
"""Of how many of the latest events a mail tells."""


def _turn(notice: Notice) -> Turn:
    return Turn.objects.select_related("match__table").get(pk=notice.facts["turn"])


def _still_your_turn(notice: Notice) -> bool:
    """Still this member's turn? The letter names the deadline as it is when it is sent."""
    turn = _turn(notice)
    mine = Seat.objects.filter(table_id=turn.match_id, number=turn.seat, member_id=notice.member_id, left="").exists()
    return mine and turn.closed_at is None


def _still_low_time(notice: Notice) -> bool:
    """Still this member's turn, and still the deadline it was written for? A moved one has a notice of its own."""
    return _still_your_turn(notice) and _turn(notice).due_at == notice.due_at


def _always(notice: Notice) -> bool:
    return True


def _name(match: Match) -> str:
    return _(titles.of(match.table.ruleset).NAME)


def _letter(notice: Notice, match: Match, subject: str, lines: tuple[str, ...], button: str) -> Letter:
    return Letter(subject, lines, button, reverse("match", args=[match.pk]), quote=partial(_lately, match, notice))


def _lately(match: Match, notice: Notice) -> tuple[str, ...]:
    """What happened since the member's last move, as the own seat may know it; with the reasons for written points."""
    mine = Seat.objects.filter(table_id=match.pk, member_id=notice.member_id).first()
    if mine is None:
        return ()
    page = selectors.match_page(match, mine)
    reader = Reader.of(page)
    told = [event for event in page.since if event.phrases][-LAST_EVENTS:]
    return tuple(" ".join(map(reader.say, event.told)) for event in told)


def _your_turn(notice: Notice) -> Letter:
    turn = _turn(notice)
    due = when.local_time(turn.due_at, notice.member)
    subject = _("Your turn: %(title)s, until %(until)s") % {"title": _name(turn.match), "until": due}
    lines = (
        _("It is your turn. Until %(until)s.") % {"until": when.until(turn.due_at, notice.member)},
        *_warned(turn),
    )
    return _letter(notice, turn.match, subject, lines, _("Make a move"))


def _low_time(notice: Notice) -> Letter:
    turn = _turn(notice)
    due = when.local_time(turn.due_at, notice.member)
    subject = _("Your turn ends soon: %(title)s, until %(until)s") % {"title": _name(turn.match), "until": due}
    lines = (
        _("Your turn ends soon: until %(until)s.") % {"until": when.until(turn.due_at, notice.member)},
        _("If no move comes by then, the club plays for you."),
        *_warned(turn),
    )
    return _letter(notice, turn.match, subject, lines, _("Make a move"))


def _lapsed(notice: Notice) -> Letter:
    turn = _turn(notice)
    seat = Seat.objects.get(table_id=turn.match_id, number=turn.seat)
    subject = _("Your time was over: %(title)s") % {"title": _name(turn.match)}
    return _letter(notice, turn.match, subject, (*_what_now(turn.match.table, seat),), _("See the match"))


def _what_now(table: Table, seat: Seat) -> list[str]:
    if seat.left == Seat.Left.FORFEITED:
        return [_("Your turn ran out once more, so your seat is forfeited and the match counts as lost.")]
    played = _("Your turn ran out, so the club played for you.")
    left = selectors.lapses_left(table, seat)
    return [played] if left is None else [played, _left(left)]


def _left(left: int) -> str:
    return _("Missed turns until the seat is forfeited: %(left)s.") % {"left": left}


def _warned(turn: Turn) -> list[str]:
    """From the first lapse on every message says how many are left (time.md 2)."""
    seat = Seat.objects.get(table_id=turn.match_id, number=turn.seat)
    left = selectors.lapses_left(turn.match.table, seat)
    return [] if left is None else [_left(left)]


def _match_ended(notice: Notice) -> Letter:
    match = Match.objects.select_related("table").get(pk=notice.facts["match"])
    subject = _("The match is over: %(title)s") % {"title": _name(match)}
    return _letter(notice, match, subject, (selectors.result(match),), _("See the result and say a kind word"))


def _table_expired(notice: Notice) -> Letter:
    table = Table.objects.get(pk=notice.facts["table"])
    title = _(titles.of(table.ruleset).NAME)
    subject = _("Nobody came in time: %(title)s") % {"title": title}
    lines = (_("Your table waited as long as it could, and is closed now. Open another one whenever you like."),)
    return Letter(subject, lines, _("To the lobby"), reverse("lobby"))


register(Kind("your_turn", gettext_lazy("It is my turn"), _still_your_turn, _your_turn))
register(Kind("low_time", gettext_lazy("Four hours are left for my turn"), _still_low_time, _low_time))
register(Kind("lapsed", gettext_lazy("My turn ran out"), _always, _lapsed, always=True))
register(Kind("match_ended", gettext_lazy("A match of mine is over"), _always, _match_ended))
register(Kind("table_expired", gettext_lazy("A table of mine closed without a match"), _always, _table_expired))
