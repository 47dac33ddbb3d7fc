"""Somebody with a browser of their own: cookies, an address, and mails that leave as soon as they are asked for."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth import get_user
from django.core import mail
from django.http import HttpRequest
from django.test import Client, TestCase

from club.members.models import Member


class Visitor(Client):
    """Sends from `place`; whatever waits for the commit of a request runs after it."""

    def __init__(self, place: str, **kwargs: Any) -> None:
        super().__init__(REMOTE_ADDR=place, **kwargs)

    def request(self, **environ: Any) -> Any:
        with TestCase.captureOnCommitCallbacks(execute=True):
            return super().request(**environ)

    @property
    def member(self) -> Member | None:
        """Who this browser is signed in as, as the next request would find."""
        request = HttpRequest()
        request.session = self.session
        user = get_user(request)
        return user if user.is_authenticated else None

    @property
    def key(self) -> str | None:
        return self.session.session_key


def link_in_mail(part: str, number: int = -1) -> str:
    """The path of the link that begins with `part` in a mail that was sent."""
    found = re.search(rf"https?://[^/\s]+({part}\S*)", str(mail.outbox[number].body))
    assert found, mail.outbox[number].body
    return found[1]
