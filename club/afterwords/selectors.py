"""What is read of kind words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from club.afterwords.models import Afterword
from games import clock
from games.models import Match, Seat

OPEN_FOR = timedelta(hours=168)
"""How long after the end of a match words can be said, by the database's clock."""


@dataclass(frozen=True, slots=True)
class Said:
    """A word as one seat of the match sees it."""

    word: Afterword
    to: Seat
    to_me: bool


@dataclass(frozen=True, slots=True)
class Card:
    """Another seat of the match: what came from there, and what went there from mine."""

    seat: Seat
    said: tuple[Said, ...]
    """What this seat said to anybody, without what was taken back."""
    mine: Afterword | None
    """My word to this seat, taken back or not."""
    may_write: bool


def closes_at(match: Match) -> datetime | None:
    """Until when words can be said; None where they cannot: the match runs, or was annulled."""
    if match.ended_at is None or match.status == Match.Status.VOIDED:
        return None
    return match.ended_at + OPEN_FOR


def is_open(match: Match) -> bool:
    """Whether words can be said now."""
    until = closes_at(match)
    return until is not None and clock.now() < until


def is_somebody(seat: Seat) -> bool:
    """Whether there is still a person to say something to. A seat that a bot played on is still its member's."""
    return seat.member.is_active


def cards(match: Match, mine: Seat) -> tuple[Card, ...]:
    """The other seats of a match as the seat `mine` sees them. All seats see all words (moderation.md 1)."""
    seats = {seat.number: seat for seat in Seat.objects.filter(table_id=match.pk).select_related("member")}
    words = list(Afterword.objects.filter(match=match))
    open_now = is_open(match)
    others = [seat for seat in seats.values() if seat.number != mine.number]
    return tuple(_card(seat, seats, words, mine, open_now) for seat in others)


def _card(seat: Seat, seats: dict[int, Seat], words: list[Afterword], mine: Seat, open_now: bool) -> Card:
    said = tuple(
        Said(word, seats[word.reader_seat], word.reader_seat == mine.number)
        for word in words
        if word.author_seat == seat.number and word.withdrawn_at is None
    )
    own = next((w for w in words if (w.author_seat, w.reader_seat) == (mine.number, seat.number)), None)
    return Card(seat, said, own, open_now and own is None and is_somebody(seat))
