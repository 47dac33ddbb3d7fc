"""What a move writes, counted in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection

from games.models import Event, Receipt, Turn
from notifications.models import Delivery, Notice

_GROWING = (Event, Receipt, Turn, Notice, Delivery)


def counting() -> Callable[[], Counter[type]]:
    """Begin to count; the function returned tells how many rows each growing table got since."""
    before = _counts()

    def since() -> Counter[type]:
        return _counts() - before

    return since


def _counts() -> Counter[type]:
    return Counter({model: model.objects.count() for model in _GROWING})


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual move: how many events it has, how often it passes the turn (0 to 1), and an event of middle size."""

    events: float
    passes: float
    event: dict[str, str]


def usual(moves: int, written: Counter[type]) -> Usual:
    """What is usual when `moves` moves have `written` so many rows."""
    with connection.cursor() as cursor:
        cursor.execute(_MIDDLE)
        columns = [column.name for column in cursor.description]
        event = dict(zip(columns, cursor.fetchone(), strict=True))
    return Usual(written[Event] / moves, min(1.0, written[Turn] / moves), event)


_MIDDLE = """
SELECT kind, payload::text, secret::text, line::text, digest::text FROM games_event
ORDER BY pg_column_size(games_event.*) OFFSET (SELECT count(*) / 2 FROM games_event) LIMIT 1
"""


# Checks of foreign keys, which the database asks itself, are no statements of a client.
_SENT = """
SELECT coalesce(sum(calls) FILTER (WHERE NOT frame), 0), coalesce(sum(calls) FILTER (WHERE frame), 0)
FROM (
    SELECT calls, query ~* '^(begin|commit)' AS frame FROM pg_stat_statements
    WHERE query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE 'SELECT 1 FROM ONLY %'
) AS sent
"""


def watch_statements() -> None:
    """Forget the statements counted so far."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        cursor.execute("SELECT pg_stat_statements_reset()")


def statements() -> tuple[int, int]:
    """How many statements clients have sent since, and how many more only began or ended a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_SENT)
        work, frames = cursor.fetchone()
        cursor.execute("ALTER SYSTEM SET pg_stat_statements.track = 'none'")
        cursor.execute("SELECT pg_reload_conf()")
    return int(work), int(frames)
