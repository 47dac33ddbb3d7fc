"""The one kind of notice this app tells itself: a test mail, when a member asks for one."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notifications import when
from notifications.kinds import Kind, Letter, register
from notifications.models import Notice

TEST = "test"


def _test(notice: Notice) -> Letter:
    lines = (
        _("You asked for this mail. It came, so the others will come too."),
        _("On your clock you asked on %(moment)s.") % {"moment": when.local_time(notice.send_at, notice.member)},
    )
    return Letter(_("A test mail"), lines, _("Notice settings"), reverse("notify_settings"))


register(Kind(TEST, gettext_lazy("A test mail"), lambda notice: True, _test, always=True))
