"""What is written down to be told, and what members want to be told. All of it inside the caller's transaction."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from celery import current_app
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models.functions import Now

from club.members.models import Member
from notifications import kinds
from notifications.models import Channel, DeadAddress, Delivery, Notice, Preference

log = logging.getLogger(__name__)

TEST_EVERY = timedelta(minutes=10)
"""How often a member may ask for a test mail."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One thing to tell one member.

    Args:
        kind: slug of a registered kind.
        about: what it tells about, such as "turn:123"; the key to `cancel` it.
        send_at: not before; None: at once.
        due_at: the deadline it is written for; with member, kind and about it makes the notice one of its kind.
        thread: messages of one thread stand together in the mail program.
        facts: what the kind needs to compose the letter, as JSON. No secrets, no sentences.
    """

    member: Member
    kind: str
    about: str
    send_at: datetime | None = None
    due_at: datetime | None = None
    thread: str = ""
    facts: dict[str, Any] | None = None


# One statement for all notices and deliveries of a move. What makes a channel serve a member is asked a second time
# when a delivery is sent (sending.py); both must say the same.
_TELL = """
WITH telling AS (
    SELECT * FROM unnest(
        %(member)s::uuid[], %(kind)s::text[], %(about)s::text[], %(thread)s::text[], %(facts)s::text[],
        %(send_at)s::timestamptz[], %(due_at)s::timestamptz[]
    ) AS t (member_id, kind, about, thread, facts, send_at, due_at)
), notice AS (
    INSERT INTO notifications_notice (member_id, kind, about, thread, facts, send_at, due_at, created_at)
    SELECT member_id, kind, about, thread, facts::jsonb, coalesce(send_at, clock_timestamp()), due_at, clock_timestamp()
    FROM telling
    ON CONFLICT (member_id, kind, about, due_at) DO NOTHING
    RETURNING *
), delivery AS (
    INSERT INTO notifications_delivery (notice_id, channel, state, tries, next_try_at, why, message_id)
    SELECT notice.id, 'email', 'queued', 0, notice.send_at, '', gen_random_uuid()
    FROM notice JOIN members_member AS member ON member.id = notice.member_id
    WHERE member.is_active AND member.email <> '' AND member.email_confirmed
    AND NOT EXISTS (
        SELECT FROM notifications_deadaddress AS dead
        WHERE dead.member_id = member.id AND dead.address = member.email
    )
    AND (notice.kind = ANY(%(always)s::text[]) OR NOT EXISTS (
        SELECT FROM notifications_preference AS preference
        WHERE preference.member_id = member.id AND preference.kind = notice.kind
        AND preference.channel = 'email' AND NOT preference."on"
    ))
    RETURNING id, notice_id, next_try_at
)
SELECT notice.*, ARRAY(
    SELECT delivery.id FROM delivery
    WHERE delivery.notice_id = notice.id AND delivery.next_try_at <= clock_timestamp()
) AS due_now
FROM notice
"""

# A row another transaction holds is left alone: a move never waits for a notice. What is on its way at this very
# moment asks "still true?" itself.
_CANCEL = """
WITH unsent AS (
    SELECT delivery.id FROM notifications_delivery AS delivery
    JOIN notifications_notice AS notice ON notice.id = delivery.notice_id
    WHERE notice.about = ANY(%(about)s::text[]) AND delivery.state = 'queued'
    FOR UPDATE OF delivery SKIP LOCKED
), stopped AS (
    UPDATE notifications_delivery SET state = 'cancelled' WHERE id IN (SELECT id FROM unsent)
)
UPDATE notifications_notice AS notice SET cancelled_at = clock_timestamp()
WHERE about = ANY(%(about)s::text[]) AND cancelled_at IS NULL
AND NOT EXISTS (SELECT FROM notifications_delivery WHERE notice_id = notice.id AND state = 'sent')
"""


def tell(
    member: Member,
    kind: str,
    *,
    about: str,
    send_at: datetime | None = None,
    due_at: datetime | None = None,
    thread: str = "",
    facts: dict[str, Any] | None = None,
) -> Notice | None:
    """Write down one thing to tell (see Telling). Returns None when it was written before. Raises KeyError."""
    return next(iter(tell_all([Telling(member, kind, about, send_at, due_at, thread, facts)])), None)


def tell_all(tellings: Iterable[Telling]) -> list[Notice]:
    """Write notices and queue their deliveries in one query, in the caller's transaction; ping the worker on commit.

    A telling that was written before changes nothing. Returns the new notices. Raises KeyError for an unknown kind.
    """
    if not (rows := list(tellings)):
        return []
    for telling in rows:
        kinds.get(telling.kind)
    notices = list(Notice.objects.raw(_TELL, _columns(rows)))
    due_now = [pk for notice in notices for pk in notice.due_now]  # type: ignore[attr-defined]
    if due_now:
        transaction.on_commit(partial(_ping, due_now))
    return notices


def _columns(tellings: Sequence[Telling]) -> dict[str, list]:
    """The tellings as one array for each column."""
    return {
        "member": [telling.member.pk for telling in tellings],
        "kind": [telling.kind for telling in tellings],
        "about": [telling.about for telling in tellings],
        "thread": [telling.thread for telling in tellings],
        "facts": [json.dumps(telling.facts or {}, cls=DjangoJSONEncoder) for telling in tellings],
        "send_at": [telling.send_at for telling in tellings],
        "due_at": [telling.due_at for telling in tellings],
        "always": [kind.slug for kind in kinds.all() if kind.always],
    }


def _ping(deliveries: Iterable[int]) -> None:
    """Wake the worker. Redis may be away: the sweep finds the rows, and nobody's move fails for it."""
    try:
        for pk in deliveries:
            current_app.send_task("notifications.tasks.send_now", [pk], retry=False)
    except Exception as error:
        log.warning("the worker was not pinged, the sweep will find what is due: %s", type(error).__name__)


def cancel(*about: str) -> None:
    """Call off all unsent notices about these things, in one query, in the caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_CANCEL, {"about": list(about)})


def switch(member: Member, kind: str, channel: Channel, on: bool) -> None:
    """Let a member have one kind over one channel, or not. Raises KeyError for a kind that cannot be switched."""
    if kinds.get(kind).always:
        raise KeyError(kind)
    Preference.objects.update_or_create(member=member, kind=kind, channel=channel, defaults={"on": on})
    if on:
        catch_up(member)


def revive(member: Member) -> None:
    """The owner says that the address works again."""
    DeadAddress.objects.filter(member=member).delete()
    catch_up(member)


def catch_up(member: Member) -> None:
    """Mail has begun to serve the member: queue what was written before, as long as its deadline lies ahead.

    What was read on the site meanwhile is left out; whether mail serves each of them is asked when it is sent.
    """
    ahead = Notice.objects.filter(member=member, cancelled_at=None, read_at=None, deliveries=None, due_at__gt=Now())
    rows = [Delivery(notice=notice, channel=Channel.EMAIL, next_try_at=notice.send_at) for notice in ahead]
    Delivery.objects.bulk_create(rows, ignore_conflicts=True)


def bury(member: Member, address: str, why: str) -> None:
    """This address of the member was refused for good: nothing more goes there."""
    values = {"address": address, "why": why[:40], "since": Now()}
    DeadAddress.objects.update_or_create(member=member, defaults=values)


def send_test(member: Member) -> bool:
    """Queue a test mail. Returns False when one was asked for a short while ago, or no mail can reach the member."""
    lately = Notice.objects.filter(member=member, kind="test", created_at__gt=Now() - TEST_EVERY)
    if lately.exists():
        return False
    notice = tell(member, "test", about=f"test:{uuid4()}")
    return notice is not None and notice.deliveries.exists()


def mark_read(member: Member) -> None:
    """The member has seen the inbox."""
    unread = Notice.objects.filter(member=member, read_at=None, send_at__lte=Now())
    unread.update(read_at=Now())


def hand_over(guest: Member, member: Member, threads: Iterable[str]) -> None:
    """What is still to be told to a guest in these threads is told to the account that took over the seats."""
    pending = Notice.objects.filter(member=guest, thread__in=threads, cancelled_at=None)
    pending = pending.exclude(deliveries__state=Delivery.State.SENT)
    known = [kind.slug for kind in kinds.all()]
    rows = list(pending.filter(due_at__gt=Now(), kind__in=known))
    tell_all([Telling(member, n.kind, n.about, n.send_at, n.due_at, n.thread, n.facts) for n in rows])
    Delivery.objects.filter(notice__in=rows, state=Delivery.State.QUEUED).update(state=Delivery.State.CANCELLED)
    Notice.objects.filter(pk__in=[notice.pk for notice in rows]).update(cancelled_at=Now())
