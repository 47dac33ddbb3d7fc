"""Passwords: 10 to 128 characters, none of the common ones; no rules about kinds of characters."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LONGEST_PASSWORD = 128


class MaximumLengthValidator:
    def validate(self, password: str, user: object = None) -> None:
        if len(password) > LONGEST_PASSWORD:
            raise ValidationError(_("This password is too long. It may have at most 128 characters."), code="too_long")

    def get_help_text(self) -> str:
        return _("At most 128 characters.")
