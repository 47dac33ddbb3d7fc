"""Loading a position costs what the running round holds, however long the match is (architecture.md 6)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from games import store, titles
from tests.bench.loads import Played
from tests.bench.rounds import Lots
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db

LONG = 300


@contextmanager
def counted_rows() -> Iterator[list[int]]:
    """How many rows each query brings, as the database says it."""
    rows: list[int] = []

    def execute(run, sql, params, many, context):
        result = run(sql, params, many, context)
        rows.append(context["cursor"].rowcount)
        return result

    with connection.execute_wrapper(execute):
        yield rows


@pytest.mark.parametrize("slug", titles.slugs())
def test_a_load_reads_event_one_and_the_running_round(slug, monkeypatch):
    lots = Lots(1)
    monkeypatch.setattr(store, "chance_of", lambda table, transcript: lots)
    stored = Played(MemberFactory.create_batch(2), slug, LONG, idle=True).store(LONG, tail=3)
    match = stored.match
    with counted_rows() as rows:
        state = store.state_of(match, stored.seats)
    since = match.number - match.opening + 1
    assert rows == [since + 1]
    assert match.number > 5 * since
    assert state == store.states_along(match, store.load(match.pk))[-1]
