"""What is killed comes back, what is stopped is gone, and what was stored is there (reliability.md B4, B5)."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from club.stack.opening import choose_port, site_url
from club.stack.process import Failed, wait_until
from club.stack.valkey import Valkey
from tests.stack.conftest import Club

Run = Callable[..., Club]


def answers(club: Club) -> bool:
    with contextlib.suppress(OSError), urllib.request.urlopen(club.address, timeout=2):
        return True
    return False


def database_answers(club: Club) -> bool:
    with contextlib.suppress(psycopg.OperationalError):
        return club.sql("SELECT 1") == [(1,)]
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_stops_all_it_started_and_the_data_survive(run: Run, number: signal.Signals) -> None:
    club = run().opened()
    sockets = club.sockets
    club.sql("CREATE TABLE kept AS SELECT 'Ələ Ğ ы'::text AS word")
    assert len(club.everybody) > 3

    assert club.end(number) == 0
    assert not club.everybody
    assert not sockets.exists()

    assert run().opened().sql("SELECT word FROM kept") == [("Ələ Ğ ы",)]


def test_after_everything_was_killed_it_starts_at_once_with_all_that_was_acknowledged(run: Run) -> None:
    club = run().opened()
    club.sql("CREATE TABLE kept (number int)")
    for number in range(50):
        club.sql(f"INSERT INTO kept VALUES ({number})")
    club.kill_everybody()

    again = run().opened()
    assert again.sql("SELECT count(*) FROM kept") == [(50,)]
    assert answers(again)


def test_a_killed_supervisor_takes_its_children_along(run: Run) -> None:
    club = run().opened()
    services = {club.pid(name) for name in ("postgres", "valkey", "http.server", "fork")}
    club.process.kill()
    club.process.wait()

    if sys.platform == "linux":  # elsewhere they live until the next start
        assert wait_until(lambda: not services & club.everybody, 30)
    assert run().opened().sql("SELECT 1") == [(1,)]
    assert not answers(club)


def test_orphans_that_cling_to_life_are_stopped_by_the_next_start(run: Run) -> None:
    club = run().opened()
    stopped = club.pid("http.server")
    os.kill(stopped, signal.SIGSTOP)
    club.process.kill()
    club.process.wait()

    run().opened()
    assert stopped not in club.everybody


def test_a_pid_file_that_names_somebody_elses_process_is_no_obstacle(run: Run) -> None:
    club = run().opened()
    pid_file = club.var / "pg18/postmaster.pid"
    club.kill_everybody()
    owner = pid_file.stat().st_uid
    with subprocess.Popen(["sleep", "60"], user=owner if os.geteuid() == 0 else None) as stranger:
        words = pid_file.read_text().splitlines()
        pid_file.write_text("\n".join([str(stranger.pid), *words[1:]]) + "\n")
        run().opened()
        assert stranger.poll() is None
        stranger.kill()


def broker_answers(club: Club) -> bool:
    return Valkey(club.var, club.sockets).ready()


@pytest.mark.parametrize(
    ("name", "well"), [("postgres", database_answers), ("valkey", broker_answers), ("http.server", answers)]
)
def test_a_killed_service_is_started_again_and_it_is_said(run: Run, name: str, well: Callable[[Club], bool]) -> None:
    club = run().opened()
    killed = club.pid(name)
    os.kill(killed, signal.SIGKILL)

    assert wait_until(lambda: "killed by SIGKILL" in club.said and well(club), 60), club.said
    assert club.pid(name) != killed
    assert club.process.poll() is None


def test_what_a_killed_service_left_running_is_killed_too(run: Run) -> None:
    club = run().opened()
    leader = club.pid("fork")
    child = next(pid for pid in club.everybody if os.getsid(pid) == leader and pid != leader)
    os.kill(leader, signal.SIGKILL)

    assert wait_until(lambda: child not in club.everybody, 30)


def test_a_broker_that_cannot_read_its_snapshot_starts_without_it(run: Run, var: Path) -> None:
    snapshot = var / "valkey/dump.rdb"
    snapshot.parent.mkdir(parents=True)
    snapshot.write_bytes(b"no snapshot")
    run().opened()

    assert not snapshot.exists()
    assert [path.read_bytes() for path in var.glob("valkey-unreadable-*/dump.rdb")] == [b"no snapshot"]


def test_a_second_one_on_the_same_folder_is_refused(run: Run) -> None:
    first = run().opened()
    second = run()

    assert second.process.wait(60) == 1
    assert f"process {first.process.pid} works on" in second.said
    assert database_answers(first)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_when_the_port_is_taken_the_next_one_is_used(run: Run, taken: int) -> None:
    club = run(PORT=str(taken)).opened()

    assert f"Port {taken} is taken" in club.said
    assert answers(club)
    assert int(club.address.rpartition(":")[2]) > taken


@pytest.mark.parametrize("port", ["0", "65536", "-1", "eight", "²", ""])
def test_a_port_that_is_none_is_refused_in_plain_words(port: str) -> None:
    with pytest.raises(Failed, match="PORT is"):
        choose_port("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://localhost:80"),
        ("0.0.0.0", "http://localhost:80"),
        ("::", "http://localhost:80"),
        ("192.0.2.7", "http://192.0.2.7:80"),
        ("2001:db8::7", "http://[2001:db8::7]:80"),
    ],
)
def test_the_address_shown_is_one_that_leads_there(host: str, url: str) -> None:
    assert site_url(host, 80) == url


def test_a_folder_that_cannot_be_used_is_named(var: Path) -> None:
    var.write_text("a file")
    done = subprocess.run(
        [sys.executable, "-m", "club.stack"], env=os.environ | {"CLUB_VAR": str(var)}, capture_output=True, text=True
    )
    var.unlink()

    assert done.returncode == 1
    assert f"{var} cannot be used" in done.stdout
    assert not done.stderr
