"""Moments in templates: `{% load when %}`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import template

from notifications import when

register = template.Library()


@register.simple_tag(takes_context=True)
def local_time(context: dict[str, Any], moment: datetime) -> str:
    """A moment on the clock of the member who reads the page."""
    return when.local_time(moment, context["user"])
