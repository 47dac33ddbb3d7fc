"""Why a kind word is not taken."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.errors import Refused


class NotOver(Refused):
    code = "not_over"
    detail = _("Words are said when the match is over.")


class Annulled(Refused):
    code = "annulled"
    detail = _("This match was annulled; there are no words after it.")


class TooLate(Refused):
    code = "too_late"
    detail = _("Words can be said for seven days after a match. That time is over.")


class ToOneself(Refused):
    code = "oneself"
    detail = _("A kind word goes to somebody else.")


class AlreadySaid(Refused):
    """The pair has its one word; the page shows it."""

    status = 409
    code = "already_said"
    detail = _("You have said your word to this member: there is one for each match.")
