"""Writing members: guests, accounts, names, addresses, recovery, merging."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from uuid import UUID
from zoneinfo import available_timezones

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from club.members import guestnames, selectors, tasks
from club.members.folding import fold
from club.members.models import Member, RecoveryToken
from club.members.signals import address_confirmed, guest_merged
from club.members.text import BadText, clean_name
from club.members.tokens import Claim


def enter_as_guest(*, language: str, zone: str) -> Member:
    """A new guest with a friendly name in `language`; `zone` as the browser says, UTC if that is no zone."""
    for name in guestnames.suggestions(language):
        try:
            with transaction.atomic():
                return Member.objects.create_user(
                    name, is_guest=True, language=_language(language), time_zone=zone if is_zone(zone) else "UTC"
                )
        except IntegrityError:
            continue  # taken, or looks like a name that is: the next one
    raise AssertionError("suggestions never end")


def sign_up(
    *, name: str, password: str, address: str, language: str, zone: str = "", guest: Member | None = None
) -> Member:
    """A new account; of a guest the same row goes on, with seats and history.

    The address is only claimed until the mail sent to it is answered. Raises BadText on a name that is not taken.
    """
    name = clean_name(name)
    with transaction.atomic():
        member = selectors.guest(guest.pk, lock=True) if guest else Member()
        if not member:
            raise BadText("taken")  # the same form was sent twice, and this is the second
        member.is_guest = False
        if not guest:
            member.language, member.time_zone = _language(language), zone if is_zone(zone) else "UTC"
        if address and not member.email_confirmed:
            member.email = address
        member.set_password(password)
        _save_name(member, name)
        member.recovery_tokens.all().delete()  # the password takes their place
        if address:
            _later(tasks.send_confirmation, str(member.pk), address)
    return member


def rename(member: Member, name: str) -> None:
    """Show another name from now on. Raises BadText."""
    _save_name(member, clean_name(name))


def set_language(member: Member, language: str) -> None:
    member.language = _language(language)
    member.save(update_fields=["language"])


def guess_zone(member: Member, zone: str) -> None:
    """What the browser says; it never overrules what the member chose."""
    if is_zone(zone) and not member.zone_chosen and member.time_zone != zone:
        member.time_zone = zone
        member.save(update_fields=["time_zone"])


def choose_zone(member: Member, zone: str) -> None:
    """`zone` is one of `zones()`."""
    member.time_zone, member.zone_chosen = zone, True
    member.save(update_fields=["time_zone", "zone_chosen"])


def give_address(member: Member, address: str) -> None:
    """Ask by mail whether `address` is the member's; until then a confirmed one before it stays."""
    with transaction.atomic():
        if not member.email_confirmed:
            member.email = address
            member.save(update_fields=["email"])
        _later(tasks.send_confirmation, str(member.pk), address)


def confirm_address(claim: Claim) -> bool:
    """The answer to that mail. False if it comes too late: another address was given, or it is somebody else's."""
    key = fold(claim.address)
    if not key:
        return False
    with transaction.atomic():
        member = Member.objects.select_for_update(no_key=True).filter(pk=claim.member_id, is_active=True).first()
        if not member or member.email_key not in {claim.before, key}:
            return False
        others = Member.objects.filter(email_key=key).exclude(pk=member.pk)
        if others.filter(email_confirmed=True).exists():
            return False
        others.update(email="", email_key="")  # they claimed an inbox that is not theirs
        member.email, member.email_confirmed = claim.address, True
        member.save(update_fields=["email", "email_confirmed"])
        address_confirmed.send(Member, member=member)
    return True


def set_password(member: Member, password: str) -> None:
    """All sessions of the member end, as each is bound to the password; the caller renews its own."""
    member.set_password(password)
    member.save(update_fields=["password"])


def reset_password(member: Member, password: str) -> None:
    """A new password by the link of a mail, which also shows whose inbox it is."""
    with transaction.atomic():
        set_password(member, password)
        confirm_address(Claim(member.pk, member.email, member.email_key))


def ask_reset(address: str) -> None:
    """A mail to whoever can be helped back in. What happens here does not depend on whether there is anybody."""
    _later(tasks.send_ways_in, address)


def warn_of_tries(login: str) -> None:
    """A mail to the owner of an account whose password somebody is trying, if there is one."""
    _later(tasks.send_warning, login)


def mail_recovery(guest: Member, address: str) -> None:
    """Send a recovery link to an address, which is not stored."""
    _later(tasks.send_recovery, str(guest.pk), address)


def use_recovery(digest: str) -> Member | None:
    """The guest whom the link with this digest gives back, once; None if it is used, old or unknown."""
    with transaction.atomic():
        row = RecoveryToken.objects.select_for_update().filter(digest=digest, used_at=None).first()
        if not row or not (guest := selectors.recoverable(digest)):
            return None
        row.used_at = timezone.now()
        row.save(update_fields=["used_at"])
    return guest


def merge_guest(guest_id: str | UUID, member: Member) -> int | None:
    """Move what a guest has to an account, all or nothing; how many seats had to stay, None if there is no such guest.

    A guest who keeps nothing is closed, and points to the account.
    """
    with transaction.atomic():
        rows = Member.objects.select_for_update(no_key=True).filter(pk__in=[guest_id, member.pk]).order_by("pk")
        guest = next((row for row in rows if row.pk != member.pk and row.is_guest and row.is_active), None)
        if not guest:
            return None
        guest_merged.send(Member, guest=guest, member=member)
        left = selectors.count_of(guest)
        if not left:
            guest.is_active, guest.merged_into = False, member
            guest.save(update_fields=["is_active", "merged_into"])
            guest.recovery_tokens.all().delete()
    return left


@cache
def zones() -> tuple[str, ...]:
    """Time zones to choose from: places, and UTC."""
    return ("UTC", *sorted(zone for zone in _all_zones() if "/" in zone and not zone.startswith("Etc/")))


def is_zone(zone: str) -> bool:
    return zone in _all_zones()


@cache
def _all_zones() -> frozenset[str]:
    return frozenset(available_timezones() - {"Factory", "localtime"})


def _language(language: str) -> str:
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def _save_name(member: Member, name: str) -> None:
    member.name = name
    try:
        with transaction.atomic():
            member.save()
    except IntegrityError as error:
        raise BadText("taken") from error


def _later(task: Callable[..., None], *args: str) -> None:
    """Hand a mail to a worker when the transaction stands; without a broker, send it here and now."""

    def send() -> None:
        try:
            task.delay(*args)  # type: ignore[attr-defined]
        except OperationalError:
            tasks.run_here(task, *args)

    transaction.on_commit(send)
