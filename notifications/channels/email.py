"""Notices by mail: how a letter becomes a message, and what a mail server's answer means."""

from __future__ import annotations

import re
import smtplib
from email.utils import parseaddr
from urllib.parse import urlsplit
from uuid import UUID, uuid5

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db.models import Exists, OuterRef, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse

from notifications import kinds, tokens
from notifications.channels import Later, Refused, Unreachable
from notifications.kinds import Letter
from notifications.models import Channel, DeadAddress, Delivery, Preference

_STATUS = re.compile(rb"\s*(5\.(\d{1,3})\.\d{1,3})\b")
"""An enhanced status code for a refusal (RFC 3463): class 5, subject, detail."""

_ABOUT_ADDRESS = (b"1", b"2")
"""Subjects of that code: addressing and mailbox. Others, such as 7 (policy), blame us and not the address."""


def served(deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
    """Those whose member mail serves now; what services._TELL asked when they were queued."""
    member = OuterRef("notice__member")
    dead = DeadAddress.objects.filter(member=member, address=OuterRef("notice__member__email"))
    off = Preference.objects.filter(member=member, kind=OuterRef("notice__kind"), channel=Channel.EMAIL, on=False)
    off = off.exclude(kind__in=[kind.slug for kind in kinds.all() if kind.always])
    reachable = deliveries.filter(notice__member__is_active=True, notice__member__email_confirmed=True)
    return reachable.exclude(notice__member__email="").exclude(Exists(dead)).exclude(Exists(off))


def message(delivery: Delivery, letter: Letter) -> EmailMultiAlternatives:
    """The mail, in the active language. Only our own words and ids stand in its head."""
    notice = delivery.notice
    kind = kinds.get(notice.kind)
    token = "" if kind.always else tokens.write(tokens.Wish(notice.member_id, kind.slug))
    unsubscribe = token and settings.SITE_URL + reverse("unsubscribe", args=[token])
    subject = one_line(letter.subject)
    words = {
        "letter": letter,
        "quote": letter.quote(),
        "subject": subject,
        "link": settings.SITE_URL + letter.path,
        "unsubscribe": unsubscribe,
        "settings": settings.SITE_URL + reverse("notify_settings"),
        "host": urlsplit(settings.SITE_URL).netloc,
    }
    mail = EmailMultiAlternatives(
        subject=subject,
        body=render_to_string("email/notice.txt", words),
        to=[notice.member.email],
        headers=_headers(delivery, letter, unsubscribe),
    )
    mail.attach_alternative(render_to_string("email/notice.html", words), "text/html")
    return mail


def _headers(delivery: Delivery, letter: Letter, unsubscribe: str) -> dict[str, str]:
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    headers = {"Message-ID": f"<{delivery.message_id}@{domain}>", "Auto-Submitted": "auto-generated"}
    if letter.neutral:
        return headers
    notice = delivery.notice
    if notice.thread:
        root = f"<{_thread(notice.member_id, notice.thread)}@{domain}>"
        headers |= {"In-Reply-To": root, "References": root}
    if unsubscribe:
        headers |= {
            "List-ID": f"<{notice.kind}.{domain}>",
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    return headers


def _thread(member: UUID, thread: str) -> UUID:
    """The root of a member's thread. No mail bears this id; two members' threads have nothing in common."""
    return uuid5(member, thread)


def one_line(text: str) -> str:
    """Text that is safe in a head: line breaks and other control characters become blanks."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


class Post:
    """The way to the mail server: opened when first needed, and anew after anything went wrong on it."""

    def __init__(self) -> None:
        self._connection = get_connection()

    def __enter__(self) -> Post:
        return self

    def __exit__(self, *_: object) -> None:
        self._drop(politely=True)

    def send(self, mail: EmailMultiAlternatives) -> None:
        """Hand one mail over. Raises Unreachable, Later, Refused."""
        try:
            self._connection.open()
        except OSError as error:
            self._drop()
            raise Unreachable(_why(error)) from error
        try:
            self._connection.send_messages([mail])
        except (OSError, ValueError) as error:
            self._drop()
            raise verdict(error) from error

    def _drop(self, politely: bool = False) -> None:
        """Let go of the connection. A QUIT to a server that hangs would hang as well."""
        wire = getattr(self._connection, "connection", None) or getattr(self._connection, "_partial_connection", None)
        try:
            if politely:
                self._connection.close()
            elif wire is not None:
                wire.close()
        except OSError:
            return
        finally:
            self._connection = get_connection()


def verdict(error: Exception) -> Later | Refused:
    """What an error in sending one mail means for that mail and for its address (reliability.md B19)."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()))
        return _answered(code, text, blames_address=True)
    if isinstance(error, smtplib.SMTPDataError):
        return _answered(error.smtp_code, error.smtp_error, blames_address=False)
    if isinstance(error, ValueError | smtplib.SMTPNotSupportedError):
        return Refused("address", for_good=True)
    return Later(_why(error))


def _answered(code: int, text: bytes | str, blames_address: bool) -> Later | Refused:
    text = text.encode() if isinstance(text, str) else text
    if code < 500:
        return Later(str(code))
    if (status := _STATUS.match(text)) is None:
        return Refused(str(code), for_good=blames_address)
    return Refused(f"{code} {status[1].decode()}", for_good=status[2] in _ABOUT_ADDRESS)


def _why(error: Exception) -> str:
    """A code or a word of ours: what a server says may hold anything, the address included."""
    if isinstance(error, smtplib.SMTPResponseException):
        return str(error.smtp_code)
    return type(error).__name__[:40]
