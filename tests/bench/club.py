"""A club of the benchmark's own: database, broker and web server as strangers would meet them.

PostgreSQL keeps every promise of durability, Django runs with the settings of production, and the data lie on the disk
under `var/` (for root where the embedded server keeps them), because a file system in memory promises nothing.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import django
from django.core.management import call_command
from django.db import connection

from club.stack import ROOT
from club.stack.lock import Lock
from club.stack.opening import web
from club.stack.postgres import Postgres
from club.stack.process import Process, Service, stop, wait_ready
from club.stack.valkey import Valkey

HOST = "127.0.0.1"
SETTINGS = ("fsync=on", "synchronous_commit=on", "full_page_writes=on", "shared_preload_libraries=pg_stat_statements")


@dataclass(frozen=True, slots=True)
class Club:
    """An open club. `trees` are the ids of its processes, by name; `var` is its folder."""

    var: Path
    port: int
    postgres: Postgres
    trees: dict[str, int]


@contextmanager
def open_club() -> Iterator[Club]:
    """Open it; in the end close it and leave nothing behind.

    Raises:
        AlreadyRunning: another benchmark is running in this folder.
        Failed: a server did not start.
    """
    var = Path(os.environ.get("CLUB_VAR", ROOT / "var")) / "bench"
    lock = Lock(var)
    postgres, valkey = Postgres(var, lock.sockets, *SETTINGS), Valkey(var, lock.sockets)
    port = _free_port()
    running: dict[str, Process] = {}

    def start(service: Service) -> None:
        running[service.name] = Process(service, var / "log" / f"{service.name}.log", [lock.fd])
        wait_ready(running[service.name])

    try:
        _remove(postgres.data)  # of a run that was killed
        postgres.prepare()
        valkey.prepare()
        start(postgres.service())
        start(valkey.service())
        _configure(var, postgres.url, valkey.url, port)
        call_command("migrate", verbosity=0)
        start(web(HOST, port))
        yield Club(var, port, postgres, {name: process.pid for name, process in running.items()})
    finally:
        stop([*running.values()][::-1])
        _remove(postgres.data)
        lock.release()
        shutil.rmtree(var, ignore_errors=True)


def _configure(var: Path, database: str, redis: str, port: int) -> None:
    """Set up Django here, and by the environment in the web server, as in production."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="club.config.settings.prod",
        SECRET_KEY=secrets.token_urlsafe(40),
        CLUB_MASTER_KEY=secrets.token_hex(32),
        CLUB_VAR=str(var),
        DATABASE_URL=database,
        REDIS_URL=redis,
        ALLOWED_HOSTS=HOST,
        SITE_URL=f"https://{HOST}:{port}",
    )
    django.setup()


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as free:
        return free.getsockname()[1]


def _remove(data: Path) -> None:
    """Remove a database; root's is behind a link, in a folder made for it alone."""
    if data.is_symlink():
        shutil.rmtree(data.resolve().parent, ignore_errors=True)
        data.unlink()
    shutil.rmtree(data, ignore_errors=True)


def durability() -> dict[str, str]:
    """What the database promises, as it says itself."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit')")
        return dict(cursor.fetchall())
