"""`selfplay`: whole matches by policies, one record a line (architecture.md 9)."""

from __future__ import annotations

import os
import shutil
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from games import titles
from games.engine.contract import Json, Option, Title
from games.engine.options import BadOption, complete, written
from games.management.plain import PlainCommand, Refusal
from games.selfplay import POLICIES, RANDOM, Plan, cores, records

WORDS = {"on": "on", "true": "on", "off": "off", "false": "off", "none": "none", "null": "none"}


class Command(PlainCommand):
    help = "Play whole matches through the rules alone and write their match records, one a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--title", required=True, choices=titles.slugs())
        parser.add_argument("--seats", type=int, required=True)
        parser.add_argument("--matches", type=int, default=1)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--teams", action="store_true", help="two against two, where the title asks")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
        parser.add_argument("--policy", choices=POLICIES, default=RANDOM)
        parser.add_argument("--legal", action="store_true", help="also write the moves that were offered")
        parser.add_argument("--processes", type=int, default=cores(), help="as many as there are cores, if not given")
        parser.add_argument("--out", required=True, help="the file to write")

    def handle(self, *args: Any, **given: Any) -> None:
        for name in ("matches", "processes"):
            if given[name] < 1:
                raise Refusal(f"--{name}: must be at least 1, not {given[name]}")
        options = read_options(titles.get(given["title"]), given["seats"], given["option"], given["teams"])
        plan = Plan(given["title"], options, given["seed"], given["policy"], given["legal"])
        try:
            with complete_file(given["out"]) as out:
                for record in records(plan, given["matches"], given["processes"]):
                    out.write(record + b"\n")
        except OSError as error:
            raise Refusal(f"--out: {given['out']} cannot be written ({error.strerror or error})") from error


def read_options(title: Title, seats: int, given: Sequence[str], teams: bool) -> dict[str, Json]:
    """The complete options of a table from `key=value` words. Raises Refusal, which names the one that is wrong."""
    if seats not in title.SEATS:
        raise Refusal(f"--seats: {title.SLUG} has {', '.join(map(str, title.SEATS))} seats, not {seats}")
    wanted: dict[str, Json] = {"teams": True} if teams else {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise Refusal(f"--option {text}: must be KEY=VALUE")
        read = read_value(title.OPTIONS, key, value)
        if wanted.setdefault(key, read) != read:
            raise Refusal(f"--option {key}: is given twice, with different values")
    try:
        # Whatever asks for a live table gets one.
        return complete(title.OPTIONS, seats, wanted, live=True)
    except BadOption as error:
        raise Refusal(f"--option {error}") from error


def read_value(options: Sequence[Option], key: str, text: str) -> Json:
    """The value of an option that is written like this; the text itself, which is none, if there is no such value."""
    word = WORDS.get(text.lower(), text)
    if key == "players" and word.isascii() and word.isdecimal():
        return int(word[:2])
    values = (choice.value for option in options if option.name == key for choice in option.choices)
    return next((value for value in values if written(value) == word), word)


@contextmanager
def complete_file(name: str) -> Iterator[BinaryIO]:
    """A file that stands under its name once it is complete; until then, and after an error, the old one does.

    Pipes and devices are written directly. Raises OSError.
    """
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as out:
            yield out
        return
    path = Path(os.path.realpath(name))
    if path.exists():
        path.open("ab").close()
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("xb") as out:
            yield out
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
