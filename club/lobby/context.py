"""What every page says about matches: how many wait for its reader."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games import selectors


def waiting(request: HttpRequest) -> dict[str, Any]:
    """`waiting`: matches in which it is the reader's turn. Counted only on pages that show it."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"waiting": 0}
    return {"waiting": SimpleLazyObject(lambda: selectors.waiting_turns(user).count())}
