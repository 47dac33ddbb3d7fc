"""What every page knows about its reader."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from club.members import sessions

THEMES = ("light", "dark")


def look(request: HttpRequest) -> dict[str, Any]:
    """What pages look at.

    `theme`: light, dark, or "" as the device has it. `dev`: a development server. `ask_zone`: not chosen yet.
    `ask_merge`: this session was a guest's before, and whether the guest's seats come along is not answered yet.
    """
    theme, user = request.COOKIES.get("theme", ""), getattr(request, "user", None)
    return {
        "theme": theme if theme in THEMES else "",
        "dev": getattr(settings, "DEV_MAILBOX", False),
        "ask_zone": bool(user and user.is_authenticated and not user.zone_chosen),
        "ask_merge": bool(user and user.is_authenticated and sessions.GUEST in request.session),
    }
