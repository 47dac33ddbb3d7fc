"""Who may open a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase

from club.members.models import Member
from club.members.onward import is_ours

View = Callable[..., HttpResponseBase]


class MemberRequest(HttpRequest):
    """The request of a view that is `member_required`: somebody is there."""

    user: Member


def member_required(view: View) -> View:
    """For members, guests included. Everybody else is asked to sign in or to play as a guest, and then led back."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        return redirect_to_login(_page(request))

    return guarded


def _page(request: HttpRequest) -> str:
    """The page that was asked for; of a form sent without a session, the page the form stood on."""
    if request.method in {"GET", "HEAD"}:
        return request.get_full_path()
    came_from = urlsplit(request.headers.get("Referer", ""))
    path = came_from.path + (f"?{came_from.query}" if came_from.query else "")
    return path if came_from.netloc == request.get_host() and is_ours(path, request) else "/"
