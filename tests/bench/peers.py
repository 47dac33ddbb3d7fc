"""Other libraries at play, in an environment and in processes of their own.

They come from requirements/bench.lock into `.venv-bench`, never into the environment the club runs in.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from club.stack import ROOT
from club.stack.environment import VENV as OURS
from club.stack.environment import succeeds

VENV = ROOT / ".venv-bench"
PYTHON = VENV / "bin/python"
WANTED = ROOT / "requirements/bench.in"
LOCK = ROOT / "requirements/bench.lock"
PLAYOUTS = Path(__file__).with_name("playouts.py")


class Missing(Exception):
    """A library cannot be used here; the text says why."""


class Peer:
    """A library that plays when it is told to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        """Wait until the library stands. Raises Missing when its process ends instead."""
        self._process = process
        self._answer()

    def play(self, seconds: float) -> float:
        """Play for at least `seconds`; the moves a second. Raises Missing when its process ends instead."""
        assert self._process.stdin
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        moves, spent = self._answer().split()
        return int(moves) / float(spent)

    def _answer(self) -> str:
        assert self._process.stdout
        assert self._process.stderr
        if answer := self._process.stdout.readline():
            return answer
        said = self._process.stderr.read().strip().splitlines()
        raise Missing(said[-1] if said else "it ended without a word")


@contextmanager
def at_play(name: str, python: Path = PYTHON) -> Iterator[Peer]:
    """Start library `name`, and end it at last. Raises Missing."""
    if not python.exists():
        raise Missing("not installed; a full run installs it")
    argv, pipe = [python, "-I", PLAYOUTS, name], subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield Peer(process)
        finally:
            process.kill()


def install() -> Iterator[str]:
    """Bring the environment in step with the lock, library by library; says what it does and what did not work."""
    stamp = VENV / "bench.installed"
    locked = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == locked:
        return
    yield "Installing the libraries to compare with ..."
    uv = OURS / "bin/uv"
    if not (uv.exists() and succeeds(uv, "venv", "--quiet", "--clear", "--python", OURS / "bin/python", VENV)):
        yield "That did not work: there is no environment for them."
        return
    how = "--quiet", "--system-certs", "--python", PYTHON, "--require-hashes", "--constraint", LOCK
    failed = [each for each in wanted() if not succeeds(uv, "pip", "install", *how, each)]
    if failed:
        yield f"That did not work for: {', '.join(failed)}"
    else:
        stamp.write_text(locked)


def wanted() -> list[str]:
    """The libraries and their versions, as an installer takes them."""
    return re.findall(r"^[\w-]+==.+$", WANTED.read_text(), re.MULTILINE)
