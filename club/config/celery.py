"""The Celery application: it carries hints, never truth (architecture.md 7)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "club.config.settings.dev")

app = Celery("club")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
