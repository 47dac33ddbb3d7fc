"""The web server's door: HTTP to Django, sockets to the consumers."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import WebsocketDenier
from django.core.asgi import get_asgi_application
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "club.config.settings.dev")

http = get_asgi_application()

from club.config.door import Door  # noqa: E402 - settings and models exist only after get_asgi_application
from club.config.urls import socket_patterns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": Door(http),
        # The consumers ask where a socket comes from; at any other address there is none.
        "websocket": AuthMiddlewareStack(URLRouter([*socket_patterns, re_path("", WebsocketDenier.as_asgi())])),
    }
)
