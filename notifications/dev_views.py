"""Reads the mail files of a development server. What is in them is shown as text, or in a page that can do nothing."""

from __future__ import annotations

from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

LATEST = 100

# Mails bring their own style and pictures, and nothing else of theirs may work.
HARMLESS = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

private = cache_control(private=True, no_store=True)


@dataclass(frozen=True, slots=True)
class Mail:
    """One file of the mailbox."""

    name: str
    message: EmailMessage

    @property
    def heads(self) -> list[tuple[str, str]]:
        return [(name, str(value)) for name, value in self.message.items()]

    def part(self, kind: str) -> str:
        """The text of its `plain` or `html` part."""
        body = self.message.get_body((kind,))
        return str(body.get_content()) if body else ""


@private
@require_safe
def mailbox(request: HttpRequest) -> HttpResponse:
    """The latest mails, newest first."""
    names = sorted((file.stem for file in _folder().glob("*.eml")), reverse=True)
    return render(request, "notifications/mailbox.html", {"mails": [_read(name) for name in names[:LATEST]]})


@private
@require_safe
def mail(request: HttpRequest, name: str) -> HttpResponse:
    """One mail: its heads and its text."""
    found = _read(name)
    return render(request, "notifications/mail.html", {"mail": found, "plain": found.part("plain")})


@private
@require_safe
def html(request: HttpRequest, name: str) -> HttpResponse:
    """The HTML part of a mail by itself."""
    return HttpResponse(_read(name).part("html"), headers={"Content-Security-Policy": HARMLESS})


def _folder() -> Path:
    return Path(settings.EMAIL_FILE_PATH)


def _read(name: str) -> Mail:
    try:
        raw = (_folder() / f"{name}.eml").read_bytes()
    except FileNotFoundError as error:
        raise Http404 from error
    return Mail(name, message_from_bytes(raw, policy=policy.default))
