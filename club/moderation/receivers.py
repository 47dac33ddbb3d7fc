"""What moderation hears from members."""

from __future__ import annotations

from django.db.models import F
from django.dispatch import receiver

from club.members.models import Member
from club.members.signals import guest_merged
from club.moderation import identity, services, stafflog
from club.moderation.models import Case


@receiver(guest_merged)
def move_complaints(guest: Member, member: Member, **_: object) -> None:
    """What a guest complained of, and what a guest is accused of, goes on with the account."""
    stafflog.lock()
    identity.hand_over(guest, member)
    old = Case.objects.filter(accused=guest, status=Case.Status.OPEN).first()
    into = Case.objects.filter(accused=member, status=Case.Status.OPEN).first()
    if old and into:
        _gather(old, into)
    Case.objects.filter(accused=guest).update(accused=member, version=F("version") + 1)


def _gather(old: Case, into: Case) -> None:
    """There is one open case on a member: the complaints of the other one join it."""
    old.complaints.update(case=into)
    into.due_at = min(into.due_at, old.due_at)
    into.version += 1
    into.save(update_fields=["due_at", "version"])
    stafflog.write("gathered", into.pk, old=str(old.pk))
    old.delete()
    services.call(into)
