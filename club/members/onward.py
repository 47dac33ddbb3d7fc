"""Where to go next: only to pages of this site (reliability.md C55)."""

from __future__ import annotations

import re

from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

# Browsers take a backslash for a slash and skip tabs and line ends, so `/\t/evil` would lead away.
_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\x7f\\]*")


def onward(request: HttpRequest, otherwise: str = "lobby") -> str:
    """The path in the request's `next`, or else the page named `otherwise` when it leads anywhere but to this site."""
    wished = request.POST.get("next") or request.GET.get("next") or ""
    return wished if is_ours(wished, request) else resolve_url(otherwise)


def is_ours(path: str, request: HttpRequest) -> bool:
    return bool(_PATH.fullmatch(path)) and url_has_allowed_host_and_scheme(path, {request.get_host()})
