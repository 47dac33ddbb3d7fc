"""Ticks of the worker. Each asks the database what is due; none carries a deadline itself."""

from __future__ import annotations

import logging

import httpx
from celery import shared_task
from django.conf import settings
from django.urls import reverse

from games import clock, heartbeat, services
from games.models import Match, Table, Turn

log = logging.getLogger(__name__)

BATCH = 500

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
    due = Turn.objects.filter(closed_at__isnull=True, due_at__lt=moment - clock.GRACE).order_by("due_at")
    turns = list(due.values_list("pk", flat=True)[:BATCH])
    if len(turns) > breaker():
        clock.halt(f"{len(turns)} turns due at once")
        return 0
    return sum(_safely(turn) for turn in turns)


def give_back_outages() -> None:
    """Move every running deadline by the gap of each outage, oldest first, before anything may expire."""
    while (outage := clock.unsettled()) is not None:
        for match_id in clock.touched(outage):
            services.give_back(match_id, outage)
        services.settle(outage)


def breaker() -> int:
    """More turns due in one sweep than this stop it: something is wrong with us, not with them."""
    return max(20, Match.objects.filter(status=Match.Status.RUNNING).count() // 20)


def _safely(turn: int) -> bool:
    """One turn's failure must not keep the others waiting."""
    try:
        return services.expire_turn(turn)
    except Exception:
        log.exception("turn %s could not lapse", turn)
        return False


@shared_task
def expire_tables() -> int:
    """Close open tables whose time is over. Returns how many."""
    waiting = Table.objects.filter(status=Table.Status.OPEN, expires_at__lte=clock.now())
    return sum(services.expire_table(table) for table in waiting.values_list("pk", flat=True)[:BATCH])


@shared_task
def probe() -> None:
    """Make the synthetic move through the public door; only its success lets turns expire (reliability.md 3)."""
    address = settings.PROBE_URL + reverse("heartbeat")
    answer = httpx.post(address, headers={"Authorization": heartbeat.token()}, timeout=10, trust_env=False)
    if answer.status_code != 204:
        log.error("the synthetic move failed: %s", answer.status_code)
