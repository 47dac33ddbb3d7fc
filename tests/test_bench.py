"""The benchmark runs, prints every row, and keeps its own rules. Its figures are no matter of tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from games import titles
from tests.bench import peers, playouts
from tests.bench.contests import CONTESTS
from tests.bench.rounds import CELLS, Played, play
from tests.bench.slices import choose


@pytest.fixture(scope="module")
def printed(stack) -> list[list[str]]:
    """The cells of every line that a quick run prints."""
    argv = [sys.executable, "-m", "tests.bench", "--quick"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return [re.split(r" {2,}", line.strip()) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("clients", ["1", "10", "50"])
def test_moves_stand_beside_their_ceiling(printed, clients):
    (cells,) = [cells for cells in printed if cells[0] == clients]
    ours, ceiling, ratio = (float(cell.replace(",", "")) for cell in cells[1:4])
    assert 0 < ours < ceiling
    assert ratio == pytest.approx(ours / ceiling, abs=0.02)


@pytest.mark.parametrize(("slug", "seats"), CELLS)
def test_rounds_of_every_title_are_there(printed, slug, seats):
    (rates,) = [cells[2:5] for cells in printed if cells[:2] == [slug, str(seats)]]
    rounds, openings, moves = (int(rate.replace(",", "")) for rate in rates)
    assert 0 < rounds <= openings < moves


@pytest.mark.parametrize("slug", titles.slugs())
def test_positions_of_every_title_are_loaded(printed, slug):
    (cells,) = [cells for cells in printed if cells[0] == slug and len(cells) == 9]
    short, long, since = (int(cell.replace(",", "")) for cell in cells[1:4])
    assert since <= short < long


@pytest.mark.parametrize("contest", [each for each in CONTESTS if each.title in titles.slugs()])
def test_rules_stand_beside_other_libraries_or_it_says_why_not(printed, contest):
    left_out = [cells for cells in printed if cells[0].startswith(f"left out: {contest.peer} (")]
    rows = [cells for cells in printed if cells[:2] == [contest.title, contest.peer]]
    assert bool(rows) != bool(left_out)
    for ours, theirs, ratio, *_ in (cells[2:] for cells in rows):
        rates = [float(rate.replace(",", "")) for rate in (ours, theirs)]
        assert float(ratio) == pytest.approx(rates[0] / rates[1], abs=0.02)


def test_every_bar_says_whether_it_was_reached(printed):
    bars = [cells for cells in printed if cells[-1] in {"reached", "missed"}]
    figures = {figure.partition(",")[0] for figure, *_ in bars}
    assert {"moves over the ceiling", "statements for a move", "turns a second of thousand"} < figures
    for _, measured, bar, _, verdict in bars:
        how, limit = bar.split()
        distance = float(measured.replace(",", "")) - float(limit.replace(",", ""))
        if distance:  # equal as printed may be either way
            assert verdict == ("reached" if (distance > 0) == (how == ">=") else "missed")


def test_the_ceiling_is_durable(printed):
    assert any("fsync=on, synchronous_commit=on" in cells[0] for cells in printed)


def a_slice(others: float) -> Played:
    return Played(others=others)


def test_disturbed_and_void_slices_are_measured_again():
    standing, dropped = choose([a_slice(0.1), a_slice(0.9), None, a_slice(0.3), a_slice(0)], 2)
    assert [each.others for each in standing] == [0.1, 0.3]
    assert dropped == 2


def test_the_least_disturbed_slices_stand_when_it_is_never_quiet():
    standing, dropped = choose([a_slice(0.9), None, a_slice(0.4), a_slice(0.5)], 2)
    assert [each.others for each in standing] == [0.4, 0.5]
    assert dropped == 2


def test_a_round_of_dice_gives_each_seat_one_turn():
    played = play("thousand", 3, 0.01, seed=1)
    assert played.rounds * 2 < played.openings <= played.rounds * 3


def test_libraries_are_pinned_and_each_has_a_way_to_play_and_a_contest():
    names = [each.partition("==")[0] for each in peers.wanted()]
    assert set(names) == playouts.GAMES.keys() == {contest.peer for contest in CONTESTS}
    locked = peers.LOCK.read_text()
    assert all(f"{each} \\\n" in locked for each in peers.wanted())


def test_a_library_plays_until_it_is_told_to_stop(tmp_path):
    library = tmp_path / "python"
    library.write_text("#!/bin/sh\necho ready\nwhile read seconds; do echo 30 0.5; done\n")
    library.chmod(0o700)
    with peers.at_play("dominoes", library) as peer:
        assert peer.play(0.5) == peer.play(0.1) == 60


@pytest.mark.parametrize(("python", "why"), [("/nowhere/python", "not installed"), (sys.executable, "ModuleNotFound")])
def test_a_library_that_is_not_there_is_missing_and_says_why(python, why):
    with pytest.raises(peers.Missing, match=why), peers.at_play("dominoes", Path(python)):
        pass


def test_an_installation_that_fails_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(peers, "VENV", tmp_path / "peers")
    monkeypatch.setattr(peers, "OURS", tmp_path / "without-installer")
    assert "That did not work" in [*peers.install()][-1]
