"""People who come to the pages of the club."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest

from club.config import celery
from tests.club.visitor import Visitor


@pytest.fixture
def new_visitor() -> Iterator[Callable[..., Visitor]]:
    """`new_visitor(**options)`: a client with cookies and an address of its own; its mails need no worker."""
    numbers = itertools.count(1)
    celery.conf.task_always_eager = True
    yield lambda **options: Visitor(f"192.0.2.{next(numbers)}", **options)
    celery.conf.task_always_eager = False


@pytest.fixture
def visitor(new_visitor: Callable[..., Visitor]) -> Visitor:
    return new_visitor()
