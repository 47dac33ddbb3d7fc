"""Lengths of time at the desk: `{% load desk %}`."""

from __future__ import annotations

from django import template

from notifications import when

register = template.Library()
register.simple_tag(when.span)
