"""The ceiling: what the same database takes when nothing but the rows of a move is written, by pgbench.

One transaction as the services write one, without Python: the match is locked and updated, events and a receipt are
inserted; when the move passes the turn, that turn is closed with its notices called off, and the next one is opened
with its notices and their deliveries. How often a turn passes and how many events there are is taken from the moves
that the clients really made, and so are the bytes of an event.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.utils import timezone

from club.members.models import Member
from club.stack.postgres import DATABASE, Postgres
from club.stack.process import Failed
from games.models import Match, Table, Turn
from tests.bench.rows import Usual, middle_event

_MOVE = """\
\\set events {events} + (case when random(1, 1000) <= {more} then 1 else 0 end)
BEGIN;
SELECT number AS was FROM games_match WHERE table_id = {match} FOR UPDATE \\gset
INSERT INTO games_event (match_id, number, kind, seat, payload, secret, at, line, digest)
    SELECT {match}, :was::int + step, '{kind}', 0, '{payload}', '{secret}', now(), '{line}',
        '{digest}'
    FROM generate_series(1, :events::int) AS step;
{turn}
UPDATE games_match SET number = number + :events, opening = number, to_act = '[0]', scores = '[100, 100]',
    head = '{digest}', moved_at = now()
    WHERE table_id = {match};
INSERT INTO games_receipt (match_id, seat, key, body, number)
    VALUES ({match}, 0, gen_random_uuid()::text, '{digest}', :was::int + :events::int);
COMMIT;
"""

_PASSES = """\
UPDATE games_turn SET closed_at = now(), how = 'move'
    WHERE match_id = {match} AND closed_at IS NULL RETURNING id AS closed \\gset
WITH unsent AS (
    UPDATE notifications_delivery SET state = 'cancelled' FROM notifications_notice AS notice
    WHERE notice.id = notice_id AND notice.about = 'turn:' || :closed::text AND state = 'queued'
)
UPDATE notifications_notice SET cancelled_at = now() WHERE about = 'turn:' || :closed::text;
INSERT INTO games_turn (match_id, seat, opened_at, due_at, promised_at, how)
    VALUES ({match}, 1, now(), now() + interval '1 day', now() + interval '1 day', '')
    RETURNING id AS opened \\gset
WITH notice AS (
    INSERT INTO notifications_notice (member_id, kind, about, thread, facts, send_at, due_at, created_at)
    SELECT {match}, kind, 'turn:' || :opened::text,
        ({match})::text,
        jsonb_build_object('match', {match}, 'turn', :opened::text), now() + later,
        now() + interval '1 day', now()
    FROM (VALUES ('low_time', interval '20 hours'), ('your_turn', interval '0')) AS told (kind, later)
    RETURNING id, send_at
)
INSERT INTO notifications_delivery (notice_id, channel, state, tries, next_try_at, why, message_id)
    SELECT id, 'email', 'queued', 0, send_at, '', gen_random_uuid() FROM notice;
"""


_MATCH = "lpad(:client_id::text, 32, '0')::uuid"
"""The match of a client of pgbench, which can count but has no list of ids."""


@dataclass(frozen=True, slots=True)
class Bout:
    """What pgbench reports: transactions a second, and how many there were."""

    rate: float
    transactions: int


class Ceiling:
    """Matches of pgbench's own, and the transaction it plays in them."""

    def __init__(self, postgres: Postgres, most: int, folder: Path) -> None:
        """At most `most` clients at a time; the scripts are written to `folder`."""
        self.postgres = postgres
        self.folder = folder
        self.version = _run([postgres.bin / "pgbench", "--version"]).split()[2]
        self.event = middle_event()
        for client in range(most):
            _seat(client)

    def _scripts(self, usual: Usual) -> list[str]:
        """A move that leaves the turn where it is and one that passes it, each as often as it happens."""
        whole, more = divmod(usual.events, 1)
        values = {"events": int(whole), "more": round(more * 1000), "match": _MATCH, **self.event}
        words = []
        for name, turn, share in (("stays", "", 1 - usual.passes), ("passes", _PASSES, usual.passes)):
            path = self.folder / f"{name}.sql"
            path.write_text(_MOVE.format(**values, turn=turn.format(match=_MATCH)))
            words += ["-f", f"{path}@{round(share * 1000)}"]
        return words

    def measure(self, usual: Usual, clients: int, seconds: int) -> Bout:
        """Play usual moves with `clients` clients for `seconds`.

        Raises:
            Failed: pgbench would not, or a transaction failed.
        """
        said = _run(
            [
                self.postgres.bin / "pgbench",
                *("-h", self.postgres.sockets, "-U", "postgres", "-n", "-M", "prepared", "-c", clients),
                *("-j", min(clients, 2), "-T", seconds, *self._scripts(usual), DATABASE),
            ]
        )
        rate, done = re.search(r"^tps = ([\d.]+)", said, re.M), re.search(r"actually processed: (\d+)", said)
        if not rate or not done or "failed transactions: 0 " not in said:
            raise Failed(f"pgbench said:\n{said}")
        return Bout(float(rate[1]), int(done[1]))


def _seat(client: int) -> None:
    """The rows that a move of `client` changes: a running match with an open turn."""
    pk, moment = UUID(f"{client:032}"), timezone.now()
    member = Member.objects.create_user(f"Ceiling {client}", id=pk, email=f"{pk}@example.org", email_confirmed=True)
    table = Table.objects.create(
        id=pk,
        title="thousand",
        ruleset="thousand/1",
        size=2,
        options={},
        turn_seconds=86_400,
        opener=member,
        status=Table.Status.STARTED,
        chain_length=1,
        opened_at=moment,
        expires_at=moment,
    )
    match = Match.objects.create(
        table=table, transcript=b"", setup_length=0, head=b"", started_at=moment, moved_at=moment
    )
    Turn.objects.create(match=match, seat=0, opened_at=moment, due_at=moment, promised_at=moment)


def _run(argv: Sequence[object]) -> str:
    done = subprocess.run([str(word) for word in argv], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"pgbench ended with status {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout
