"""Moments as people read them: in the member's language and zone, with the city. Also the clock: the database's."""

from __future__ import annotations

from datetime import datetime, timedelta

from babel.dates import format_datetime, get_timezone_location
from django.db import connection
from django.db.models import DateTimeField, Func
from django.utils.translation import gettext as _

from club.members.models import Member

# CLDR's order of weekday, day and month for each language, always with 24 hours.
_PATTERNS = {"ru": "ccc d MMM, HH:mm", "az": "d MMM, E, HH:mm", "tr": "d MMM E, HH:mm"}
_PATTERN = "E d MMM, HH:mm"


class ClockTimestamp(Func):
    """`clock_timestamp()`: the moment itself, after any waiting for a lock.

    To look for what is due use Django's `Now()`, the start of the statement: PostgreSQL searches no index for a value
    that changes from row to row.
    """

    function = "clock_timestamp"
    output_field = DateTimeField()


def now() -> datetime:
    """The database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


def local_time(moment: datetime, member: Member) -> str:
    """A moment in the member's language and zone: "Tue 1 Dec, 21:40 (Baku)"."""
    pattern = _PATTERNS.get(member.language, _PATTERN)
    said = format_datetime(moment, pattern, tzinfo=member.zone, locale=member.language)
    return f"{said} ({city(member)})"


def city(member: Member) -> str:
    """The member's zone as people call it: by its city."""
    return get_timezone_location(member.zone, locale=member.language, return_city=True)


def until(moment: datetime, member: Member) -> str:
    """A deadline for a sentence: "Tue 1 Dec, 21:40 (Baku), in 23 h 59 min"; once it is over, the moment alone."""
    said = local_time(moment, member)
    left = moment - now()
    if left <= timedelta():
        return said
    return _("%(moment)s, in %(left)s") % {"moment": said, "left": span(left)}


def span(left: timedelta) -> str:
    """A length of time, rounded down so that nobody is promised more than there is: "23 h 59 min", "3 d 2 h"."""
    minutes = int(left.total_seconds()) // 60
    if minutes < 1:
        return _("less than 1 min")
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return _joined((hours, _("%(count)d h")), (minutes, _("%(count)d min")))
    days, hours = divmod(hours, 24)
    return _joined((days, _("%(count)d d")), (hours, _("%(count)d h")))


def _joined(*parts: tuple[int, str]) -> str:
    """The abbreviated units have no plural. A part that is zero is not said; numbers stay with their units."""
    return " ".join((text % {"count": count}).replace(" ", "\N{NO-BREAK SPACE}") for count, text in parts if count)
