"""A pytest plugin: each process that runs tests has a PostgreSQL and a Valkey of its own.

They start when tests were collected that may need them, live on sockets in a temporary folder, and end with the
process, however it ends. So tests never meet a database of anybody's, and parallel runs never meet each other.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from club.stack.lock import AlreadyRunning, Lock, temporary_folder, temporary_place
from club.stack.postgres import Postgres
from club.stack.process import Process, stop, wait_ready
from club.stack.valkey import Valkey

WITHOUT = ("engine", "titles", "stack")
"""Folders of tests/ that need no servers, or start their own."""
IN_A_HURRY = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


class Services:
    """The two servers of this process."""

    def __init__(self) -> None:
        self.var = temporary_folder("club-tests-")
        self.var.chmod(0o711)
        self.lock = Lock(self.var)
        self.postgres = Postgres(self.var, self.lock.sockets, *IN_A_HURRY, home=self.var)
        self.valkey = Valkey(self.var, self.lock.sockets)
        self.running: list[Process] = []

    @property
    def environment(self) -> dict[str, str]:
        """What the settings read."""
        urls = {"DATABASE_URL": self.postgres.url, "REDIS_URL": self.valkey.url}
        return {**urls, "CLUB_VAR": str(self.var)}

    def start(self) -> None:
        """Start both."""
        self.valkey.prepare()
        self.postgres.prepare()
        for service in (self.valkey.service(), self.postgres.service()):
            self.running.append(Process(service, self.log(service.name), [self.lock.fd]))
        for process in self.running:
            wait_ready(process)

    def log(self, name: str) -> Path:
        """The log of a service."""
        return self.var / "log" / f"{name}.log"

    def stop(self) -> None:
        """Stop both, and leave nothing behind."""
        stop(self.running)
        self.lock.release()
        shutil.rmtree(self.var, ignore_errors=True)


services = pytest.StashKey[Services]()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Say where the servers will be before the settings are read."""
    remove_leftovers()
    early_config.stash[services] = Services()
    os.environ.update(early_config.stash[services].environment)
    return (yield)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Start them, if a test may need them."""
    tests = session.config.rootpath / "tests"
    folders = {item.path.relative_to(tests).parts[0] for item in session.items if item.path.is_relative_to(tests)}
    if folders - {*WITHOUT} and not session.config.option.collectonly:
        session.config.stash[services].start()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop them."""
    config.stash[services].stop()


def remove_leftovers() -> None:
    """Remove what killed test runs left; after an hour also the servers that outlived their run."""
    for lock in temporary_place().glob("club-tests-*/lock"):
        with contextlib.suppress(AlreadyRunning, OSError):
            age = time.time() - lock.stat().st_mtime
            if (age > 60 and is_free(lock)) or age > 3600:
                Lock(lock.parent).release()
                shutil.rmtree(lock.parent)


def is_free(lock: Path) -> bool:
    """Whether nobody holds a lock."""
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
