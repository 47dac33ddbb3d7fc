"""Template tags for what lies on the table: `{% load pieces %}`. The drawings are in `templates/pieces/`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from babel.dates import format_skeleton
from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timeuntil
from django.utils.translation import get_language, gettext

register = template.Library()

SOON = timedelta(hours=3)
"""From here on the time left is shown beside the deadline (ui design, section 3)."""


@register.inclusion_tag("pieces/tile.svg.html")
def tile(name: str, lying: bool = False, hub: bool = False, label: str = "") -> dict[str, Any]:
    """Draw a face-up tile.

    Args:
        name: two digits as the tile lies, "52" for a 5 on the left or on top.
        lying: long side across.
        hub: with the brass pin of the double that side arms grow from.
        label: what a screen reader says; without it the drawing is silent, and the words must stand beside it.
    """
    return {"first": name[0], "second": name[1], "lying": lying, "hub": hub, "label": label}


@register.inclusion_tag("pieces/tile.svg.html")
def laid(name: str, hub: bool = False) -> dict[str, Any]:
    """Draw a tile as it lies in a chain: doubles across the line, others along it."""
    return tile(name, lying=name[0] != name[1], hub=hub)


@register.inclusion_tag("pieces/back.svg.html")
def tile_back(lying: bool = False, label: str = "") -> dict[str, Any]:
    """Draw a tile face down."""
    return {"lying": lying, "label": label}


@register.inclusion_tag("pieces/die.svg.html")
def die(value: int, held: bool = False, label: str = "") -> dict[str, Any]:
    """Draw a die showing `value`, 1 to 6. Held dice stand straight, thrown ones lie as they fell."""
    return {"value": value, "held": held, "label": label}


@register.inclusion_tag("pieces/mark.svg.html")
def mark(slug: str) -> dict[str, Any]:
    """Draw the mark of a title; always beside its name, never instead of it."""
    return {"slug": slug}


@register.inclusion_tag("pieces/deadline.html")
def deadline(at: datetime) -> dict[str, Any]:
    """Show a deadline (aware) in the reader's zone: absolute first, then what is left."""
    now = timezone.now()
    left = timeuntil(at, now, depth=1) if at > now else ""
    return {"at": at, "text": until(at, now), "left": left, "soon": at - now < SOON}


def until(at: datetime, now: datetime) -> str:
    """Say a deadline in the reader's language and zone; `at` and `now` are aware."""
    if at <= now:
        return gettext("time is up")
    local = timezone.localtime(at)
    time = date_format(local, "H:i")
    days = (local.date() - timezone.localtime(now).date()).days
    if days == 0:
        return gettext("until {time}").format(time=time)
    if days == 1:
        return gettext("until tomorrow, {time}").format(time=time)
    # Django's own catalogues write Azerbaijani months with a capital; CLDR does not.
    date = format_skeleton("MMMMd", local, locale=get_language() or "en")
    return gettext("until {date}, {time}").format(date=date, time=time)
