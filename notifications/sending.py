"""One delivery from queued to its end.

A worker claims a row by a lease and holds no lock while it talks to a mail server: a server that hangs must not stop
the move that wants to call its notice off. The claim is committed before anything else, so that a row that kills its
worker is counted too. What lies between the server's 250 and our COMMIT may be sent twice, with the same Message-ID.
"""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils import timezone, translation

from notifications import kinds, services
from notifications.channels import Later, Refused, Unreachable, email
from notifications.models import Delivery

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
"""How long a claim lasts: longer than a task may run, so no two workers have the same row."""

WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 60, 60, 60, 60))
"""Before each further try; in all less than the six hours a mail may be late."""

RUN = 30.0
"""Seconds in which a run starts another delivery: the last one needs the rest of the task's minute."""

State = Delivery.State


def send_all() -> int:
    """Send what is due, one after the other, until nothing is or the run is over. Returns how many went out."""
    end = time.monotonic() + RUN
    sent = 0
    with email.Post() as post:
        while time.monotonic() < end and (delivery := claim()) is not None:
            try:
                sent += _send(delivery, post)
            except Unreachable:
                break
    return sent


def send_one(pk: int) -> bool:
    """Send this delivery if it is due and nobody else has it. Returns whether it went out."""
    if (delivery := claim(pk=pk)) is None:
        return False
    with email.Post() as post:
        try:
            return _send(delivery, post)
        except Unreachable:
            return False


@transaction.atomic
def claim(**which: Any) -> Delivery | None:
    """Take the delivery that has been due longest: until the lease ends nobody else sees it as due."""
    delivery = due().filter(**which).select_for_update(skip_locked=True).first()
    if delivery is None:
        return None
    _mine(delivery).update(tries=F("tries") + 1, next_try_at=Now() + LEASE)
    delivery.tries += 1
    return delivery


def due() -> QuerySet[Delivery]:
    """Queued deliveries whose time has come, the longest waiting first."""
    return Delivery.objects.filter(state=State.QUEUED, next_try_at__lte=Now()).order_by("next_try_at")


def _mine(delivery: Delivery) -> QuerySet[Delivery]:
    """The row, as long as this claim is the latest and nobody called it off."""
    return Delivery.objects.filter(pk=delivery.pk, state=State.QUEUED, tries=delivery.tries)


def _send(delivery: Delivery, post: email.Post) -> bool:
    """Try one claimed delivery. Raises Unreachable, once the row waits for its next try."""
    try:
        mail = _written(delivery)
    except Exception as error:
        # A letter that cannot be written must not keep the others waiting.
        log.exception("delivery %s cannot be written", delivery.pk)
        _put_off(delivery, type(error).__name__)
        return False
    return mail is not None and _posted(delivery, mail, post)


def _posted(delivery: Delivery, mail: EmailMultiAlternatives, post: email.Post) -> bool:
    try:
        post.send(mail)
    except Refused as error:
        _refuse(delivery, mail, error)
    except Later as error:
        _put_off(delivery, str(error))
    except Unreachable as error:
        _put_off(delivery, str(error))
        raise
    else:
        Delivery.objects.filter(pk=delivery.pk).update(state=State.SENT, sent_at=Now(), why="")
        return True
    return False


def _written(delivery: Delivery) -> EmailMultiAlternatives | None:
    """The mail as it has to be said now; None when there is nothing to say any more."""
    mine = _mine(delivery).filter(next_try_at__gt=Now())
    if (fresh := email.served(mine).select_related("notice__member").first()) is None:
        mine.update(state=State.CANCELLED)
        return None
    member = fresh.notice.member
    kind = kinds.get(fresh.notice.kind)
    if not kind.still_true(fresh.notice):
        mine.update(state=State.STALE)
        return None
    with translation.override(member.language), timezone.override(member.zone):
        return email.message(fresh, kind.compose(fresh.notice))


def _put_off(delivery: Delivery, why: str) -> None:
    """Another try later, or none any more."""
    if delivery.tries > len(WAITS):
        log.error("delivery %s given up: %s", delivery.pk, why)
        _mine(delivery).update(state=State.FAILED, why=why[:40])
        return
    log.warning("delivery %s put off: %s", delivery.pk, why)
    wait = WAITS[delivery.tries - 1]
    _mine(delivery).update(next_try_at=Now() + wait, why=why[:40])


def _refuse(delivery: Delivery, mail: EmailMultiAlternatives, error: Refused) -> None:
    log.warning("delivery %s refused: %s", delivery.pk, error)
    _mine(delivery).update(state=State.FAILED, why=str(error)[:40])
    if error.for_good:
        services.bury(delivery.notice.member, mail.to[0], str(error))
