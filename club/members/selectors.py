"""Reading members."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from club.members.folding import fold, skeleton
from club.members.models import Member, RecoveryToken
from club.members.signals import guest_counted

ACCOUNTS_OF_AN_INBOX = 5


def by_login(login: str) -> list[Member | None]:
    """Whose password a login may mean, always as many for a name (one) and for a mail address (two).

    An address means the member who confirmed it, and the latest who claims it: a claim must work like any other, or
    it would tell whether the address is already somebody's.
    """
    key = fold(" ".join(login.split()))
    if "\x00" in key or not key:
        return [None]
    if "@" not in key:
        return [Member.objects.filter(name_key=key).first()]
    claims = Member.objects.filter(email_key=key, is_guest=False).order_by("-joined_at")
    return [claims.filter(email_confirmed=True).first(), claims.filter(email_confirmed=False).first()]


def by_address(address: str) -> list[Member]:
    """Who can be helped back in by a mail to this address: its owner, or else the latest who claim it."""
    claims = Member.objects.filter(email_key=fold(address), is_active=True).order_by("-joined_at")
    return list(claims.filter(email_confirmed=True)) or list(claims[:ACCOUNTS_OF_AN_INBOX])


def is_free(name: str, but: Member | None = None) -> bool:
    """Whether nobody but `but` has the name, or one that folds or looks like it."""
    others = Member.objects.exclude(pk=but.pk) if but else Member.objects.all()
    return not (others.filter(name_key=fold(name)).exists() or others.filter(name_skeleton=skeleton(name)).exists())


def guest(pk: str | UUID, lock: bool = False) -> Member | None:
    """An open guest row, or None; locked until the transaction ends, if that is asked for."""
    rows = Member.objects.select_for_update(no_key=True) if lock else Member.objects.all()
    return rows.filter(pk=pk, is_guest=True, is_active=True).first()


def count_of(guest: Member) -> int:
    """How many seats a guest has, as the apps above say."""
    return sum(int(number or 0) for _, number in guest_counted.send(Member, guest=guest))


def recoverable(digest: str) -> Member | None:
    """The guest whom the unused recovery link with this digest belongs to, or None."""
    found = RecoveryToken.objects.filter(
        digest=digest, used_at=None, expires_at__gt=timezone.now(), member__is_guest=True, member__is_active=True
    )
    return next((row.member for row in found.select_related("member")), None)
