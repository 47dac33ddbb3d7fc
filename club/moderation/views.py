"""The pages of whoever complains, and the moderators' desk."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from club.afterwords.doors import refusing
from club.members.decorators import MemberRequest, View, member_required
from club.moderation import pages, selectors, services
from club.moderation.errors import Changed, TooMany
from club.moderation.forms import AnswerForm, ComplaintForm
from club.moderation.models import Complaint
from games.errors import Malformed, NotFound

# Whoever complains


@require_POST
@sensitive_post_parameters()
@member_required
@refusing
def complain(request: MemberRequest) -> HttpResponse:
    """The form, and filing it. Match and seat come in the body: no address, and so no log, names them."""
    match_id, seat = _charged(request)
    _match, accused = selectors.complainable(match_id, request.user, seat)
    if "text" not in request.POST:
        return _form_page(request, ComplaintForm(), accused.member.name)
    form = ComplaintForm(request.POST)
    if not form.is_valid():
        return _form_page(request, form, accused.member.name, status=400)
    try:
        filed = services.file(match_id=match_id, member=request.user, seat=seat, **form.cleaned_data)
    except Malformed as refusal:
        form.add_error("text", str(refusal.detail))
        return _form_page(request, form, accused.member.name, status=400)
    except TooMany as refusal:
        form.add_error(None, str(refusal.detail))
        response = _form_page(request, form, accused.member.name, status=429)
        response["Retry-After"] = str(refusal.wait)
        return response
    if filed.token:
        return _secret(_receipt(request, filed.complaint, token=filed.token, secret=True))
    return redirect("complaint", filed.complaint.pk)


def _charged(request: HttpRequest) -> tuple[UUID, int]:
    seat = request.POST.get("seat", "")
    try:
        match_id = UUID(request.POST.get("match", ""))
    except ValueError as error:
        raise Malformed from error
    if seat not in ("0", "1", "2", "3"):
        raise Malformed
    return match_id, int(seat)


def _form_page(request: HttpRequest, form: ComplaintForm, name: str, status: int = 200) -> HttpResponse:
    context = {"form": form, "name": name, "match": request.POST["match"], "seat": request.POST["seat"]}
    return render(request, "moderation/form.html", context, status=status)


@require_safe
@member_required
@refusing
def complaints(request: MemberRequest) -> HttpResponse:
    """What I complained of; where a mail about an answer leads, without naming it."""
    return render(request, "moderation/complaints.html", {"complaints": selectors.own_complaints(request.user)})


@require_safe
@member_required
@refusing
def complaint(request: MemberRequest, complaint_id: UUID) -> HttpResponse:
    """My complaint and its answer. For everybody else, moderators and the accused too, there is nothing here."""
    return _receipt(request, selectors.own_complaint(complaint_id, request.user))


@require_safe
@refusing
def complaint_answer(request: HttpRequest, token: str) -> HttpResponse:
    """The same for a guest whose cookie is lost: the token opens this page and nothing else."""
    return _secret(_receipt(request, selectors.complaint_of_token(token), secret=True))


def _receipt(request: HttpRequest, complaint: Complaint, **more: Any) -> HttpResponse:
    context = {"complaint": complaint, "more": complaint.more.all(), **more}
    return render(request, "moderation/complaint.html", context)


def _secret(response: HttpResponse) -> HttpResponse:
    """A page with a token names itself to no other page; it has no forms, which would then be refused."""
    response["Referrer-Policy"] = "no-referrer"
    return response


# The desk


def for_moderators(view: View) -> Callable[..., HttpResponseBase]:
    """For everybody else there is no desk."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not selectors.is_moderator(request.user):
            raise NotFound
        return view(request, *args, **kwargs)

    return refusing(guarded)


@require_safe
@for_moderators
def desk(request: MemberRequest) -> HttpResponse:
    """The open cases, the most pressing first."""
    return render(request, "moderation/desk.html", {"queue": selectors.queue(request.user)})


@require_safe
@for_moderators
def case(request: MemberRequest, case_id: UUID) -> HttpResponse:
    """A case: what is complained of, the match at hand, and what can be done."""
    return _case_page(request, case_id)


def _case_page(request: MemberRequest, case_id: UUID, form: AnswerForm | None = None, **more: Any) -> HttpResponse:
    page = pages.case_page(services.access_case(case_id, request.user), request.user)
    status = more.pop("status", 200)
    return render(request, "moderation/case.html", {"page": page, "form": form or AnswerForm(), **more}, status=status)


def _acting(act: Callable[[MemberRequest, UUID, int], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """An act on a case as it stood at `version`; if it has changed, the answer is the fresh case."""

    @wraps(act)
    def acted(request: MemberRequest, case_id: UUID) -> HttpResponseBase:
        services.access_case(case_id, request.user)
        version = request.POST.get("version", "")
        if not (version.isascii() and version.isdigit() and len(version) < 10):
            raise Malformed
        try:
            return act(request, case_id, int(version))
        except Changed as refusal:
            form = AnswerForm(request.POST) if "reasons" in request.POST else None
            return _case_page(request, case_id, form, refusal=refusal.detail, status=refusal.status)

    return require_POST(for_moderators(acted))


@_acting
def claim(request: MemberRequest, case_id: UUID, version: int) -> HttpResponse:
    services.claim(case_id=case_id, moderator=request.user, version=version)
    return redirect("case", case_id)


@_acting
def release(request: MemberRequest, case_id: UUID, version: int) -> HttpResponse:
    services.release(case_id=case_id, moderator=request.user, version=version)
    return redirect("desk")


@_acting
def answer(request: MemberRequest, case_id: UUID, version: int) -> HttpResponse:
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _case_page(request, case_id, form, status=400)
    try:
        services.answer(case_id=case_id, moderator=request.user, version=version, **form.cleaned_data)
    except Malformed as refusal:
        form.add_error("reasons", str(refusal.detail))
        return _case_page(request, case_id, form, status=400)
    messages.success(request, _("The answer is on its way."))
    return redirect("desk")
