"""The trainer: where somebody stands in it is written in the address, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from django.http import QueryDict
from django.utils.http import urlencode

from games import titles
from games.engine.quiz import Answer, Question
from games.templatetags.diagrams import drawing
from games.templatetags.say import Writer

LAST = 9999
"""The last question; the first one comes after it."""

SCALE = 1.8
"""Pixels of a unit where there is room: a tile is 36 px wide."""


class Nowhere(Exception):
    """An address that is no place in the trainer."""


_NUMBER = re.compile(r"0|[1-9]\d{0,3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Place:
    """Question `number` and what was answered, by its key; `right` of `asked` answers were right so far.

    With `counted` the first answer to this question is among them, and looking at other answers counts no more.
    """

    number: int = 1
    answer: str | None = None
    right: int = 0
    asked: int = 0
    counted: bool = False

    @classmethod
    def read(cls, query: QueryDict) -> Place:
        """The place an address names. Raises Nowhere."""
        number, right, asked = (_read(query.get(name, start)) for name, start in (("n", "1"), ("r", "0"), ("of", "0")))
        if not number or right > asked:
            raise Nowhere
        # Dice are ticked one by one, in any order.
        answer = " ".join(sorted(query.getlist("a"))) if "a" in query else None
        return cls(number, answer, right, asked, "seen" in query)

    @property
    def query(self) -> dict[str, str]:
        """The place without the answer, as parameters of an address."""
        given = {"n": self.number, "r": self.right, "of": self.asked}
        return {name: str(value) for name, value in given.items() if value} | ({"seen": "1"} if self.counted else {})

    @property
    def address(self) -> str:
        answer = [("a", part) for part in (self.answer or "").split()]
        return f"?{urlencode([*self.query.items(), *answer])}#q"

    def after(self, answer: Answer) -> Place:
        """The same place once `answer` has been counted."""
        if self.counted or self.asked == LAST:
            return replace(self, counted=True)
        return replace(self, right=self.right + answer.is_right, asked=self.asked + 1, counted=True)

    @property
    def next(self) -> Place:
        return replace(self, number=self.number % LAST + 1, answer=None, counted=False)


def _read(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise Nowhere
    return int(text)


@dataclass(frozen=True, slots=True)
class Way:
    """An answer, where it leads, and whether it is the one that was given."""

    answer: Answer
    url: str
    is_chosen: bool


def question(slug: str, number: int) -> Question:
    """Question `number` of a title, which must exist."""
    return import_module(f"{titles.__name__}.{slug}.quiz").question(number)


def context(slug: str, query: QueryDict) -> dict[str, Any]:
    """What the page is given. Raises Nowhere, also for an unknown title and an answer to some other question."""
    if slug not in titles.slugs():
        raise Nowhere
    place = Place.read(query)
    asked = question(slug, place.number)
    answers = {answer.key: answer for answer in asked.answers}
    if place.answer is not None and place.answer not in answers:
        raise Nowhere
    given = answers[place.answer] if place.answer is not None else None
    here = place.after(given) if given else place
    ways = [Way(answer, replace(here, answer=answer.key).address, answer is given) for answer in asked.answers]
    return {
        "title": titles.get(slug),
        "question": asked,
        "place": here,
        "given": given,
        "ways": ways,
        "right": [answer for answer in asked.answers if answer.is_right],
        "dice": _ticked(asked, place.answer),
        "drawing": _drawing(asked, given, {way.answer.key: way.url for way in ways}),
        "reader": Writer(),
    }


def _ticked(asked: Question, answer: str | None) -> list[tuple[int, bool]]:
    """The dice as thrown, each with whether it is one of the answer."""
    left = (answer or "").split()
    found = []
    for face in asked.dice:
        ticked = str(face) in left
        if ticked:
            left.remove(str(face))
        found.append((face, ticked))
    return found


def _drawing(asked: Question, given: Answer | None, urls: Mapping[str, str]) -> dict[str, Any] | None:
    """The table before the answer, with the ends to tap; after it as it is then, with what counts."""
    if not asked.table.line:
        return None
    if given:
        return drawing(given.table, asked.hub_count, SCALE, fresh=asked.tile or asked.fresh)
    drawn = drawing(asked.table, None, SCALE, tile=asked.tile, fresh=asked.fresh)
    return drawn | {"spots": [(spot, urls[spot.end]) for spot in drawn["picture"].spots]}
