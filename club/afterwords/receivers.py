"""What kind words hear from members."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.dispatch import receiver

from club.afterwords.models import Afterword
from club.members.models import Member
from club.members.signals import guest_merged
from games.models import Seat


@receiver(guest_merged)
def move_words(guest: Member, member: Member, **_: object) -> None:
    """Words go with their seats. The games heard first, so a seat that could move is the member's already."""
    for who in ("author", "reader"):
        moved = Seat.objects.filter(table_id=OuterRef("match_id"), number=OuterRef(f"{who}_seat"), member=member)
        Afterword.objects.filter(Exists(moved), **{who: guest}).update(**{who: member})
