"""Addresses of the lobby and of the pages anybody may read."""

from django.urls import path

from club.lobby import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("tables/", views.tables, name="tables"),
    path("about/", views.about, name="about"),
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:slug>/", views.rules_of, name="rules_of"),
]
