"""A supervisor as a person runs it: a process of its own, with a `var/` of its own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from club.stack import ROOT
from club.stack.lock import openers
from club.stack.process import wait_until


class Club:
    """One run of a supervisor."""

    def __init__(self, var: Path, module: str = "tests.stack.small_club", **env: str) -> None:
        self.var = var
        self.began = time.monotonic()
        self.output = (var.parent / f"{time.monotonic_ns()}.out").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            stdout=self.output,
            stderr=subprocess.STDOUT,
            env={k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
            | {"CLUB_VAR": str(var), "PORT": str(free_port())}
            | env,
        )

    @property
    def said(self) -> str:
        """All it printed so far."""
        return Path(self.output.name).read_text()

    def opened(self, timeout: float = 60) -> Club:
        """Wait until it is open."""
        assert wait_until(lambda: "is open:" in self.said or self.process.poll() is not None, timeout), self.said
        assert self.process.poll() is None, self.said
        return self

    @property
    def address(self) -> str:
        """Where its web server is."""
        return re.findall(r"http://\S+?:\d+", self.said)[-1]

    @property
    def database(self) -> str:
        """The URL of its database."""
        return f"postgresql://postgres@{quote(str(self.sockets), safe='')}/club"

    @property
    def sockets(self) -> Path:
        """Where its sockets are."""
        return Path(json.loads((self.var / "lock").read_text())["sockets"])

    def sql(self, words: str) -> list[tuple]:
        """Ask its database."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            cursor = connection.execute(words)
            return cursor.fetchall() if cursor.description else []

    @property
    def everybody(self) -> set[int]:
        """The supervisor and all it started that still lives."""
        return openers(self.var / "lock")

    def pid(self, name: str) -> int:
        """The process of a service: the child of the supervisor that has `name` among its words."""
        for pid in self.everybody:
            row = ["ps", "-o", "ppid=,args=", "-p", str(pid)]
            told = subprocess.run(row, capture_output=True, text=True, check=False)
            parent, _, words = told.stdout.strip().partition(" ")
            if parent == str(self.process.pid) and name in words:
                return pid
        raise AssertionError(f"no {name} runs")

    def kill_everybody(self) -> None:
        """End the supervisor and all it started in the hardest way."""
        for pid in self.everybody:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask for its end; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(120)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def var() -> Iterator[Path]:
    """Where the data of one club go."""
    folder = Path(tempfile.mkdtemp(prefix="club-stack-"))
    var = folder / "var"
    yield var
    if var.exists():
        for data in var.glob("pg*"):
            if data.is_symlink():
                shutil.rmtree(data.resolve().parent)
    shutil.rmtree(folder)


@pytest.fixture
def run(var: Path) -> Iterator[Callable[..., Club]]:
    """`run()` starts a small club, `run(module=…, PORT=…)` another one; all of them end with the test."""
    clubs: list[Club] = []

    def start(**how: str) -> Club:
        clubs.append(Club(var, **how))
        return clubs[-1]

    yield start
    for club in clubs:
        club.process.terminate()
        club.process.wait(120)
        club.output.close()
