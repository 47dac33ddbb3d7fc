"""What is read of complaints: by whoever complained, and by moderators without a conflict of interest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet

from club.members.models import Member
from club.members.tokens import digest
from club.moderation import identity
from club.moderation.errors import AboutOneself, TooLate
from club.moderation.models import URGENT, Case, Complaint
from games import clock
from games.errors import NotFound
from games.models import Match, Seat
from games.selectors import access_match

OPEN_FOR = timedelta(days=90)
"""How long after its end a match can be complained about."""

ANSWER_IN = timedelta(hours=4)
LATE = timedelta(hours=1)
"""With less left than this a case is shown as late."""

HOLD = timedelta(minutes=20)
"""So long a moderator holds a case without doing anything; then others may take it."""

# Whoever complains


def complainable(match_id: UUID, member: Member, number: int) -> tuple[Match, Seat]:
    """A match of this member and another seat there that can be complained about.

    Raises NotFound (not my match, no such seat), AboutOneself, TooLate.
    """
    match, mine = access_match(match_id, member)
    if number == mine.number:
        raise AboutOneself
    seat = Seat.objects.filter(table_id=match.pk, number=number).select_related("member").first()
    if seat is None:
        raise NotFound
    if match.ended_at is not None and clock.now() > match.ended_at + OPEN_FOR:
        raise TooLate
    return match, seat


def own_complaints(member: Member) -> list[Complaint]:
    """What this member complained of, the latest first; what only added words to another one stands with that."""
    return [complaint for complaint in identity.complaints_by(member) if complaint.first_id is None]


def own_complaint(complaint_id: UUID, member: Member) -> Complaint:
    """A complaint of this member. Raises NotFound, for moderators and the accused as for everybody else."""
    complaint = Complaint.objects.select_related("first").filter(pk=complaint_id).first()
    if complaint is None or not identity.is_by(complaint, member):
        raise NotFound
    return complaint.first or complaint


def complaint_of_token(token: str) -> Complaint:
    """The complaint whose answer this token opens. Raises NotFound."""
    complaint = Complaint.objects.filter(token_digest=digest(token)).first()
    if complaint is None:
        raise NotFound
    return complaint


# Moderators


def is_moderator(member: object) -> bool:
    """Whether this member may sit at the desk; a guest never does (security.md 3)."""
    return isinstance(member, Member) and member.is_active and member.is_moderator and not member.is_guest


def moderators() -> QuerySet[Member]:
    """Everybody who may sit at the desk."""
    return Member.objects.filter(is_active=True, is_moderator=True, is_guest=False)


def is_conflicted(case: Case, moderator: Member) -> bool:
    """Whether the case is too close: the moderator is accused, complained, or sits in a match it is about."""
    complaints = case.complaints.all()
    return (
        case.accused_id == moderator.pk
        or Seat.objects.filter(member=moderator, table__match__complaints__case=case).exists()
        or any(identity.is_by(complaint, moderator) for complaint in complaints)
    )


def may_answer(case: Case, member: Member) -> bool:
    """Whether this member may sit at the desk and is not too close to the case."""
    return is_moderator(member) and not is_conflicted(case, member)


def called(case: Case) -> list[Member]:
    """Who is told of a case: every moderator who may answer it; if there is none, whoever runs the club.

    An owner who is too close to it is told only when there is no other: better than nobody.
    """
    if free := [moderator for moderator in moderators() if not is_conflicted(case, moderator)]:
        return free
    owners = list(Member.objects.filter(is_active=True, is_superuser=True, is_guest=False))
    return [owner for owner in owners if not is_conflicted(case, owner)] or owners


def holder(case: Case, now: datetime) -> UUID | None:
    """The id of the moderator who works on the case; None when nobody does, or did nothing for too long."""
    return case.claimed_by_id if case.claimed_at and now - case.claimed_at < HOLD else None


@dataclass(frozen=True, slots=True)
class Waiting:
    """An open case in the queue."""

    case: Case
    complaints: tuple[Complaint, ...]
    left: timedelta
    """Of the four hours; negative when the promise is broken."""
    held: str
    """`me`, `other`, or empty."""

    @property
    def is_urgent(self) -> bool:
        return is_urgent(self.complaints)

    @property
    def is_late(self) -> bool:
        return self.left < LATE

    @property
    def is_broken(self) -> bool:
        return self.left <= timedelta()

    @property
    def over(self) -> timedelta:
        """How long the promise has been broken."""
        return -self.left

    @property
    def minutes(self) -> int:
        """For the bar: whole minutes left, 0 to 240."""
        return max(0, int(self.left.total_seconds()) // 60)

    @property
    def reasons(self) -> list[str]:
        """The reasons given, each once."""
        return list(dict.fromkeys(complaint.get_category_display() for complaint in self.complaints))


def is_urgent(complaints: Iterable[Complaint]) -> bool:
    return any(complaint.category in URGENT for complaint in complaints)


def queue(moderator: Member) -> list[Waiting]:
    """The open cases for this moderator: threats, children and self-harm first, then by the time left."""
    now = clock.now()
    cases = Case.objects.filter(status=Case.Status.OPEN).select_related("accused").prefetch_related("complaints")
    rows = [waiting(case, moderator, now) for case in cases if not is_conflicted(case, moderator)]
    return sorted(rows, key=lambda row: (not row.is_urgent, row.case.due_at))


def waiting(case: Case, moderator: Member, now: datetime) -> Waiting:
    """How a case stands for this moderator."""
    by = holder(case, now)
    held = ("me" if by == moderator.pk else "other") if by else ""
    return Waiting(case, tuple(case.complaints.all()), case.due_at - now, held)
