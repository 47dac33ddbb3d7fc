"""What the templates of tables and matches are given, made from what the selectors know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.utils.translation import gettext as _

from club.members.models import Member
from games import selectors, titles
from games.engine.contract import Move
from games.models import Match, Seat, Table
from games.phrases import Reader
from games.selectors import MatchPage, Offer, Told
from games.templatetags.say import Writer

Sides = Sequence[Sequence[int]]

LATELY = 12
"""How many stand on the match page; the others are one link away."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat as its card shows it; `side` is a letter where partners share a score, `left` counts hidden tiles."""

    name: str
    score: int
    turn: bool
    you: bool
    side: str
    left: int | None
    note: str


@dataclass(frozen=True, slots=True)
class Steps:
    """Where to go while looking back: event numbers, None where there is nowhere to go."""

    index: int
    count: int
    first: int | None
    back: int | None
    on: int | None
    last: int | None


def match_context(found: Match, mine: Seat, *, at: str = "", stage: str = "", refusal: object = None) -> dict[str, Any]:
    """The match as the seat `mine` sees it; `at` and `stage` as they stand in the address, hostile or not."""
    page = selectors.match_page(found, mine, _number(at))
    elsewhere = [turn for turn in selectors.waiting_turns(mine.member) if turn.match_id != found.pk]
    told = [event for event in page.history if event.phrases]
    return {
        "page": page,
        "reader": Writer.like(Reader.of(page)),
        "chairs": _chairs(page),
        "key": str(uuid4()),
        "stage": stage,
        "staged": _staged(page.offers, stage),
        **_since(page),
        "told": told,
        "lately": told[: -LATELY - 1 : -1],
        "here": next((event for event in told if event.number == page.number), None),
        "steps": _steps(told, page.number),
        "elsewhere": len(elsewhere),
        "next_turn": elsewhere[0] if elsewhere else None,
        "next_title": titles.of(elsewhere[0].match.table.ruleset) if elsewhere else None,
        "refusal": refusal,
        "result": selectors.result(found) if found.is_over else "",
        "options": selectors.options_in_words(found.table),
        "commitment": selectors.commitment(found.table),
        "board_template": f"titles/{page.title.SLUG}/board.html",
        "moves_template": f"titles/{page.title.SLUG}/moves.html",
    }


def _since(page: MatchPage) -> dict[str, Any]:
    """The strip above the board: the last of what is new that wrote points, or the last of all; how much more there is,
    and where it begins."""
    new = [event for event in page.since if event.phrases] if page.is_latest else []
    return {
        "since": next((event for event in reversed(new) if event.wrote), new[-1] if new else None),
        "since_more": len(new) - 1,
        "since_from": new[0].number if new else None,
        "has_moved": any(event.chosen and event.seat == page.mine.number for event in page.history),
    }


def _number(at: str) -> int | None:
    return int(at) if at.isascii() and at.isdigit() and len(at) < 10 else None


def _staged(offers: Iterable[Offer], stage: str) -> list[Offer]:
    """The moves that `stage` means: a whole move, or all that lay a tile whose end is still open."""
    return [offer for offer in offers if stage and stage in {offer.move, *_laid_by(offer.move)}]


def _laid_by(move: Move) -> list[str]:
    """The tiles of a move such as `33@L+22@R`."""
    return [part.partition("@")[0] for part in move.split("+")]


def _chairs(page: MatchPage) -> list[Chair]:
    sides = page.title.sides(page.match.table.options)
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    letters = _letters(sides, len(page.seats))
    # Titles with hidden hands tell in `counts` how many tiles each seat holds.
    counts = getattr(page.view, "counts", ())
    return [
        Chair(
            name=_("You") if seat == page.mine else seat.member.name,
            score=page.scores[side_of[seat.number]],
            turn=seat.number in page.to_act,
            you=seat == page.mine,
            side=letters.get(seat.number, ""),
            left=counts[seat.number] if counts else None,
            note=_("bot") if seat.left else "",
        )
        for seat in page.seats
    ]


def _steps(told: list[Told], number: int) -> Steps:
    numbers = [event.number for event in told]
    before = [known for known in numbers if known < number]
    after = [known for known in numbers if known > number]
    return Steps(
        index=len(numbers) - len(after),
        count=len(numbers),
        first=before[0] if before else None,
        back=before[-1] if before else None,
        on=after[0] if after else None,
        last=after[-1] if after else None,
    )


def table_context(found: Table, member: Member | None, refusal: object = None) -> dict[str, Any]:
    """A table before the start, as `member` (None: nobody yet) sees it."""
    sits = selectors.sits_at(found, member)
    return {
        "table": found,
        "title": titles.of(found.ruleset),
        "places": _places(found),
        "sits": sits,
        "code": selectors.room_code(found) if found.is_private and sits else "",
        "options": selectors.options_in_words(found),
        "commitment": selectors.commitment(found),
        "hours": found.turn_seconds // 3600,
        "refusal": refusal,
    }


@dataclass(frozen=True, slots=True)
class Place:
    """A place at a table before the start; `side` as in Chair."""

    number: int
    member: Member | None
    side: str


def _places(found: Table) -> list[Place]:
    letters = _letters(titles.of(found.ruleset).sides(found.options), found.size)
    seated = {seat.number: seat.member for seat in found.seats.select_related("member")}
    return [Place(number, seated.get(number), letters.get(number, "")) for number in range(found.size)]


def _letters(sides: Sides, size: int) -> dict[int, str]:
    """The letter of each seat that shares its score."""
    return {seat: "AB"[side] for side, seats in enumerate(sides) for seat in seats if len(sides) < size}
