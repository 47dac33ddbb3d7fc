"""Addresses of complaints and of the desk. None names a match or a member."""

from django.urls import path

from club.moderation import views

urlpatterns = [
    path("complaint/", views.complain, name="complain"),
    path("c/", views.complaints, name="complaints"),
    path("c/<uuid:complaint_id>/", views.complaint, name="complaint"),
    path("c/answer/<token>/", views.complaint_answer, name="complaint_answer"),
    path("mod/", views.desk, name="desk"),
    path("mod/c/<uuid:case_id>/", views.case, name="case"),
    path("mod/c/<uuid:case_id>/claim/", views.claim, name="case_claim"),
    path("mod/c/<uuid:case_id>/release/", views.release, name="case_release"),
    path("mod/c/<uuid:case_id>/answer/", views.answer, name="case_answer"),
]
