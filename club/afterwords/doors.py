"""What the doors of afterwords and of moderation have in common."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from club.members.decorators import View
from games.errors import Refused


def refusing(view: View) -> View:
    """Turn a refusal into a page that says what to do."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Refused as refusal:
            return render(request, "games/refused.html", {"refusal": refusal.detail}, status=refusal.status)

    return answered
