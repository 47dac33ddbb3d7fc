"""A club on one's own machine: `make run`."""

from club.config.settings.base import *
from club.config.settings.base import INSTALLED_APPS

DEBUG = True
INSTALLED_APPS = [*INSTALLED_APPS, "club.demo"]
SECRET_KEY = "only-for-development-and-tests"  # noqa: S105
ALLOWED_HOSTS = ["*"]
DEV_MAILBOX = True
"""Mail is also shown on a page, which exists on a development server only."""
