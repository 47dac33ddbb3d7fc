"""The token in an unsubscribe link: a member and a kind, signed. It opens nothing else and never runs out."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from uuid import UUID

from django.core.signing import BadSignature, Signer

_signer = Signer(sep="~", salt="notifications.unsubscribe")


@dataclass(frozen=True, slots=True)
class Wish:
    """Whose mails of which kind a link is about."""

    member: UUID
    kind: str


def write(wish: Wish) -> str:
    """The token for a link. The kind is not readable in it at a glance: heads of mails show it."""
    plain = wish.member.bytes + wish.kind.encode()
    return _signer.sign(urlsafe_b64encode(plain).decode().rstrip("="))


def read(token: str) -> Wish:
    """What a token says. Raises BadSignature for anything that `write` did not write."""
    body = _signer.unsign(token)
    plain = urlsafe_b64decode(body + "=" * (-len(body) % 4))
    return Wish(UUID(bytes=plain[:16]), plain[16:].decode())


__all__ = ["BadSignature", "Wish", "read", "write"]
