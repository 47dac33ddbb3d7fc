"""Saying a kind word and taking it back."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from club.afterwords import selectors
from club.afterwords.errors import AlreadySaid, Annulled, NotOver, TooLate, ToOneself
from club.afterwords.models import Afterword
from club.afterwords.phrases import PHRASES
from club.members.models import Member
from club.members.text import BadText, clean_text
from games import clock
from games.errors import Malformed, NotFound
from games.models import Match, Seat
from games.selectors import access_match
from notifications.services import cancel, tell

GRAPHEMES, BYTES = 280, 4096


def about_word(word: Afterword) -> str:
    """What notices about a word are about."""
    return f"afterword:{word.pk}"


def write(*, match_id: UUID, member: Member, seat: int, phrase: str = "", text: str = "") -> Afterword:
    """Say a word to another seat of a finished match; its member is told that there is one.

    Raises NotFound (not my match, no such seat, nobody there), Malformed (no such phrase, text not taken, nothing
    said), NotOver, Annulled, TooLate, ToOneself, AlreadySaid: of two sent at once the first is stored.
    """
    match, mine = access_match(match_id, member)
    reader = _reader(match, mine, seat)
    check_open(match)
    phrase, text = _cleaned(phrase, text)
    with transaction.atomic():
        word, is_new = Afterword.objects.get_or_create(
            match=match,
            author_seat=mine.number,
            reader_seat=reader.number,
            defaults={
                "author": mine.member,
                "reader": reader.member,
                "phrase": phrase,
                "text": text,
                "written_at": clock.now(),
            },
        )
        if not is_new:
            raise AlreadySaid
        facts = {"afterword": str(word.pk)}
        tell(reader.member, "afterword", about=about_word(word), thread=str(match.pk), facts=facts)
    return word


def _reader(match: Match, mine: Seat, number: int) -> Seat:
    if number == mine.number:
        raise ToOneself
    seat = Seat.objects.filter(table_id=match.pk, number=number).select_related("member").first()
    if seat is None or not selectors.is_somebody(seat):
        raise NotFound
    return seat


def check_open(match: Match) -> None:
    """Raises NotOver, Annulled or TooLate when no word can be said after this match."""
    if not match.is_over:
        raise NotOver
    if match.status == Match.Status.VOIDED:
        raise Annulled
    if not selectors.is_open(match):
        raise TooLate


def _cleaned(phrase: str, text: str) -> tuple[str, str]:
    if phrase and phrase not in PHRASES:
        raise Malformed
    if phrase and not text.strip():
        return phrase, ""
    try:
        return phrase, clean_text(text, graphemes=GRAPHEMES, bytes=BYTES)
    except BadText as bad:
        raise Malformed(bad.message) from bad


@transaction.atomic
def withdraw(*, match_id: UUID, member: Member, seat: int) -> None:
    """Take my word to a seat back, for good. Doing it twice changes nothing. Raises NotFound."""
    match, mine = access_match(match_id, member)
    mine_to_seat = Afterword.objects.filter(match=match, author_seat=mine.number, reader_seat=seat)
    word = mine_to_seat.select_for_update().first()
    if word is None:
        raise NotFound
    if word.withdrawn_at is None:
        word.withdrawn_at = clock.now()
        word.save(update_fields=["withdrawn_at"])
        cancel(about_word(word))
