"""What the club tells its members, and over which channel."""

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        from notifications import letters, receivers  # noqa: F401 - importing them registers their kinds and receivers
