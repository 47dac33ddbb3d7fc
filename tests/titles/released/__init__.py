"""Stored records of every released version of the rules, one file a version; old matches must survive new code.

`python -m tests.titles.released SLUG` makes the file of a title's current version, once: what was released is never
written again. Changed rules need a new version (`kozel/2`), and then a new file beside the old one.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random

from games import titles
from games.engine import codec
from games.engine import match as engine
from games.engine.contract import Json, Option, Title
from games.engine.options import complete
from games.selfplay import Log, Plan

FOLDER = Path(__file__).parent

FEW = 30
"""About as many matches stand in a file; every seat count has each value of each option."""

LARGE = 200_000
"""Bytes from which a file is compressed."""


def write(slug: str, folder: Path = FOLDER) -> Path:
    """Make the file of a title's current rules. Raises FileExistsError when there is one, KeyError without a title."""
    title = titles.get(slug)
    if (found := path_of(title.RULESET, folder)) is not None:
        raise FileExistsError(f"{found.name} is released, and never written again")
    data = b"".join(codec.dump(Lively(plan, index).play()) + b"\n" for index, plan in enumerate(plans(title)))
    plain = folder / f"{_stem(title.RULESET)}.jsonl"
    if len(data) <= LARGE:
        plain.write_bytes(data)
        return plain
    packed = plain.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(data, mtime=0))
    return packed


def path_of(ruleset: str, folder: Path = FOLDER) -> Path | None:
    """The file of a version, if it is released."""
    return next((path for path in paths(folder) if path.name.split(".")[0] == _stem(ruleset)), None)


def paths(folder: Path = FOLDER) -> list[Path]:
    """The files of all released versions."""
    return sorted(chain(folder.glob("*.jsonl"), folder.glob("*.jsonl.gz")))


def lines(path: Path) -> Iterator[bytes]:
    """The records in a file, each as it was written."""
    data = path.read_bytes()
    yield from (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()


def _stem(ruleset: str) -> str:
    return ruleset.replace("/", "-")


def plans(title: Title) -> Iterator[Plan]:
    """What is played: for each seat count about as many matches, in which each value of an option stands as often."""
    for seats in title.SEATS:
        offered = [option for option in title.OPTIONS if seats in option.seats]
        matches = max(FEW // len(title.SEATS), *(len(option.choices) for option in offered))
        columns = [_column(option, seats, matches) for option in offered]
        for row in zip(*columns, strict=True):
            yield Plan(title.SLUG, complete(title.OPTIONS, seats, dict(row), live=True), seed=1, legal=True)


def _column(option: Option, seats: int, matches: int) -> list[tuple[str, Json]]:
    """The values of one option in all matches, in an order of its own."""
    values = [(option.name, option.choices[turn % len(option.choices)].value) for turn in range(matches)]
    Random(f"{option.name} {seats}").shuffle(values)
    return values


@dataclass(slots=True)
class Lively(Log):
    """A match in which now and then somebody is late, and in every third one somebody gives up."""

    def next(self, state: engine.MatchState) -> engine.Step:
        members = state.to_act() - state.bots
        if engine.automatic(state) is None and engine.window(state) is None and members:
            if self.rng.random() < 0.05:
                return self._lapse(state, min(members))
            if self.index % 3 == 2 and self.rng.random() < 0.02:
                staying = sorted({*range(state.options["players"])} - state.left)
                self.wait(1, 20)
                return self.take(state, engine.leave(state, self.rng.choice(staying), engine.RESIGNED))
        return Log.next(self, state)

    def _lapse(self, state: engine.MatchState, seat: int) -> engine.Step:
        self.wait(30, 30)
        limits, counts = engine.Limits(), self.rng.random() < 0.7
        return self.take(state, engine.lapse(state, seat, self.draws, limits, counts))
