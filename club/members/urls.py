"""Addresses about members. They carry no language: one link is shared by readers of four."""

from django.urls import path

from club.members import views

urlpatterns = [
    path("guest/", views.guest, name="guest"),
    path("signup/", views.signup, name="signup"),
    path("login/", views.signin, name="signin"),
    path("logout/", views.signout, name="signout"),
    path("language/", views.set_language, name="set_language"),
    path("theme/", views.theme, name="theme"),
    path("password/", views.password_reset, name="password_reset"),
    path("password/sent/", views.password_reset_done, name="password_reset_done"),
    path("password/<uidb64>/<token>/", views.password_reset_confirm, name="password_reset_confirm"),
    path("r/<token>/", views.recover, name="recover"),
    path("back/", views.come_back, name="come_back"),
    path("address/<token>/", views.confirm_address, name="confirm_address"),
    path("address/", views.own_address, name="own_address"),
    path("me/", views.settings, name="settings"),
    path("me/name/", views.name, name="my_name"),
    path("me/zone/", views.zone, name="zone"),
    path("me/address/", views.address, name="my_address"),
    path("me/password/", views.password, name="my_password"),
    path("me/recovery/", views.recovery, name="recovery"),
    path("me/merge/", views.merge, name="merge_guest"),
    path("u/<uuid:pk>/", views.profile, name="profile"),
]
