"""Why a complaint, or an act at the desk, is refused."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.errors import Refused


class AboutOneself(Refused):
    code = "oneself"
    detail = _("This is your own seat.")


class TooLate(Refused):
    code = "too_late"
    detail = _("A match can be complained about for 90 days after its end. That time is over.")


class TooMany(Refused):
    """One complaint too many for a day. `wait`: whole seconds until the next one is taken."""

    status = 429
    code = "too_many"
    detail = _(
        "You have complained three times within a day, and the moderators will read all of it. Please come back later."
    )

    def __init__(self, wait: int) -> None:
        super().__init__()
        self.wait = wait


class Changed(Refused):
    """The case is not as it was when the moderator looked at it."""

    status = 409
    code = "changed"
    detail = _("The case has changed meanwhile. Here is how it stands now.")


class Held(Changed):
    code = "held"
    detail = _("Another moderator works on this case.")


class NotHeld(Changed):
    code = "not_held"
    detail = _("You do not hold this case. Take it first.")


class HoldsAnother(Changed):
    code = "holds_another"
    detail = _("You hold another case. Answer it or give it back first.")
