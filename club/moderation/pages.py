"""The page of a case: everything a moderator needs to decide, and nothing that tells who complained."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from club.afterwords.phrases import PHRASES
from club.members.models import Member
from club.moderation.models import Case, Complaint, Ruling, StaffLog
from club.moderation.selectors import Waiting, waiting
from games import clock, store, titles
from games.engine.contract import Title
from games.phrases import Reader
from games.selectors import Told, history
from games.templatetags.say import Writer

ACTS: dict[str, Promise] = {
    "opened": _("Opened by a complaint"),
    "joined": _("Another complaint joined"),
    "gathered": _("Another case on the same member joined"),
    "added": _("Words were added to a complaint"),
    "claimed": _("Taken"),
    "released": _("Given back"),
    "freed": _("Freed after twenty minutes"),
    "answered": _("Answered"),
    "refused": _("Looked for, and refused: a conflict of interest"),
}


@dataclass(frozen=True, slots=True)
class Quoted:
    """One of the accused's words, as it stood when the complaint came."""

    to: str
    sentence: str | Promise
    text: str
    taken_back: bool


@dataclass(frozen=True, slots=True)
class Charge:
    """A complaint as moderators see it: never who complained."""

    complaint: Complaint
    name: str
    """What the accused was called then."""
    words: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True)
class AtHand:
    """A match the case is about. Only the accused has a name in it; while it runs, only what a spectator sees."""

    title: Title
    is_over: bool
    told: tuple[Told, ...]
    reader: Writer


@dataclass(frozen=True, slots=True)
class CasePage:
    waiting: Waiting
    charges: tuple[Charge, ...]
    matches: tuple[AtHand, ...]
    ruling: Ruling | None
    earlier: QuerySet[Ruling]
    """Rulings in other cases of the same member."""
    log: tuple[tuple[StaffLog, Promise], ...]


def case_page(case: Case, moderator: Member) -> CasePage:
    """Everything the desk shows of a case to a moderator without a conflict."""
    complaints = list(case.complaints.select_related("match__table"))
    matches = {complaint.match_id: complaint for complaint in complaints}
    log = StaffLog.objects.filter(case=case.pk).select_related("actor")
    return CasePage(
        waiting=waiting(case, moderator, clock.now()),
        charges=tuple(map(_charge, complaints)),
        matches=tuple(map(_at_hand, matches.values())),
        ruling=Ruling.objects.filter(case=case).first(),
        earlier=Ruling.objects.filter(case__accused=case.accused_id).exclude(case=case).order_by("-at"),
        log=tuple((row, ACTS[row.act]) for row in log),
    )


def _charge(complaint: Complaint) -> Charge:
    words = tuple(
        Quoted(seat_name(word["to"]), PHRASES.get(word["phrase"], ""), word["text"], word["taken_back"])
        for word in complaint.evidence["words"]
    )
    return Charge(complaint, complaint.evidence["name"], words)


def _at_hand(complaint: Complaint) -> AtHand:
    match = complaint.match
    title = titles.of(match.table.ruleset)
    names = [seat_name(number) for number in range(match.table.size)]
    names[complaint.accused_seat] = complaint.evidence["name"]
    reader = Writer.like(Reader(names, title.sides(match.table.options)))
    events = store.load(match.pk)
    told = history(store.states_along(match, events), events, None)
    return AtHand(title, match.is_over, told, reader)


def seat_name(number: int) -> str:
    """What the desk calls a seat: names would tell who may have complained."""
    return gettext("Seat %(number)s") % {"number": number + 1}
