"""Hints to browsers: a match has a new number. They may all get lost; nothing depends on them (architecture.md 8)."""

from __future__ import annotations

import logging
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.contrib.auth import get_user
from django.db import transaction
from django.http import HttpRequest

from club.members.models import Member
from games.models import Match

log = logging.getLogger(__name__)


def group(match_id: UUID) -> str:
    """The channel group of a match: public, numbers only."""
    return f"match.{match_id}"


def ping(match: Match) -> None:
    """After commit, tell whoever watches that the match is at `match.number`."""
    number = match.number
    transaction.on_commit(lambda: _send(match.pk, number))


def _send(match_id: UUID, number: int) -> None:
    try:
        async_to_sync(get_channel_layer().group_send)(group(match_id), {"type": "at", "number": number})
    except Exception:
        # Redis may be away; browsers fetch on their own. A move never fails for it (reliability.md P16).
        log.warning("no live hint for a match at %s", number, exc_info=True)


def member_of(scope: dict) -> Member | None:
    """The member a socket belongs to, read from its session anew: after signing out it is nobody (C32)."""
    request = HttpRequest()
    # The session in the scope is lazy, so `type` would be that of the wrapper.
    store = scope["session"].__class__
    request.session = store(scope["session"].session_key)
    user = get_user(request)
    return user if isinstance(user, Member) and user.is_active else None
