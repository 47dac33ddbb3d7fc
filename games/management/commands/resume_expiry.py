"""`resume_expiry`: a person has looked; turns may lapse again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games import clock


class Command(BaseCommand):
    help = "Let turns expire again after the breaker has stopped them."

    def handle(self, *args: Any, **options: Any) -> None:
        resumed = clock.resume()
        self.stdout.write("Turns may expire again." if resumed else "Expiry was not halted.")
