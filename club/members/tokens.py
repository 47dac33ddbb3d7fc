"""What links in mails carry: random secrets kept as a hash, and signed words that say one thing."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.core import signing
from django.utils import timezone

from club.members.models import Member, RecoveryToken

RECOVERY_AGE = timedelta(days=90)

_CONFIRM = "club.members.confirm"
_CONFIRM_AGE = 3 * 86_400


def new_recovery(guest: Member) -> str:
    """The token of a new recovery link: 32 random bytes. It is shown once, as only its hash is kept."""
    token = secrets.token_urlsafe(32)
    RecoveryToken.objects.create(member=guest, digest=digest(token), expires_at=timezone.now() + RECOVERY_AGE)
    return token


def digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Claim:
    """That the reader of an inbox is the member who gave the address; `before`: the address key of that moment."""

    member_id: UUID
    address: str
    before: str


def sign_claim(member: Member, address: str) -> str:
    """The token of a mail that asks whether `address` is the member's own."""
    return signing.dumps([str(member.pk), address, member.email_key], salt=_CONFIRM, compress=True)


def read_claim(token: str) -> Claim | None:
    """The claim in a token of the last three days, or None: altered, of another kind, old."""
    try:
        member_id, address, before = signing.loads(token, salt=_CONFIRM, max_age=_CONFIRM_AGE)
    except (signing.BadSignature, ValueError):
        return None
    return Claim(UUID(member_id), address, before)
