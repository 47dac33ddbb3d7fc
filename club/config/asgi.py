"""The web server's door: HTTP to Django, sockets to the consumers."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "club.config.settings.dev")

http = get_asgi_application()

from club.config.urls import socket_patterns  # noqa: E402 - models exist only after get_asgi_application

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(socket_patterns))),
    }
)
