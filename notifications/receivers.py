"""What notifications does at news from members."""

from __future__ import annotations

from django.dispatch import receiver

from club.members.models import Member
from club.members.signals import guest_merged
from notifications import services


@receiver(guest_merged)
def hand_over(guest: Member, member: Member, **_: object) -> None:
    services.hand_over(guest, member)
