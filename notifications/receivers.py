"""What notifications does at news from members."""

from __future__ import annotations

from django.dispatch import receiver

from club.members.models import Member
from club.members.signals import address_confirmed
from notifications import services


@receiver(address_confirmed)
def catch_up(member: Member, **_: object) -> None:
    services.catch_up(member)
