"""`check_staff_log`: whether the chain of the staff log holds, and its head to write down outside the house."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from club.moderation import stafflog


class Command(BaseCommand):
    help = "Compute the chain of the staff log anew and print its head; fail at the first line that does not fit."

    def handle(self, *args: Any, **options: Any) -> None:
        if broken := stafflog.first_broken():
            raise CommandError(f"The chain is broken at line {broken}.")
        self.stdout.write(stafflog.head())
