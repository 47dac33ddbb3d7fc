"""Addresses after a match."""

from django.urls import path

from club.afterwords import views

urlpatterns = [
    path("m/<uuid:match_id>/after/", views.after, name="after"),
    path("m/<uuid:match_id>/after/<int:seat>/", views.write, name="afterword"),
    path("m/<uuid:match_id>/after/<int:seat>/withdraw/", views.withdraw, name="afterword_withdraw"),
]
