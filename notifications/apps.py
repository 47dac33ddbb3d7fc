"""What the club tells its members, and over which channel."""

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        from notifications import letters  # noqa: F401 - registers its kind
