"""What every page says about notices: how many its reader has not seen."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from notifications import selectors


def unread(request: HttpRequest) -> dict[str, Any]:
    """`unread`: notices the reader has not seen in the inbox. Counted only on pages that show it."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"unread": 0}
    return {"unread": SimpleLazyObject(lambda: selectors.unread(user))}
