"""Signing in with a name or a mail address, compared by the one folding."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from club.members import selectors
from club.members.models import Member


class NameOrMailBackend(ModelBackend):
    """Every try costs the same, whether there is a member or not (reliability.md C56)."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **_: Any
    ) -> Member | None:
        if username is None or password is None:
            return None
        found = None
        for member in selectors.by_login(username):
            if member is None:
                Member().set_password(password)  # takes as long as checking one
            elif member.check_password(password) and self.user_can_authenticate(member):
                found = found or member
        return found
