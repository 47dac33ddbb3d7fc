"""Addresses of the notices."""

from django.urls import path

from notifications import views

urlpatterns = [
    path("me/inbox/", views.inbox, name="inbox"),
    path("me/notify/", views.settings_page, name="notify_settings"),
    path("e/u/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
