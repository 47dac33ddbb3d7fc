"""Commands for scripts: whatever is wrong with a call is one sentence on standard error, and status 2."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Refusal(CommandError):
    """The call cannot be followed; nothing was done. The sentence names what is wrong."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, returncode=2)


class PlainCommand(BaseCommand):
    """A command that needs no database and refuses in one sentence."""

    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **given: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **given)

        def error(message: str) -> NoReturn:
            # The parser would print its usage before the sentence.
            if not parser.called_from_command_line:
                raise Refusal(message)
            sys.stderr.write(f"{message}\n")
            sys.exit(2)

        parser.error = error  # type: ignore[method-assign]
        return parser
