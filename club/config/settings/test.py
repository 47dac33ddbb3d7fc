"""Settings of the test suite: the real database, broker and cache, cheap hashing."""

import os

from club.config.settings.dev import *

DEBUG = False
if not os.environ.get("SMTP_HOST"):
    EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Static files straight from their apps: nothing has to be collected first.
WHITENOISE_USE_FINDERS = True
# Hashing is slow on purpose; tests sign in thousands of times.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
