"""`selfplay`: whole matches by policies, one record a line (architecture.md 9)."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import titles
from games.engine.options import BadOption, complete
from games.selfplay import POLICIES, RANDOM, Plan, records

WORDS = {"on": True, "off": False, "true": True, "false": False, "none": None, "null": None}


class Command(BaseCommand):
    help = "Play whole matches through the rules alone and write their match records, one a line."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--title", required=True, choices=titles.slugs())
        parser.add_argument("--seats", type=int, required=True)
        parser.add_argument("--matches", type=int, default=1)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--teams", action="store_true", help="two against two, where the title asks")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
        parser.add_argument("--policy", choices=POLICIES, default=RANDOM)
        parser.add_argument("--legal", action="store_true", help="also write the moves that were offered")
        parser.add_argument("--processes", type=int, default=1)
        parser.add_argument("--out", required=True, help="the file to write")

    def handle(self, *args: Any, **given: Any) -> None:
        options = self._options(given)
        plan = Plan(given["title"], options, given["seed"], given["policy"], given["legal"])
        with open(given["out"], "wb") as out:
            for record in records(plan, given["matches"], given["processes"]):
                out.write(record + b"\n")

    def _options(self, given: dict[str, Any]) -> dict[str, Any]:
        title = titles.get(given["title"])
        if given["seats"] not in title.SEATS:
            raise CommandError(f"{title.SLUG} has no {given['seats']} seats")
        wanted = dict(map(read_option, given["option"]))
        if given["teams"]:
            wanted["teams"] = True
        try:
            return complete(title.OPTIONS, given["seats"], wanted)
        except BadOption as error:
            raise CommandError(str(error)) from error


def read_option(text: str) -> tuple[str, Any]:
    """`key=value` with the value's own type: on, off, none, a number, else a word."""
    key, _, value = text.partition("=")
    if value.lower() in WORDS:
        return key, WORDS[value.lower()]
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value
