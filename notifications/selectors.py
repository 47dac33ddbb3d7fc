"""What was told, and what a member wants to be told."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.functional import Promise

from club.members.models import Member
from notifications import kinds
from notifications.kinds import Kind, Letter
from notifications.letters import TEST
from notifications.models import Channel, DeadAddress, Notice, Preference

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """A notice in the inbox. `letter` is None when it is no longer true, or cannot be written any more."""

    notice: Notice
    label: str | Promise
    letter: Letter | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind and whether the member has it by mail."""

    kind: Kind
    on: bool


def inbox(member: Member) -> QuerySet[Notice]:
    """What the member was told, newest first."""
    told = Notice.objects.filter(member=member, cancelled_at=None, send_at__lte=Now())
    return told.select_related("member").order_by("-send_at")


def unread(member: Member) -> int:
    """How many notices the member has not seen in the inbox."""
    return inbox(member).filter(read_at=None).count()


def entries(notices: Iterable[Notice]) -> list[Entry]:
    """Notices as the inbox shows them, in the active language."""
    labels = {kind.slug: kind.label for kind in kinds.all()}
    return [Entry(notice, labels.get(notice.kind, notice.kind), _letter(notice)) for notice in notices]


def _letter(notice: Notice) -> Letter | None:
    try:
        kind = kinds.get(notice.kind)
        return kind.compose(notice) if kind.still_true(notice) else None
    except Exception:
        # An old notice may be about something that is no longer there; the others must stay readable.
        log.exception("notice %s cannot be written", notice.pk)
        return None


def choices(member: Member) -> list[Choice]:
    """The kinds a member can switch, each with its state."""
    off = set(Preference.objects.filter(member=member, channel=Channel.EMAIL, on=False).values_list("kind", flat=True))
    return [Choice(kind, kind.slug not in off) for kind in _kinds_of(member) if not kind.always]


def choice(member: Member, kind: str) -> Choice | None:
    """The state of one kind; None when it cannot be switched or is told no more."""
    return next((one for one in choices(member) if one.kind.slug == kind), None)


def always(member: Member) -> list[Kind]:
    """The kinds a member cannot switch off."""
    return [kind for kind in _kinds_of(member) if kind.always and kind.slug != TEST]


def _kinds_of(member: Member) -> list[Kind]:
    return [kind for kind in kinds.all() if member.is_moderator or not kind.moderators]


def dead_address(member: Member) -> DeadAddress | None:
    """The flag on the member's present address, if its mail server refused it for good."""
    return DeadAddress.objects.filter(member=member, address=member.email).first()
