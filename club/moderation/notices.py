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


def _still_waits(notice: Notice) -> bool:
    """Still open, and still this member's business?"""
    case = Case.objects.filter(pk=notice.facts["case"], status=Case.Status.OPEN).first()
    return case is not None and notice.member in selectors.called(case)


def _waits(notice: Notice) -> Letter:
    case = Case.objects.get(pk=notice.facts["case"])
    until = _("It is to be answered. Until when: %(until)s.") % {"until": when.until(case.due_at, notice.member)}
    urgent = [_("It is urgent.")] if selectors.is_urgent(case.complaints.all()) else []
    if selectors.may_answer(case, notice.member):
        lines = [_("Something waits for you on the site."), until, *urgent]
        return _neutral(lines, _("See it"), reverse("desk"))
    lines = [_("Something waits at the moderators' desk, and nobody there is free for it."), until, *urgent]
    return _neutral([*lines, _("Please make one more member a moderator.")], _("To the lobby"), reverse("lobby"))


def _neutral(lines: list[str], button: str, path: str) -> Letter:
    return Letter(_("A message from the club"), tuple(lines), button, path, neutral=True)


def _always(notice: Notice) -> bool:
    return True


def _answered(notice: Notice) -> Letter:
    return _neutral([_("There is an answer for you on the site.")], _("See it"), reverse("complaints"))


WAITS = gettext_lazy("Something waits at the moderators' desk")
ANSWERED = gettext_lazy("My complaint is answered")

register(Kind("complaint_received", WAITS, _still_waits, _waits, always=True, moderators=True))
register(Kind("complaint_answered", ANSWERED, _always, _answered, always=True))
