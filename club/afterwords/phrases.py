"""The ready-made phrases (moderation.md 1): stored by key, shown in the reader's language."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PHRASES: dict[str, Promise] = {
    "thanks": _("Thank you for the match."),
    "fine_match": _("A fine match, to the last tile or throw."),
    "patient": _("Thank you for your patience."),
    "clever": _("That was cleverly played."),
    "company": _("It was good to play in your company."),
    "taught": _("You taught me something."),
    "again": _("I would gladly play again."),
    "comeback": _("What a comeback!"),
    "fair": _("Fairly played, thank you."),
    "welcome": _("Welcome to the club."),
}
