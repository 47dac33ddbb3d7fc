"""The app that plays."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import notices, receivers  # noqa: F401 - registers kinds of notices and receivers
