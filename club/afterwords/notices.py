"""A word has come: the mail says so and from whom; the text stands on the site only."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from club.afterwords.models import Afterword
from notifications.kinds import Kind, Letter, register
from notifications.models import Notice


def _word(notice: Notice) -> Afterword:
    return Afterword.objects.select_related("author").get(pk=notice.facts["afterword"])


def _still_said(notice: Notice) -> bool:
    word = _word(notice)
    return word.withdrawn_at is None and word.hidden_at is None


def _letter(notice: Notice) -> Letter:
    word = _word(notice)
    return Letter(
        _("A kind word for you"),
        (
            _("After your match a word has come for you. From: %(name)s.") % {"name": word.author.name},
            _("It stands on the page of the match."),
        ),
        _("Read it"),
        reverse("after", args=[word.match_id]),
    )


register(Kind("afterword", gettext_lazy("A kind word has come"), _still_said, _letter))
