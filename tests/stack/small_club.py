"""A club of four services for the tests of the supervisor: the real database and broker, and two small programs."""

import os
import sys
from pathlib import Path

from club.stack.opening import answers, choose_port, main, say, start_valkey
from club.stack.postgres import Postgres
from club.stack.process import Service
from club.stack.supervisor import Supervisor


def open_small_club(supervisor: Supervisor, var: Path, sockets: Path) -> None:
    postgres = Postgres(var, sockets, "fsync=off")  # processes are killed here, not the machine
    postgres.prepare()
    supervisor.start(postgres.service())
    start_valkey(supervisor, var, sockets)
    port = choose_port("127.0.0.1", os.environ["PORT"])
    web = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(port)]
    supervisor.start(Service("web", web, ready=lambda: answers("127.0.0.1", port)))
    worker = [sys.executable, "-uc", "import os, time; os.fork(); print('forked'); time.sleep(600)"]
    supervisor.start(Service("worker", worker, ready=lambda: "forked" in supervisor.log("worker").read_text()))
    say(f"It is open: http://127.0.0.1:{port}")


if __name__ == "__main__":
    sys.exit(main(open_small_club))
