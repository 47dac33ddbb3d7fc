"""Who may open a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse


def member_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let members and guests in; send everybody else to the sign-in page, from where they come back.

    A program that asked for JSON gets a 401 instead. A POST is not repeated after signing in: its way back is the
    page it came from, never the address it was sent to.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.headers.get("Accept") == "application/json":
            return JsonResponse({"code": "no_session", "detail": "", "number": None}, status=401)
        return redirect_to_login(request.get_full_path() if request.method in ("GET", "HEAD") else "/", "signin")

    return wrapped
