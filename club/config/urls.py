"""Every address of the club. Each one has a row in the access table of tests/architecture."""

from django.conf import settings
from django.urls import include, path

from games.urls import socket_patterns as socket_patterns

handler400 = "club.trouble.bad_request"
handler500 = "club.trouble.server_error"

urlpatterns = [
    path("", include("club.lobby.urls")),
    path("", include("games.urls")),
    path("", include("club.members.urls")),
    path("", include("notifications.urls")),
    path("", include("club.afterwords.urls")),
    path("", include("club.moderation.urls")),
]

if getattr(settings, "DEV_MAILBOX", False):
    urlpatterns.append(path("dev/", include("notifications.dev_urls")))
