"""Sessions: 30 days idle, 180 days in all, a new key with every change of who is there (security.md 3)."""

from __future__ import annotations

import time

from django.contrib.auth import login
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from club.members.models import Member

RENEWED_EVERY = 3600
LONGEST = 180 * 86_400
GUEST = "guest_before"
"""Where a session keeps the guest that was there before an account signed in, until the merge is answered."""


class SessionStore(db.SessionStore):
    """Sessions in PostgreSQL. A key it cannot have made itself (a NUL in the cookie) is no session, and no error."""

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key and len(key) >= 8 and key.isascii() and key.isalnum())


def sign_in(request: HttpRequest, member: Member) -> None:
    """A fresh session for `member`: nothing of the session before survives but which guest it was."""
    before = request.user
    request.session.flush()
    login(request, member)
    request.session.update({"born": int(time.time()), "renewed": int(time.time())})
    if before.is_authenticated and before.is_guest and before != member:
        request.session[GUEST] = str(before.pk)


def keep(session: SessionBase) -> bool:
    """Renew a session in use, at most once an hour; false when it has lived its 180 days."""
    now = int(time.time())
    born = session.setdefault("born", now)
    if now - born >= LONGEST:
        return False
    if now - session.get("renewed", 0) >= RENEWED_EVERY:
        session["renewed"] = now
    return True
