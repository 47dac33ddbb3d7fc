"""The log of what staff did: append-only, each line chained to the one before (security.md 6)."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.db import connection

from club.members.models import Member
from club.moderation.models import StaffLog
from games import clock
from games.engine import chance
from games.store import stamp

_LOCK = 0x57AFF
"""The number of the advisory lock under which the log grows."""


def lock() -> None:
    """Hold the log until the transaction ends. All acts at the desk take this first, so nobody waits in a ring."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def write(act: str, case: UUID, actor: Member | None = None, **facts: Any) -> None:
    """Append one line; the caller holds the lock. No texts and no complainant in it: they are kept for less long."""
    last = StaffLog.objects.order_by("-number").first()
    row = StaffLog(
        number=last.number + 1 if last else 1,
        at=clock.now().replace(microsecond=0),
        actor=actor,
        act=act,
        case=case,
        facts=facts,
    )
    row.line = _line(row)
    row.digest = _link(row.number, bytes(last.digest) if last else bytes(chance.SIZE), row.line)
    row.save(force_insert=True)


def _line(row: StaffLog) -> bytes:
    entry = {
        "number": row.number,
        "at": stamp(row.at),
        "actor": str(row.actor_id) if row.actor_id else None,
        "act": row.act,
        "case": str(row.case),
        "facts": dict(sorted(row.facts.items())),
    }
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()


def _link(number: int, previous: bytes, line: bytes) -> bytes:
    """The chain of fairness.md 4 with the tag `staff`; the log belongs to no match, so no match id stands in it."""
    return chance.sha(chance.tag("staff") + chance.u32(number - 1) + previous + chance.sha(line))


def first_broken() -> int | None:
    """The number of the first row that was edited, swapped, inserted or lost; None: the chain holds to its end."""
    previous = bytes(chance.SIZE)
    for number, row in enumerate(StaffLog.objects.order_by("number").iterator(), start=1):
        line, digest = bytes(row.line), bytes(row.digest)
        if row.number != number or line != _line(row) or digest != _link(number, previous, line):
            return number
        previous = digest
    return None


def head() -> str:
    """Number and digest of the last line, as they are written down outside the house."""
    last = StaffLog.objects.order_by("-number").first()
    return f"{last.number} {bytes(last.digest).hex()}" if last else f"0 {bytes(chance.SIZE).hex()}"
