"""Who used the processors: the club, the benchmark, or somebody else. Read from /proc, so on Linux alone."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

PROC = Path("/proc")
TICK = 1 / os.sysconf("SC_CLK_TCK")
WATCHED = (PROC / "stat").exists()


@dataclass(slots=True)
class Usage:
    """Processor seconds of a stretch of time, by process tree; `other` is the work of everybody else, in cores."""

    by: dict[str, float] = field(default_factory=dict)
    other: float = 0.0


@contextlib.contextmanager
def watch(trees: Mapping[str, int]) -> Iterator[Usage]:
    """Watch process trees by the ids of their roots. The usage is filled in at the end, and stays empty elsewhere."""
    usage = Usage()
    began, all_before, before = time.monotonic(), _busy(), _spent(trees)
    yield usage
    if WATCHED:
        after = _spent(trees)
        usage.by = {name: after[name] - before[name] for name in trees}
        seconds = time.monotonic() - began
        usage.other = max(0.0, (_busy() - all_before - sum(usage.by.values())) / seconds)


def _busy() -> float:
    """Seconds all processors together have worked since the start, for anybody; what a hypervisor took included."""
    if not WATCHED:
        return 0.0
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, (PROC / "stat").read_text().split()[1:9])
    return (user + nice + system + irq + softirq + steal) * TICK


@dataclass(frozen=True, slots=True)
class _Process:
    parent: int
    ticks: int
    """Its own, and those of its children that have ended."""


def _spent(trees: Mapping[str, int]) -> dict[str, float]:
    """Seconds each tree has worked."""
    processes = _processes()
    children: dict[int, list[int]] = {}
    for pid, process in processes.items():
        children.setdefault(process.parent, []).append(pid)
    roots = set(trees.values())

    def ticks(pid: int) -> int:
        own = processes[pid].ticks if pid in processes else 0
        return own + sum(ticks(child) for child in children.get(pid, ()) if child not in roots)

    return {name: ticks(pid) * TICK for name, pid in trees.items()}


def _processes() -> dict[int, _Process]:
    found = {}
    for folder in PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            found[int(folder.name)] = _Process(int(words[1]), sum(map(int, words[11:15])))
    return found
