"""The club itself as an app: its static files and catalogues."""

from django.apps import AppConfig


class ClubConfig(AppConfig):
    name = "club"
