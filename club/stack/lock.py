"""One club per `var/`: a lock that every child inherits.

The lock is free only when the supervisor and all that it ever started are gone, orphans included. So whoever holds it
knows that nothing of an earlier run is still writing, whatever was killed and however.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from club.stack.process import wait_until


class AlreadyRunning(Exception):
    """Another supervisor works on this folder. `args[0]` is its process id."""


class Lock:
    """The lock of a folder, and the folder of sockets that goes with it."""

    def __init__(self, folder: Path, patience: float = 5) -> None:
        """Take the lock of `folder`; what a killed supervisor left running is stopped first.

        Raises:
            AlreadyRunning: a supervisor holds it.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "lock"
        self.fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        if not self._try():
            self._clear(patience)
        self._remove_sockets()
        self.sockets = temporary_folder("club-")
        self._write({"supervisor": os.getpid(), "sockets": str(self.sockets)})

    def release(self) -> None:
        """Give it up, once everything is stopped."""
        self._remove_sockets()
        self._write({})
        os.close(self.fd)

    def _try(self) -> bool:
        try:
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _clear(self, patience: float) -> None:
        """Stop the orphans: ask, wait, kill."""
        if wait_until(self._try, 1):  # most end with their parent; and whoever just took the lock has now signed it
            return
        supervisor = self._read().get("supervisor")
        if supervisor in self._holders():
            raise AlreadyRunning(supervisor)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for pid in self._holders():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
            if wait_until(self._try, patience):
                return
        raise AlreadyRunning(*self._holders())

    def _holders(self) -> set[int]:
        return openers(self.path) - {os.getpid()}

    def _remove_sockets(self) -> None:
        if left := self._read().get("sockets"):
            shutil.rmtree(left, ignore_errors=True)

    def _read(self) -> dict:
        try:
            return json.loads(os.pread(self.fd, 4096, 0))
        except ValueError:
            return {}

    def _write(self, said: dict) -> None:
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, json.dumps(said).encode(), 0)


def temporary_place() -> Path:
    """Where temporary folders go: a short name, since the path of a socket has at most 104 bytes."""
    return Path("/tmp" if os.access("/tmp", os.W_OK) else tempfile.gettempdir())  # noqa: S108


def temporary_folder(prefix: str) -> Path:
    """A new private folder."""
    return Path(tempfile.mkdtemp(prefix=prefix, dir=temporary_place()))


def openers(path: Path) -> set[int]:
    """The processes that have a file open."""
    if sys.platform != "linux":
        told = subprocess.run(["lsof", "-t", "--", path], capture_output=True, text=True, check=False)
        return {int(pid) for pid in told.stdout.split()}
    file, found = path.stat(), set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it ended meanwhile, or it is somebody else's
            if any(os.path.samestat(fd.stat(), file) for fd in os.scandir(f"/proc/{pid}/fd")):
                found.add(int(pid))
    return found
