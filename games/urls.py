"""Addresses of tables, of matches and of the trainer."""

from django.urls import path

from games import consumers, views
from games.api import api

urlpatterns = [
    path("tables/new/", views.new_table, name="table_new"),
    path("t/<uuid:table_id>/", views.table, name="table"),
    path("t/<uuid:table_id>/join/", views.join, name="table_join"),
    path("t/<uuid:table_id>/leave/", views.leave, name="table_leave"),
    path("j/", views.join_by_code, name="join_by_code"),
    path("m/<uuid:match_id>/", views.match, name="match"),
    path("m/<uuid:match_id>/board/", views.board, name="match_board"),
    path("m/<uuid:match_id>/log/", views.log, name="match_log"),
    path("m/<uuid:match_id>/move/", views.move, name="match_move"),
    path("m/<uuid:match_id>/resign/", views.resign, name="match_resign"),
    path("m/<uuid:match_id>/record/", views.record, name="match_record"),
    path("rules/<slug:slug>/trainer/", views.trainer, name="trainer"),
    path("health/heartbeat/", views.heartbeat, name="heartbeat"),
    path("api/", api.urls),
]

socket_patterns = [path("ws/m/<uuid:match_id>/", consumers.MatchConsumer.as_asgi())]
