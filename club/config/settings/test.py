"""Settings of the test suite: the real database, broker and cache, cheap hashing."""

from club.config.settings.dev import *

DEBUG = False
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Hashing is slow on purpose; tests sign in thousands of times.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
