"""The club's clock: the database's. Whether anything may expire, and what an outage gives back (reliability.md 3)."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import OuterRef, Subquery

from games.models import Heartbeat, Match, Outage, Turn
from notifications.when import ClockTimestamp, now

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=5)
"""A move that arrives so late still stands; the lock timeout of 3 s lies below it."""

FRESH = timedelta(seconds=90)
"""Without a synthetic move in this time nothing expires in day pace."""

GAP = timedelta(minutes=3)
"""A longer silence of the heartbeat is an outage in day pace."""

AFTERMATH = timedelta(minutes=10)
"""Lapses so soon after an outage count for nothing."""

DRIFT = timedelta(seconds=60)


def beat() -> None:
    """Record that a synthetic move went through; after a gap, record the outage first."""
    with transaction.atomic():
        moment = now()
        heart, created = Heartbeat.objects.select_for_update().get_or_create(pk=1, defaults={"beat_at": moment})
        if not created and moment - heart.beat_at > GAP:
            Outage.objects.create(began_at=heart.beat_at, ended_at=moment)
            log.warning("outage of %s recorded", moment - heart.beat_at)
        heart.beat_at = moment
        heart.save(update_fields=["beat_at"])


def may_expire(moment: datetime) -> bool:
    """Whether a turn may lapse at `moment`: a fresh heartbeat, no halt, no outage that is not yet given back."""
    heart = Heartbeat.objects.filter(pk=1).first()
    if heart is None or heart.halted_at or moment - heart.beat_at > FRESH:
        return False
    return not Outage.objects.filter(settled_at__isnull=True).exists()


def halt(why: str) -> None:
    """The breaker: nothing expires until a person resumes it."""
    Heartbeat.objects.filter(pk=1, halted_at__isnull=True).update(halted_at=ClockTimestamp(), halted_why=why[:80])
    log.critical("expiry halted: %s", why)


def resume() -> bool:
    """A person lets turns expire again. Returns whether expiry was halted."""
    halted = Heartbeat.objects.filter(pk=1, halted_at__isnull=False)
    return bool(halted.update(halted_at=None, halted_why="", resumed_at=ClockTimestamp()))


def resumed_at() -> datetime | None:
    """When a person last let turns expire again."""
    return Heartbeat.objects.filter(pk=1).values_list("resumed_at", flat=True).first()


def blameless(opened_at: datetime, moment: datetime) -> bool:
    """Whether a lapse at `moment` of a turn opened at `opened_at` touches an outage or its aftermath (P8)."""
    return Outage.objects.filter(began_at__lt=moment, ended_at__gt=max(opened_at, moment - AFTERMATH)).exists()


def given_back(due_at: datetime, opened_at: datetime, outage: Outage) -> datetime:
    """The deadline after an outage: moved by the gap, and not earlier than half the gap after it, 30 min to 8 h."""
    lost = outage.ended_at - max(outage.began_at, opened_at)
    gap = outage.ended_at - outage.began_at
    rest = min(max(gap / 2, timedelta(minutes=30)), timedelta(hours=8))
    return max(due_at + lost, outage.ended_at + rest)


def unsettled() -> Outage | None:
    """The oldest outage whose time has not been given back everywhere."""
    return Outage.objects.filter(settled_at__isnull=True).order_by("began_at").first()


def touched(outage: Outage) -> list:
    """The running matches with a turn that lost time in `outage` and has not got it back."""
    first_turn = Turn.objects.filter(match=OuterRef("pk"), closed_at__isnull=True, opened_at__lt=outage.ended_at)
    given = Match.objects.filter(status=Match.Status.RUNNING).exclude(settled_outage__gte=outage.pk)
    rows = given.annotate(turn=Subquery(first_turn.values("pk")[:1])).filter(turn__isnull=False)
    return list(rows.values_list("pk", flat=True))


class DriftGuard:
    """Notices a step of the database clock against this process's monotonic clock between two ticks (B12)."""

    def __init__(self) -> None:
        self._last: tuple[datetime, float] | None = None

    def steady(self, moment: datetime) -> bool:
        tick = time.monotonic()
        last, self._last = self._last, (moment, tick)
        if last is None:
            return True
        drift = (moment - last[0]) - timedelta(seconds=tick - last[1])
        return abs(drift) <= DRIFT
