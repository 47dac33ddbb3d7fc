"""Moments as people read them: their language, their clock, the city that names it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from club.members.models import Member
from notifications import when

EVENING = datetime(2026, 12, 1, 17, 40, tzinfo=UTC)


def reader(language: str, zone: str = "Asia/Baku") -> Member:
    return Member(language=language, time_zone=zone)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Tue 1 Dec, 21:40 (Baku)"),
        ("ru", "вт 1 дек., 21:40 (Баку)"),
        ("az", "1 dek, Ç.a., 21:40 (Bakı)"),
        ("tr", "1 Ara Sal, 21:40 (Bakü)"),
    ],
)
def test_a_moment_in_each_language(language, said):
    assert when.local_time(EVENING, reader(language)) == said


@pytest.mark.parametrize(
    ("moment", "zone", "said"),
    [
        # Summer time ends in Berlin: two o'clock comes twice.
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "Europe/Berlin", "Sun 25 Oct, 02:30 (Berlin)"),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "Europe/Berlin", "Sun 25 Oct, 02:30 (Berlin)"),
        (datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "Europe/Berlin", "Sun 29 Mar, 03:30 (Berlin)"),
        (datetime(2028, 2, 28, 20, 30, tzinfo=UTC), "Asia/Baku", "Tue 29 Feb, 00:30 (Baku)"),
        (datetime(2026, 12, 31, 22, 0, tzinfo=UTC), "Europe/Istanbul", "Fri 1 Jan, 01:00 (Istanbul)"),
        (EVENING, "America/Argentina/Buenos_Aires", "Tue 1 Dec, 14:40 (Buenos Aires)"),
        (EVENING, "Asia/Calcutta", "Tue 1 Dec, 23:10 (Kolkata)"),
        (EVENING, "UTC", "Tue 1 Dec, 17:40 (UTC)"),
    ],
)
def test_a_moment_in_each_zone(moment, zone, said):
    assert when.local_time(moment, reader("en", zone)) == said


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(hours=24) - timedelta(microseconds=1), "23 h 59 min"),
        (timedelta(hours=4), "4 h"),
        (timedelta(hours=47, minutes=59, seconds=59), "47 h 59 min"),
        (timedelta(hours=48), "2 d"),
        (timedelta(days=3, hours=2, minutes=59), "3 d 2 h"),
        (timedelta(minutes=1, seconds=59), "1 min"),
        (timedelta(seconds=59), "less than 1 min"),
    ],
)
def test_what_is_left_is_rounded_down(left, said):
    with translation.override("en"):
        assert when.span(left).replace("\N{NO-BREAK SPACE}", " ") == said


def test_a_deadline_says_the_moment_and_what_is_left(db):
    deadline = when.now() + timedelta(hours=4, seconds=30)
    with translation.override("en"):
        said = when.until(deadline, reader("en"))
    assert said.replace("\N{NO-BREAK SPACE}", " ") == f"{when.local_time(deadline, reader('en'))}, in 4 h"


def test_a_deadline_that_is_over_says_the_moment_alone(db):
    deadline = when.now() - timedelta(seconds=1)
    assert when.until(deadline, reader("en")) == when.local_time(deadline, reader("en"))
