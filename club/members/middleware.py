"""Who is there, in which language and zone; and that no page of theirs is kept by anybody."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from club.members import sessions

GetResponse = Callable[[HttpRequest], HttpResponse]


class MemberMiddleware:
    """Session age and time zone. A page that says nothing about caches is private and not stored (C65, C66)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        timezone.deactivate()
        if request.user.is_authenticated:
            if sessions.keep(request.session):
                timezone.activate(request.user.zone)
            else:
                logout(request)
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-store"
            patch_vary_headers(response, ["Cookie"])
        return response


class LanguageMiddleware:
    """The language of the account, else of the cookie, else of the browser; addresses carry none."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = request.user.language if request.user.is_authenticated else ""
        if language not in dict(settings.LANGUAGES):
            language = translation.get_language_from_request(request)
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = self.get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        response.headers.setdefault("Content-Language", translation.get_language())
        return response
