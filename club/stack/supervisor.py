"""Keeps services running, and ends them in order."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from club.stack.process import Failed, Process, Service, stop, wait_ready

LONGEST_PAUSE = 30.0
"""Seconds between two tries to start a service that keeps ending."""
SETTLED = 60.0
"""A service that ran this long counts as well again."""


class Stopped(Exception):
    """Somebody asked for the end."""


@dataclass(slots=True)
class _Watched:
    service: Service
    process: Process
    failures: int = 0
    due: float | None = None
    """When to start it again; None while it runs."""


class Supervisor:
    """Starts services one by one, restarts those that end, and stops all of them, the last one first."""

    def __init__(self, logs: Path, keep: Sequence[int] = (), say: Callable[..., None] = print) -> None:
        """Logs go to `logs`/<name>.log; `keep` are file descriptors every child inherits."""
        self.logs = logs
        self.keep = keep
        self.say = say
        self._watched: list[_Watched] = []
        self._asked = 0
        self._parent = os.getppid() if "MAKELEVEL" in os.environ else None
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup sets it
                signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._asked += 1

    def pause(self, seconds: float) -> None:
        """Sleep.

        Raises:
            Stopped: the end was asked for, by a signal or by the death of the `make` that started this.
        """
        if self._asked or (self._parent and os.getppid() != self._parent):
            raise Stopped
        time.sleep(seconds)

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Say what is being done, and how long it took."""
        self.say(f"{what} ...", end="")
        began, how = time.monotonic(), ""
        try:
            yield
            how = f" {time.monotonic() - began:.1f} s"
        finally:
            self.say(how)

    def start(self, service: Service, timeout: float = 60) -> None:
        """Start a service, wait until it is ready, and watch it from now on.

        Raises:
            Failed: it ended by itself or was not ready in time.
        """
        watched = _Watched(service, Process(service, self.log(service.name), self.keep))
        self._watched.append(watched)
        try:
            wait_ready(watched.process, timeout, self.pause)
        except Failed:
            self._watched.remove(watched)
            stop([watched.process])
            raise

    def run(self, name: str, argv: Sequence[str | Path]) -> str:
        """Run a program to its end and return what it printed.

        Raises:
            Failed: it ended with another status than 0.
        """
        log = self.log(name)
        log.unlink(missing_ok=True)
        process = Process(Service(name, argv), log, self.keep)
        try:
            while process.status is None:
                self.pause(0.02)
        finally:
            stop([process])
        if process.status:
            raise Failed(f"{name} ended with status {process.status}:\n{process.last_words(40)}")
        return log.read_text()

    def log(self, name: str) -> Path:
        """The log of a service."""
        return self.logs / f"{name}.log"

    def watch(self) -> None:
        """Start again what ends, with growing pauses.

        Raises:
            Stopped: the end was asked for.
        """
        while True:
            for watched in self._watched:
                self._look_after(watched)
            self.pause(0.1)

    def _look_after(self, watched: _Watched) -> None:
        process, now = watched.process, time.monotonic()
        if watched.due is None and process.status is not None:
            watched.failures = 0 if now - process.started > SETTLED else watched.failures + 1
            pause = min(0.25 * 2**watched.failures, LONGEST_PAUSE)
            watched.due = now + pause
            process.end()
            self.say(
                f"{process.service.name} ended ({_why(process.status)}); starting it again in {pause:.1f} s. "
                f"Its log: {process.log}"
            )
        elif watched.due is not None and now >= watched.due:
            watched.process, watched.due = Process(watched.service, process.log, self.keep), None

    def stop(self, *groups: Sequence[str]) -> None:
        """End everything: the services named in each group together, one group after the other, then the rest.

        Asking for the end once more kills what does not end by itself.
        """
        asked = self._asked
        for names in (*groups, [watched.service.name for watched in self._watched]):
            going = [watched.process for watched in self._watched if watched.service.name in names]
            stop(going, lambda: self._asked > asked)
            self._watched = [watched for watched in self._watched if watched.service.name not in names]


def _why(status: int) -> str:
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"status {status}"
