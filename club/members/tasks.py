"""Mails a person has just asked for. What is secret in them is made here and stands in no task's arguments."""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Callable
from typing import Any

from celery import shared_task
from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext_lazy as _

from club.members import selectors
from club.members.folding import fold
from club.members.models import Member
from club.members.tokens import new_recovery, sign_claim

log = logging.getLogger(__name__)

# OSError: no mail server there, or one that hangs.
_TROUBLE = (OSError, smtplib.SMTPException)
_SUBJECTS = {
    "ways_in": _("A new password for the domino club"),
    "confirm": _("Is this your address?"),
    "taken": _("You have an account already"),
    "recovery": _("Your way back to your seats"),
    "warning": _("Somebody tries passwords for your account"),
}
mail_task = shared_task(autoretry_for=_TROUBLE, retry_backoff=10, retry_backoff_max=300, max_retries=6)


@mail_task
def send_ways_in(address: str) -> None:
    """To an inbox: a link for a new password of each account it belongs to, a recovery link for each guest."""
    members = selectors.by_address(address)
    if not members:
        return
    ways = [
        {
            "member": member,
            "url": _recovery_url(new_recovery(member)) if member.is_guest else settings.SITE_URL + reset_path(member),
        }
        for member in members
    ]
    _send("ways_in", members[0].email, members[0].language, ways=ways)


@mail_task
def send_confirmation(member_id: str, address: str) -> None:
    """To an address somebody gave: is it yours? If it is another account's, its owner is told so instead."""
    member = Member.objects.filter(pk=member_id).first()
    owner = next((m for m in selectors.by_address(address) if m.email_confirmed), member)
    if not member or not owner:
        return
    if owner != member:
        _send("taken", owner.email, owner.language, member=owner, url=_url("password_reset"))
    elif not (member.email_confirmed and member.email_key == fold(address)):
        url = _url("confirm_address", sign_claim(member, address))
        _send("confirm", address, member.language, member=member, url=url)


@mail_task
def send_recovery(member_id: str, address: str) -> None:
    """To an address a guest gave: the link that gives the seats back."""
    if guest := selectors.guest(member_id):
        _send("recovery", address, guest.language, member=guest, url=_recovery_url(new_recovery(guest)))


@mail_task
def send_warning(login: str) -> None:
    """To the owner of an account: somebody is trying passwords."""
    for member in selectors.by_login(login):
        if member and member.email_confirmed:
            _send("warning", member.email, member.language, member=member, url=_url("password_reset"))


def run_here(task: Callable[..., None], *args: str) -> None:
    """Send without a worker. A mail server that fails is no error of the page."""
    try:
        task(*args)
    except _TROUBLE:
        log.warning("a mail could not be sent: %s", task.__name__)


def _send(template: str, address: str, language: str, **context: Any) -> None:
    with translation.override(language):
        context |= {"language": language, "site": settings.SITE_URL}
        text = render_to_string(f"email/members/{template}.txt", context)
        mail = EmailMultiAlternatives(str(_SUBJECTS[template]), text, to=[address])
        mail.attach_alternative(render_to_string(f"email/members/{template}.html", context), "text/html")
        mail.send()


def reset_path(member: Member) -> str:
    """Where `member` chooses a new password: a path that works once, for an hour."""
    pk = urlsafe_base64_encode(force_bytes(member.pk))
    return reverse("password_reset_confirm", args=[pk, default_token_generator.make_token(member)])


def _recovery_url(token: str) -> str:
    return _url("recover", token)


def _url(name: str, *args: str) -> str:
    return settings.SITE_URL + reverse(name, args=args)
