"""The app of complaints and of the moderators' desk."""

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    name = "club.moderation"

    def ready(self) -> None:
        from club.moderation import notices, receivers  # noqa: F401 - registers kinds of notice and the receiver
