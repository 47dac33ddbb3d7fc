"""Ticks of the worker. Each asks the database what is due; none carries a deadline itself."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
from celery import shared_task
from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from games import clock, heartbeat, services
from games.models import Match, Table, Turn

log = logging.getLogger(__name__)

BATCH = 500

CANARY = timedelta(seconds=300)
"""A turn overdue by more than this should have lapsed long ago: somebody has to look."""

_guard = clock.DriftGuard()


@shared_task
def sweep() -> int:
    """Give back what an outage took, then let due turns lapse. Returns how many lapsed."""
    moment = clock.now()
    if not _guard.steady(moment):
        log.critical("the database clock moved against ours; nothing expires in this tick")
        return 0
    give_back_outages()
    if not clock.may_expire(moment):
        return 0
    due = Turn.objects.filter(closed_at__isnull=True, due_at__lt=moment - clock.GRACE)
    if (many := _unforeseen(due).count()) > breaker():
        clock.halt(f"{many} turns due at once")
        return 0
    if overdue := due.filter(due_at__lt=moment - CANARY).count():
        log.error("turns overdue by more than %s: %s", CANARY, overdue)
    turns = due.order_by("due_at").values_list("pk", flat=True)[:BATCH]
    return sum(_safely(services.expire_turn, turn) for turn in turns)


def _unforeseen(due: QuerySet[Turn]) -> QuerySet[Turn]:
    """Without those that a person has seen due, who then let them expire."""
    resumed = clock.resumed_at()
    return due.filter(due_at__gt=resumed) if resumed else due


def give_back_outages() -> None:
    """Move every running deadline by the gap of each outage, oldest first, before anything may expire."""
    while (outage := clock.unsettled()) is not None:
        for match_id in clock.touched(outage):
            services.give_back(match_id, outage)
        services.settle(outage)


def breaker() -> int:
    """More turns due in one sweep than this stop it: something is wrong with us, not with them."""
    return max(20, Match.objects.filter(status=Match.Status.RUNNING).count() // 20)


def _safely(expire: Callable[[Any], bool], which: Any) -> bool:
    """One failure must not keep the others waiting."""
    try:
        return expire(which)
    except Exception:
        log.exception("%s failed for %s", expire.__name__, which)
        return False


@shared_task
def expire_tables() -> int:
    """Close open tables whose time is over. Returns how many."""
    waiting = Table.objects.filter(status=Table.Status.OPEN, expires_at__lte=clock.now())
    return sum(_safely(services.expire_table, table) for table in waiting.values_list("pk", flat=True)[:BATCH])


@shared_task
def probe() -> None:
    """Make the synthetic move through the public door; only its success lets turns expire (reliability.md 3)."""
    address = settings.PROBE_URL + reverse("heartbeat")
    answer = httpx.post(address, headers={"Authorization": heartbeat.token()}, timeout=10, trust_env=False)
    if answer.status_code != 204:
        log.error("the synthetic move failed: %s", answer.status_code)
