"""Mails about complaints: neutral, without a name, an id or a word of what it is about."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from club.moderation import selectors
from club.moderation.models import Case
from notifications import when
from notifications.kinds import Kind, Letter, register
from notifications.models import Notice


def _case(notice: Notice) -> Case | None:
    return Case.objects.filter(pk=notice.facts["case"]).first()


def _still_waits(notice: Notice) -> bool:
    """Still open, and still this moderator's business?"""
    case = _case(notice)
    if case is None or case.status != Case.Status.OPEN or not selectors.is_moderator(notice.member):
        return False
    return not selectors.is_conflicted(case, notice.member)


def _waits(notice: Notice) -> Letter:
    lines = [_("Something waits for you on the site.")]
    if case := _case(notice):
        until = when.until(case.due_at, notice.member)
        lines.append(_("It is to be answered. Until when: %(until)s.") % {"until": until})
    return Letter(_("A message from the club"), tuple(lines), _("See it"), reverse("desk"), neutral=True)


def _always(notice: Notice) -> bool:
    return True


def _answered(notice: Notice) -> Letter:
    lines = (_("There is an answer for you on the site."),)
    return Letter(_("A message from the club"), lines, _("See it"), reverse("complaints"), neutral=True)


WAITS = gettext_lazy("Something waits at the moderators' desk")
ANSWERED = gettext_lazy("My complaint is answered")

register(Kind("complaint_received", WAITS, _still_waits, _waits, always=True, moderators=True))
register(Kind("complaint_answered", ANSWERED, _always, _answered, always=True))
