"""The benchmark runs, prints every row, and keeps its own rules. Its figures are no matter of tests."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

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


def test_every_bar_says_whether_it_was_reached(printed):
    bars = [cells for cells in printed if cells[-1] in {"reached", "missed"}]
    assert len(bars) == 5
    for _, measured, bar, verdict in bars:
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
