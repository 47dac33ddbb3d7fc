"""Wiring only: settings, addresses, servers. Nobody imports from here."""

from club.config.celery import app as celery

__all__ = ["celery"]
