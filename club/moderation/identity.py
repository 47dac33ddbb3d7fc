"""Who complained. This module alone seals and opens it; nothing else in the club can tell (security.md 4)."""

from __future__ import annotations

import hmac
from uuid import UUID

from club.keys import seal, subkey, unseal
from club.members.models import Member
from club.moderation.models import Complaint, ComplaintIdentity
from games.codes import ALPHABET

_PURPOSE = "complaint-identity"


def pseudonym(member_id: UUID) -> str:
    """What moderators call this complainant: `R-` and the first 20 bits of a keyed hash in Crockford's base 32."""
    digest = hmac.digest(subkey("complaint-pseudonym"), member_id.bytes, "sha256")
    bits = int.from_bytes(digest[:3], "big") >> 4
    return "R-" + "".join(ALPHABET[bits >> shift & 31] for shift in (15, 10, 5, 0))


def keep(complaint: Complaint, member: Member) -> None:
    """Seal who complained; the pseudonym stands on the complaint itself."""
    sealed = seal(_PURPOSE, member.pk.bytes, complaint.pk.bytes)
    ComplaintIdentity.objects.create(complaint=complaint, sealed=sealed)


def complainant(complaint: Complaint) -> UUID | None:
    """The id of the member who complained; None once it was destroyed."""
    kept = ComplaintIdentity.objects.filter(complaint=complaint).first()
    return UUID(bytes=unseal(_PURPOSE, bytes(kept.sealed), complaint.pk.bytes)) if kept else None


def is_by(complaint: Complaint, member: Member) -> bool:
    """Whether this member complained. Only a matching pseudonym, which two members may share, breaks the seal."""
    return complaint.pseudonym == pseudonym(member.pk) and complainant(complaint) == member.pk


def complaints_by(member: Member) -> list[Complaint]:
    """Everything this member complained of, the latest first."""
    named = Complaint.objects.filter(pseudonym=pseudonym(member.pk)).order_by("-received_at")
    return [complaint for complaint in named if is_by(complaint, member)]


def hand_over(guest: Member, member: Member) -> None:
    """A guest signed in to an account: what the guest complained of is the account's."""
    for complaint in complaints_by(guest):
        complaint.pseudonym = pseudonym(member.pk)
        complaint.save(update_fields=["pseudonym"])
        sealed = seal(_PURPOSE, member.pk.bytes, complaint.pk.bytes)
        ComplaintIdentity.objects.filter(complaint=complaint).update(sealed=sealed)
