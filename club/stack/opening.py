"""The order in which the club opens and closes on one machine.

PORT and HOST: where it listens. DATABASE_URL, REDIS_URL: servers to use instead of the embedded ones.
CLUB_VAR: where its data live, `var/` by default.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from club.stack import ROOT
from club.stack.lock import AlreadyRunning, Lock
from club.stack.postgres import Postgres
from club.stack.process import Failed, Service
from club.stack.supervisor import Stopped, Supervisor
from club.stack.valkey import Valkey

QUIET = "--loglevel=WARNING"
"""At INFO Celery would write a line for every tick, for ever."""


def main(opening: Callable[[Supervisor, Path, Path], None] | None = None) -> int:
    """Open the club by `opening`, keep it open until the end is asked for, close it; the exit status."""
    var = Path(os.environ.setdefault("CLUB_VAR", str(ROOT / "var")))
    try:
        lock = Lock(var)
    except AlreadyRunning as running:
        say(f"The club is open already: process {running} works on {var}. To close it: kill {running}")
        return 1
    except OSError as error:
        say(f"{var} cannot be used: {error}")
        return 1
    supervisor = Supervisor(var / "log", [lock.fd], say)
    try:
        (opening or open_club)(supervisor, var, lock.sockets)
        supervisor.watch()
    except Stopped:
        status = 0
    except Failed as failure:
        say(str(failure))
        status = 1
    finally:
        say("Closing the club ...")
        supervisor.stop(["web"], ["beat", "worker", "mailer"], ["valkey"], ["postgres"])
        lock.release()
    return status


def open_club(supervisor: Supervisor, var: Path, sockets: Path) -> None:
    """Start everything, from the database to the beat, and say where the club is."""
    embedded = not os.environ.get("DATABASE_URL")
    if embedded:
        with supervisor.step("Starting PostgreSQL"):
            os.environ["DATABASE_URL"] = start_postgres(supervisor, var, sockets)
    if not os.environ.get("REDIS_URL"):
        with supervisor.step("Starting Valkey"):
            os.environ["REDIS_URL"] = start_valkey(supervisor, var, sockets)
    with supervisor.step("Bringing the database up to date"):
        supervisor.run("migrate", manage("migrate", "--no-input"))
    sign_ins = ""
    if embedded:
        with supervisor.step("Filling the demo club"):
            sign_ins = supervisor.run("demo", manage("demo"))
    host = os.environ.get("HOST") or "127.0.0.1"
    port = choose_port(host, os.environ.get("PORT") or "8000")
    os.environ.setdefault("SITE_URL", site_url(host, port))
    os.environ.setdefault("PROBE_URL", web_url(door(host), port))
    with supervisor.step("Starting the web server"):
        supervisor.start(web(host, port))
    # A mail server that hangs holds up the mailer, never the clock.
    supervisor.start(worker("worker", "celery"))
    supervisor.start(worker("mailer", "mail"))
    supervisor.start(Service("beat", celery("beat", QUIET, f"--schedule={var / 'beat'}", "--pidfile=")))
    say(f"{sign_ins}\nThe club is open: {os.environ['SITE_URL']}/   Logs: {var / 'log'}   Ctrl-C closes it.")


def start_postgres(supervisor: Supervisor, var: Path, sockets: Path) -> str:
    """Start the embedded database; its URL."""
    postgres = Postgres(var, sockets)
    postgres.prepare()
    supervisor.start(postgres.service())
    return postgres.url


def start_valkey(supervisor: Supervisor, var: Path, sockets: Path) -> str:
    """Start the embedded broker; its URL. A snapshot it cannot read is set aside: it holds hints only."""
    valkey = Valkey(var, sockets)
    valkey.prepare()
    try:
        supervisor.start(valkey.service())
    except Failed:
        valkey.set_aside()
        supervisor.start(valkey.service())
    return valkey.url


def manage(*words: str) -> list[str | Path]:
    """A command of Django's."""
    return [sys.executable, ROOT / "manage.py", *words]


def web(host: str, port: int) -> Service:
    """The web server, with the limits of security.md 1 for sockets."""
    limits = ["--ws-max-size", "16384", "--ws-max-queue", "8", "--ws-per-message-deflate", "false"]
    where = ["--host", host, "--port", str(port)]
    # An access log would write addresses of people beside tokens and complaints.
    manners = ["--lifespan", "off", "--no-server-header", "--no-access-log", "--timeout-graceful-shutdown", "5"]
    return Service(
        name="web",
        argv=[sys.executable, "-m", "uvicorn", "club.config.asgi:application", *where, *manners, *limits],
        ready=lambda: answers(door(host), port),
    )


def worker(name: str, queues: str, *words: str, **how: Any) -> Service:
    """A Celery worker for some queues, `celery,mail`; `how` are further fields of the service."""
    alone = [f"--hostname={name}@%h", "--concurrency=1", "--without-gossip", "--without-mingle"]
    return Service(name, celery("worker", QUIET, f"--queues={queues}", *alone, *words), **how)


def celery(command: str, *words: str) -> list[str | Path]:
    """A command of Celery's."""
    return [sys.executable, "-m", "celery", "-A", "club.config", command, *words]


def choose_port(host: str, wanted: str) -> int:
    """The port wanted, or the next one that is free."""
    first = int(wanted) if wanted.isdecimal() else 0
    if not 0 < first < 65536:
        raise Failed(f"PORT is {wanted}; it must be a number from 1 to 65535.")
    for port in range(first, min(first + 100, 65536)):
        if is_free(host, port):
            if port != first:
                say(f"Port {first} is taken; using {port}.")
            return port
    raise Failed(f"No port from {first} on is free at {host}.")


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen there."""
    with contextlib.suppress(OSError):
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
            return True
    return False


def door(host: str) -> str:
    """The address under which this machine reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104


def site_url(host: str, port: int) -> str:
    """The URL for people at this machine. Browsers tie passkeys to a name, and refuse them to an address."""
    name = "localhost" if door(host) in ("127.0.0.1", "::1") else host
    return web_url(name, port)


def web_url(name: str, port: int) -> str:
    """http:// and so on."""
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def answers(host: str, port: int) -> bool:
    """Whether a server takes connections there."""
    with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1):
        return True
    return False


def say(words: str, end: str = "\n") -> None:
    """To the person at the terminal, at once; the terminal may be gone by now."""
    with contextlib.suppress(OSError):
        print(words, end=end, flush=True)
