"""Children: how one is started, watched and stopped."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TypedDict

LOG_LIMIT = 10_000_000
"""Bytes after which a log is put aside at the next start."""

_libc = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


class Failed(Exception):
    """A child ended, or was not ready in time. The text is for the person at the terminal."""


@dataclass(frozen=True, slots=True)
class Service:
    """What to run, and how it likes to be treated."""

    name: str
    argv: Sequence[str | Path]
    ready: Callable[[], bool] = lambda: True
    """Asked again and again after the start."""
    stop: signal.Signals = signal.SIGTERM
    """The signal for a clean end."""
    patience: float = 10
    """Seconds a clean end may take before the process is killed."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to the environment of the parent."""
    user: str | None = None
    """The system user to run as; only root can ask for one."""


class Process:
    """One running service. It leads a session of its own, so that Ctrl-C reaches the supervisor alone."""

    def __init__(self, service: Service, log: Path, keep: Sequence[int] = ()) -> None:
        """Start `service`, appending what it says to `log`; `keep` are file descriptors it inherits."""
        self.service = service
        self.log = log
        self.started = time.monotonic()
        with _open_log(log) as output:
            self._child = subprocess.Popen(
                [str(word) for word in service.argv],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment() | dict(service.env),
                cwd="/" if service.user else None,
                start_new_session=True,
                pass_fds=keep,
                preexec_fn=_die_with_parent(service.stop),
                **as_user(service.user),
            )
        self.pid = self._child.pid

    @property
    def status(self) -> int | None:
        """The exit status, None while it runs; negative: the signal that killed it."""
        return self._child.poll()

    def ask_to_stop(self) -> None:
        """Send the signal for a clean end."""
        if self.status is None:
            self._child.send_signal(self.service.stop)

    def end(self) -> None:
        """Kill what is left of it, its own children included."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._child.wait()

    def last_words(self, lines: int = 15) -> str:
        """The end of the log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


def environment() -> dict[str, str]:
    """The environment of this process, without what would make every start of Python compile everything anew."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def wait_until(ready: Callable[[], bool], timeout: float, pause: Callable[[float], None] = time.sleep) -> bool:
    """Ask `ready` every 20 ms for at most `timeout` seconds; what it answered last."""
    deadline = time.monotonic() + timeout
    while not ready():
        if time.monotonic() > deadline:
            return False
        pause(0.02)
    return True


def wait_ready(process: Process, timeout: float = 30, pause: Callable[[float], None] = time.sleep) -> None:
    """Wait until a service just started is ready.

    Raises:
        Failed: it ended by itself, or was not ready within `timeout` seconds.
    """
    in_time = wait_until(lambda: process.status is not None or process.service.ready(), timeout, pause)
    if in_time and process.status is None:
        return
    what = (
        f"{process.service.name} was not ready in time" if process.status is None else f"{process.service.name} ended"
    )
    raise Failed(f"{what}. The end of {process.log}:\n{process.last_words()}")


class Identity(TypedDict, total=False):
    """The arguments of `subprocess` that say who runs a program."""

    user: int
    group: int
    extra_groups: list[int]


def as_user(user: str | None) -> Identity:
    """Run it as `user`; None: as this process."""
    if user is None:
        return {}
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _die_with_parent(number: signal.Signals) -> Callable[[], object] | None:
    """On Linux the kernel stops the children of a killed supervisor; elsewhere the next start does (lock.py)."""
    if sys.platform != "linux":
        return None
    return lambda: _libc.prctl(_PR_SET_PDEATHSIG, int(number))


def _open_log(log: Path) -> BinaryIO:
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.replace(log.with_suffix(".old"))
    return log.open("ab")


def stop(processes: Sequence[Process], hurried: Callable[[], bool] = lambda: False) -> None:
    """Ask all of them to end, wait as long as each is worth, and kill what is left; at once, when `hurried` says so."""
    for process in processes:
        process.ask_to_stop()
    for process in processes:
        deadline = time.monotonic() + process.service.patience
        while process.status is None and time.monotonic() < deadline and not hurried():
            time.sleep(0.02)
        process.end()
