"""Settings every deployment shares. Environments differ in dev.py, test.py and prod.py (security.md 1)."""

from __future__ import annotations

import os
from pathlib import Path

import dj_database_url
from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _

ROOT = Path(__file__).resolve().parents[3]
VAR = Path(os.environ.get("CLUB_VAR", ROOT / "var"))

SECRET_KEY = os.environ.get("SECRET_KEY", "")
MASTER_KEY_FILE = Path(os.environ.get("CLUB_MASTER_KEY_FILE", VAR / "master.key"))
"""32 random bytes in hex, outside the repository and the database; sub-keys are derived from it (security.md 4)."""

SITE_URL = os.environ.get("SITE_URL", "http://127.0.0.1:8000")
"""Where links in mails lead: scheme and host, no slash at the end."""

INSTALLED_APPS = [
    "club",
    "club.members",
    "notifications",
    "games",
    "club.lobby",
    "club.afterwords",
    "club.moderation",
    "channels",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "club.members.middleware.MemberMiddleware",
    "club.members.middleware.LanguageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "club.config.urls"
ASGI_APPLICATION = "club.config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "club.members.context.look",
                "club.lobby.context.waiting",
                "notifications.context.unread",
            ],
        },
    },
]

DATABASES = {"default": dj_database_url.config(default="postgresql:///club", conn_health_checks=True)}
DATABASES["default"].setdefault("OPTIONS", {}).update(
    # Nothing waits for ever: a lock at most 3 s, which is less than the grace a late move has (reliability.md P6).
    options="-c statement_timeout=5000 -c lock_timeout=3000 -c idle_in_transaction_session_timeout=10000",
)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL.replace("redis+socket://", "unix://"),
    }
}
CHANNEL_LAYERS = {
    "default": {
        # The pubsub layer subscribes again after Redis was restarted; the core layer raises in the consumer.
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL.replace("redis+socket://", "unix://")]},
    }
}

AUTH_USER_MODEL = "members.Member"
AUTHENTICATION_BACKENDS = ["club.members.backends.NameOrMailBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "club.members.validators.MaximumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = 3600
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "lobby"
LOGOUT_REDIRECT_URL = "lobby"

SESSION_ENGINE = "club.members.sessions"
SESSION_COOKIE_AGE = 30 * 86_400
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

LANGUAGE_CODE = "en"
LANGUAGES = [("ru", _("Russian")), ("az", _("Azerbaijani")), ("tr", _("Turkish")), ("en", _("English"))]
LANGUAGE_COOKIE_AGE = 365 * 86_400
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [ROOT / "club" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"

DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 50

EMAIL_TIMEOUT = 10
if not os.environ.get("SMTP_HOST"):
    EMAIL_BACKEND = "notifications.backends.FileBackend"
    EMAIL_FILE_PATH = VAR / "mail"
EMAIL_HOST = os.environ.get("SMTP_HOST", "localhost")
EMAIL_PORT = int(os.environ.get("SMTP_PORT", "25"))
EMAIL_HOST_USER = os.environ.get("SMTP_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("SMTP_PASSWORD", "")
EMAIL_USE_TLS = os.environ.get("SMTP_TLS", "") == "1"
DEFAULT_FROM_EMAIL = os.environ.get("MAIL_FROM", "club@localhost")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
PERMISSIONS_POLICY: dict[str, list[str]] = {
    "accelerometer": [],
    "autoplay": [],
    "camera": [],
    "display-capture": [],
    "fullscreen": [],
    "geolocation": [],
    "gyroscope": [],
    "magnetometer": [],
    "microphone": [],
    "midi": [],
    "payment": [],
    "usb": [],
}

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://")
# Redis carries hints: whoever sends one while it is away must not wait for it.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,
    "max_retries": 0,
    "socket_connect_timeout": 1,
    "socket_timeout": 1,
}
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A mail server that hangs must not hold up the clock.
CELERY_TASK_ROUTES = {"notifications.tasks.*": {"queue": "mail"}, "club.members.tasks.*": {"queue": "mail"}}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_TIME_LIMIT = 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
# A tick that could not run is worthless once the next one is due.
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "expire-tables": {"task": "games.tasks.expire_tables", "schedule": 60.0, "options": {"expires": 60}},
    "probe": {"task": "games.tasks.probe", "schedule": 5.0, "options": {"expires": 5}},
    "send-due": {"task": "notifications.tasks.send_due", "schedule": 10.0, "options": {"expires": 10}},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}

PROBE_URL = os.environ.get("PROBE_URL", SITE_URL)
"""Where the worker's synthetic move knocks: the web server as the worker reaches it."""
