"""What people are told when something went wrong before or below a page."""

from __future__ import annotations

import sys

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views import defaults

WAIT = "2"
"""Seconds after which trying again makes sense."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400; a body that is too large is 413 (C21, C46)."""
    if isinstance(exception, RequestDataTooBig):
        return render(request, "400.html", status=413)
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500; while the database cannot answer - a lock held too long, a restart, a full pool - 503 with Retry-After.

    Nothing was committed then, so the same request may be sent again.
    """
    if not isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return defaults.server_error(request)
    if request.headers.get("Accept") == "application/json":
        response: HttpResponse = JsonResponse({"code": "busy", "detail": "", "number": None}, status=503)
    else:
        response = defaults.server_error(request)
        response.status_code = 503
    response["Retry-After"] = WAIT
    return response
