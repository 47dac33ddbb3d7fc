"""Phrases of the engine in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine.contract import Phrase, SeatName, SideName, Sum, Tiles, Value, Word

PLAIN_TILE = _("{a} and {b}")
DOUBLE_TILE = _("double {a}")
ALL_NAMES = _("{some} and {last}")


@dataclass(frozen=True, slots=True)
class Reader:
    """Says phrases of one match: it knows who sits where."""

    names: Sequence[str] = ()
    sides: Sequence[Sequence[int]] = ()

    @classmethod
    def of(cls, page) -> Reader:
        """The reader of a match page (selectors.MatchPage)."""
        sides = page.title.sides(page.match.table.options)
        return cls([seat.member.name for seat in page.seats], sides)

    def say(self, phrase: Phrase) -> str:
        """The sentence in the active language."""
        return self.filled(gettext(phrase.text), phrase.values)

    def filled(self, text: str, values: Mapping[str, Value]) -> str:
        """A translated sentence with its values as words."""
        return text.format_map(_Words(self, values))

    def word(self, value: Value) -> str:
        if isinstance(value, SeatName):
            return self.names[value.seat]
        if isinstance(value, SideName):
            return joined([self.names[seat] for seat in self.sides[value.side]])
        if isinstance(value, Tiles):
            return ", ".join(map(spoken, value.tiles))
        if isinstance(value, Word):
            return gettext(value.text)
        if isinstance(value, Sum):
            return " + ".join(f"{number} ({spoken(tile)})" if tile else str(number) for number, tile in value.terms)
        return str(value)


class _Words(dict):
    """The values of a phrase as words. A catalogue with a placeholder too many shows it instead of failing."""

    def __init__(self, reader: Reader, values: Mapping[str, Value]) -> None:
        super().__init__({name: reader.word(value) for name, value in values.items()})

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def spoken(tile: str) -> str:
    """A tile as it is read aloud: a dash would be heard as minus, or a date."""
    form = DOUBLE_TILE if tile[0] == tile[1] else PLAIN_TILE
    return str(form).format(a=tile[0], b=tile[1])


def joined(names: Sequence[str]) -> str:
    """Names in a row: "Leyla, Rauf and Ada"."""
    *some, last = names
    return str(ALL_NAMES).format(some=", ".join(some), last=last) if some else last
