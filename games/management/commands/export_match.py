"""`export_match`: the match record of a stored match, as anybody may have it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games import selectors
from games.models import Match


class Command(BaseCommand):
    help = "Print the match record of a match (match-record.md). Secrets of a running round are left out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", type=UUID)

    def handle(self, *args: Any, **given: Any) -> None:
        match = Match.objects.select_related("table").filter(pk=given["match"]).first()
        if match is None:
            raise CommandError("there is no such match")
        self.stdout.write(json.dumps(selectors.record(match, None), ensure_ascii=False))
