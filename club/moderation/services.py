"""Filing a complaint, and working on it at the desk. Every change is a line of the staff log."""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction

from club.members.models import Member
from club.members.text import BadText, clean_text
from club.members.tokens import digest
from club.moderation import evidence, identity, selectors, stafflog
from club.moderation.errors import Changed, Held, HoldsAnother, NotHeld, TooMany
from club.moderation.models import Case, Category, Complaint, Ruling
from games import clock
from games.errors import Malformed, NotFound
from games.models import Match, Seat
from notifications.services import Telling, tell_all

log = logging.getLogger(__name__)

GRAPHEMES, BYTES = 1000, 16_384
"""Of a complaint."""
REASONS_GRAPHEMES, REASONS_BYTES = 2000, 32_768

A_DAY, DAY = 3, timedelta(days=1)
"""So many complaints of one member in so long a time; those that only add words count too."""


# Filing


@dataclass(frozen=True, slots=True)
class Filed:
    """What came of filing."""

    complaint: Complaint
    """The one whose page has the answer."""
    token: str
    """For a guest, shown once: opens the answer when the cookie is lost. Otherwise empty."""


def file(*, match_id: UUID, member: Member, seat: int, category: str, text: str) -> Filed:
    """Complain about another seat of a match. `selectors.called` says who is told; the accused is told nothing.

    Raises NotFound, AboutOneself, TooLate, Malformed (a reason that is not offered, a text that is not taken), TooMany.
    """
    match, accused = selectors.complainable(match_id, member, seat)
    if category not in Category.values:
        raise Malformed
    text = _cleaned(text, GRAPHEMES, BYTES)
    with transaction.atomic():
        stafflog.lock()
        now = clock.now()
        mine = identity.complaints_by(member)
        _check_day(mine, now)
        first = _unanswered(mine, match, accused)
        due_at = first.due_at if first else now + selectors.ANSWER_IN
        case, is_new = Case.objects.get_or_create(
            accused=accused.member, status=Case.Status.OPEN, defaults={"opened_at": now, "due_at": due_at}
        )
        proof = evidence.collect(match, accused)
        token = secrets.token_urlsafe(32) if member.is_guest and first is None else ""
        complaint = Complaint.objects.create(
            case=case,
            first=first,
            match=match,
            accused_seat=accused.number,
            category=category,
            text=text,
            evidence=proof,
            evidence_sha256=evidence.sha256(proof),
            received_at=now,
            due_at=due_at,
            state=Complaint.State.RECEIVED if is_new else Complaint.State.MERGED,
            pseudonym=identity.pseudonym(member.pk),
            token_digest=digest(token) if token else None,
        )
        identity.keep(complaint, member)
        _opened_or_joined(complaint)
    return Filed(first or complaint, token)


def _cleaned(text: str, graphemes: int, bytes: int) -> str:
    try:
        return clean_text(text, graphemes=graphemes, bytes=bytes)
    except BadText as bad:
        raise Malformed(bad.message) from bad


def _check_day(mine: list[Complaint], now: datetime) -> None:
    today = [complaint.received_at for complaint in mine if complaint.received_at > now - DAY]
    if len(today) >= A_DAY:
        raise TooMany(int((today[A_DAY - 1] + DAY - now).total_seconds()) + 1)


def _unanswered(mine: list[Complaint], match: Match, accused: Seat) -> Complaint | None:
    """What the same member already said about this seat, and nobody has answered."""
    same = [c for c in mine if (c.match_id, c.accused_seat, c.first_id) == (match.pk, accused.number, None)]
    return next((complaint for complaint in same if complaint.state != Complaint.State.ANSWERED), None)


def _opened_or_joined(complaint: Complaint) -> None:
    case = complaint.case
    act = "added" if complaint.first_id else "joined"
    if complaint.state == Complaint.State.RECEIVED:
        act = "opened"
    else:
        case.version += 1
        case.save(update_fields=["version"])
    call(case)
    stafflog.write(act, case.pk, complaint=str(complaint.pk), evidence=bytes(complaint.evidence_sha256).hex())


def call(case: Case) -> None:
    """Tell of a case, each once, and once more when it has become urgent. Doing it again tells nobody twice."""
    urgent = ":urgent" if selectors.is_urgent(case.complaints.all()) else ""
    facts = {"case": str(case.pk)}
    people = selectors.called(case)
    if not people:
        log.error("a complaint waits, and there is neither a moderator nor an owner to be told of it")
    tell_all([Telling(one, "complaint_received", f"case:{case.pk}{urgent}", facts=facts) for one in people])


# The desk


def access_case(case_id: UUID, moderator: Member) -> Case:
    """A case this moderator may see. Raises NotFound; when a conflict is the reason, the try is in the staff log."""
    case = Case.objects.select_related("accused").filter(pk=case_id).first()
    if case is None:
        raise NotFound
    if selectors.is_conflicted(case, moderator):
        with transaction.atomic():
            stafflog.lock()
            stafflog.write("refused", case.pk, moderator)
        raise NotFound
    return case


@contextmanager
def _acting(case_id: UUID, moderator: Member, version: int) -> Iterator[Case]:
    """One act on a case, under its lock: a changed case is saved with a new version. Raises NotFound, Changed."""
    with transaction.atomic():
        stafflog.lock()
        case = Case.objects.select_for_update(of=("self",)).filter(pk=case_id).first()
        if case is None or selectors.is_conflicted(case, moderator):
            raise NotFound
        if case.version != version or case.status != Case.Status.OPEN:
            raise Changed
        yield case
        case.version += 1
        case.save()


def claim(*, case_id: UUID, moderator: Member, version: int) -> None:
    """Take a case, or go on holding it for another twenty minutes. Raises NotFound, Changed, Held, HoldsAnother."""
    with _acting(case_id, moderator, version) as case:
        now = clock.now()
        if selectors.holder(case, now) not in (None, moderator.pk):
            raise Held
        _let_go_of_others(case, moderator, now)
        case.claimed_by, case.claimed_at = moderator, now
        stafflog.write("claimed", case.pk, moderator)


def _let_go_of_others(case: Case, moderator: Member, now: datetime) -> None:
    other = Case.objects.filter(claimed_by=moderator).exclude(pk=case.pk).first()
    if other is None:
        return
    if selectors.holder(other, now):
        raise HoldsAnother
    other.claimed_by = other.claimed_at = None
    other.version += 1
    other.save(update_fields=["claimed_by", "claimed_at", "version"])
    stafflog.write("freed", other.pk)


def release(*, case_id: UUID, moderator: Member, version: int) -> None:
    """Give a case back. Raises NotFound, Changed, NotHeld."""
    with _acting(case_id, moderator, version) as case:
        _check_held(case, moderator)
        case.claimed_by = case.claimed_at = None
        stafflog.write("released", case.pk, moderator)


def _check_held(case: Case, moderator: Member) -> None:
    """Whoever took it and was too slow may still act, as long as nobody else has taken it."""
    if case.claimed_by_id != moderator.pk:
        raise NotHeld


def answer(*, case_id: UUID, moderator: Member, version: int, decision: str, reasons: str) -> Ruling:
    """End a case: everybody who complained is told, nobody else is. Raises NotFound, Malformed, Changed, NotHeld."""
    if decision not in Ruling.Decision.values:
        raise Malformed
    reasons = _cleaned(reasons, REASONS_GRAPHEMES, REASONS_BYTES)
    with _acting(case_id, moderator, version) as case:
        _check_held(case, moderator)
        now = clock.now()
        ruling = Ruling.objects.create(case=case, decision=decision, reasons=reasons, author=moderator, at=now)
        complaints = list(case.complaints.all())
        case.complaints.update(state=Complaint.State.ANSWERED, answered_at=now)
        case.status, case.claimed_by, case.claimed_at = Case.Status.ANSWERED, None, None
        proof = hashlib.sha256(reasons.encode()).hexdigest()
        stafflog.write("answered", case.pk, moderator, decision=decision, reasons=proof)
        _tell_complainants(complaints)
    return ruling


def _tell_complainants(complaints: Iterable[Complaint]) -> None:
    """Each of them once. Nothing in the notice leads to the complaint: its page is found by whoever wrote it."""
    ids = {who for complaint in complaints if (who := identity.complainant(complaint))}
    people = Member.objects.filter(pk__in=ids)
    tell_all([Telling(member, "complaint_answered", f"answer:{uuid4()}") for member in people])
