"""Ticks and pings of the worker. What is due stands in the database; none of these carries it."""

from __future__ import annotations

from celery import shared_task

from notifications import sending


@shared_task
def send_due() -> int:
    """Send what is due. Returns how many went out."""
    return sending.send_all()


@shared_task
def send_now(delivery_id: int) -> bool:
    """Send one delivery at once instead of at the next tick. Returns whether it went out."""
    return sending.send_one(delivery_id)
