"""What a move writes, counted in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

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


@dataclass(slots=True)
class Usual:
    """What the moves have written so far, and so what a usual move writes."""

    moves: int = 0
    written: Counter[type] = field(default_factory=Counter)

    def add(self, moves: int, written: Counter[type]) -> None:
        """Count `moves` more, which have `written` so many rows."""
        self.moves += moves
        self.written += written

    @property
    def events(self) -> float:
        """Of a move."""
        return self.written[Event] / self.moves

    @property
    def passes(self) -> float:
        """How often a move passes the turn, 0 to 1."""
        return min(1.0, self.written[Turn] / self.moves)


def middle_event() -> dict[str, str]:
    """An event of middle size, as SQL writes its values."""
    with connection.cursor() as cursor:
        cursor.execute(_MIDDLE)
        return dict(zip([column.name for column in cursor.description], cursor.fetchone(), strict=True))


_MIDDLE = """
SELECT kind, payload::text, secret::text, line::text, digest::text FROM games_event
ORDER BY pg_column_size(games_event.*) OFFSET (SELECT count(*) / 2 FROM games_event) LIMIT 1
"""

# Checks of foreign keys, which the database asks itself, are no statements of a client.
_SENT = """
SELECT coalesce(sum(calls), 0) FROM pg_stat_statements
WHERE query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE 'SELECT 1 FROM ONLY %' AND query !~* '^(begin|commit)'
"""


def watch_statements() -> None:
    """Count statements from now on."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        cursor.execute("SELECT pg_stat_statements_reset()")


def statements() -> int:
    """How many statements clients have sent since, beside BEGIN and COMMIT. From now on none are counted."""
    with connection.cursor() as cursor:
        cursor.execute(_SENT)
        (sent,) = cursor.fetchone()
        cursor.execute("ALTER SYSTEM SET pg_stat_statements.track = 'none'")
        cursor.execute("SELECT pg_reload_conf()")
    return int(sent)
