"""A club for strangers: everything strict, everything from the environment (security.md 1)."""

import os

from club.config.settings.base import *
from club.config.settings.base import CONTENT_SECURITY_POLICY, DATABASES, SITE_URL

DEBUG = False
SECRET_KEY = os.environ["SECRET_KEY"]
ALLOWED_HOSTS = os.environ["ALLOWED_HOSTS"].split(",")
CSRF_TRUSTED_ORIGINS = [SITE_URL]
DATABASES["default"]["CONN_MAX_AGE"] = 0
DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 2, "max_size": int(os.environ.get("DATABASE_POOL", "10"))}

SESSION_COOKIE_NAME = "__Host-sid"
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"
CSRF_COOKIE_SECURE = True
LANGUAGE_COOKIE_SECURE = True
SECURE_SSL_REDIRECT = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
CONTENT_SECURITY_POLICY["DIRECTIVES"]["connect-src"] = ["'self'", SITE_URL.replace("https://", "wss://")]

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
