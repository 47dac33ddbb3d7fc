"""The app of kind words."""

from django.apps import AppConfig


class AfterwordsConfig(AppConfig):
    name = "club.afterwords"

    def ready(self) -> None:
        from club.afterwords import notices, receivers  # noqa: F401 - registers the kind of notice and the receiver
