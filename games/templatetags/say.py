"""Template tags for what the engine says: `{% load say %}`. Tags take the `reader` of the context, a `Writer`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from babel.dates import format_skeleton
from babel.numbers import format_percent
from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from games import phrases
from games.engine.contract import Phrase, SeatName, SideName, Value

register = template.Library()


class Writer(phrases.Reader):
    """Says phrases for a page: escaped, each name in `<bdi>`, so that no name turns the words around it about."""

    @classmethod
    def like(cls, reader: phrases.Reader) -> Writer:
        """The writer who knows the same seats."""
        return cls([format_html("<bdi>{}</bdi>", name) for name in reader.names], reader.sides)

    def say(self, phrase: Phrase) -> SafeString:
        """The sentence as HTML, in the active language."""
        return mark_safe(self.filled(escape(gettext(phrase.text)), phrase.values))

    def word(self, value: Value) -> str:
        said = super().word(value)
        return said if isinstance(value, SeatName | SideName) else escape(said)


@register.simple_tag(takes_context=True)
def say(context: dict[str, Any], phrase: Phrase) -> SafeString:
    """Say one phrase."""
    return context["reader"].say(phrase)


@register.simple_tag(takes_context=True)
def tell(context: dict[str, Any], told: Iterable[Phrase]) -> SafeString:
    """Say all phrases of an event, one sentence after the other."""
    return mark_safe(" ".join(context["reader"].say(phrase) for phrase in told))


@register.filter
def spoken(tile: str) -> str:
    """A tile in words: "2 and 5", "double 3"."""
    return phrases.spoken(tile)


@register.filter
def percent(count: int) -> str:
    """A share of a hundred as the language writes it."""
    return format_percent(count / 100, locale=_locale())


@register.filter
def moment(at: datetime) -> str:
    """When something happened, in the reader's zone: the time, and the day unless it was today."""
    local = timezone.localtime(at)
    time = date_format(local, "H:i")
    if local.date() == timezone.localtime().date():
        return time
    return f"{format_skeleton('MMMd', local, locale=_locale())}, {time}"


def _locale() -> str:
    return get_language() or "en"
