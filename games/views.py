"""Pages of tables and matches: thin doors to services and selectors."""

from __future__ import annotations

import json
from functools import wraps
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from club.members.decorators import MemberRequest, member_required
from club.members.limits import allow, place, too_many
from club.members.models import Member
from games import heartbeat as beats
from games import selectors, services, titles
from games import trainer as training
from games.errors import Malformed, NotFound, Refused, WrongCode
from games.forms import CodeForm, MoveForm, TableForm, title_and_size
from games.models import Table
from games.pages import match_context, table_context

CODE_TRIES = 10
"""A minute, for an account and for an address (security.md 7)."""


def refusing(view):
    """Turn a refusal into its page: 409 shows the fresh board, everything else says what to do."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except Refused as error:
            response = _refusal(request, error, **kwargs)
        response["Cache-Control"] = "private, no-store"
        patch_vary_headers(response, ["Cookie"])
        return response

    return wrapped


def _refusal(
    request: HttpRequest, error: Refused, match_id: UUID | None = None, table_id: UUID | None = None
) -> HttpResponse:
    """The refusal on the page it belongs to, as fresh as it is now; else on a page of its own."""
    if request.headers.get("Accept") == "application/json":
        refusal = {"code": error.code, "detail": str(error.detail), "number": error.number}
        return JsonResponse(refusal, status=error.status)
    if match_id is not None and error.number is not None:
        match, mine = selectors.access_match(match_id, _member(request))
        context = match_context(match, mine, refusal=error.detail)
        return render(request, "games/match.html", context, status=error.status)
    if table_id is not None and not isinstance(error, NotFound):
        found = selectors.access_table(table_id, _member(request))
        return _table_page(request, found, refusal=error.detail, status=error.status)
    return render(request, "games/refused.html", {"refusal": error.detail}, status=error.status)


def _member(request: HttpRequest) -> Member | None:
    return request.user if request.user.is_authenticated else None


# Tables


@require_http_methods(["GET", "HEAD", "POST"])
@member_required
@refusing
def new_table(request: MemberRequest) -> HttpResponse:
    """Choose title and seats, then options and pace; POST opens the table."""
    data = request.POST if request.method == "POST" else request.GET
    try:
        title, size = title_and_size(data)
    except KeyError as error:
        raise Malformed from error
    form = TableForm(title, size, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        table = services.open_table(
            member=request.user,
            title=title.SLUG,
            size=size,
            options=form.options(),
            turn_hours=form.cleaned_data["turn_hours"],
            is_private=form.cleaned_data["is_private"],
        )
        return redirect("table", table.id)
    every = [titles.get(slug) for slug in titles.slugs()]
    context = {"form": form, "title": title, "size": size, "titles": every}
    return render(request, "games/table_new.html", context, status=400 if form.is_bound else 200)


@require_safe
@refusing
def table(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """A table before the start: who sits there, its options in words, how to come in."""
    found = selectors.access_table(table_id, _member(request))
    if found.status == Table.Status.STARTED and selectors.sits_at(found, _member(request)):
        return redirect("match", found.id)
    return _table_page(request, found)


def _table_page(request: HttpRequest, found: Table, refusal: object = None, status: int = 200) -> HttpResponse:
    response = render(request, "games/table.html", table_context(found, _member(request), refusal), status=status)
    return _unspoken(response) if found.is_private else response


def _unspoken(response: HttpResponse) -> HttpResponse:
    """A page with a room code names itself to no other page (security.md 2)."""
    response["Referrer-Policy"] = "no-referrer"
    return response


@require_POST
@member_required
@refusing
def join(request: MemberRequest, table_id: UUID) -> HttpResponse:
    selectors.access_table(table_id, request.user)
    number = request.POST.get("seat", "")
    if number not in {"", "0", "1", "2", "3"}:
        raise Malformed
    found = services.take_seat(member=request.user, table_id=table_id, number=int(number) if number else None)
    return redirect("match" if found.status == Table.Status.STARTED else "table", found.id)


@require_POST
@member_required
@refusing
def leave(request: MemberRequest, table_id: UUID) -> HttpResponse:
    services.leave_table(member=request.user, table_id=table_id)
    messages.info(request, _("You have left the table."))
    return redirect("lobby")


@require_http_methods(["GET", "HEAD", "POST"])
@refusing
def join_by_code(request: HttpRequest) -> HttpResponse:
    """Come in with a room code. The code travels by POST only, so that it stands in no address or log."""
    if request.method != "POST":
        return _unspoken(render(request, "games/join.html", {"form": CodeForm()}))
    if _member(request) is None:
        return redirect_to_login(request.path)
    return _unspoken(_joined(cast(MemberRequest, request)))


def _joined(request: MemberRequest) -> HttpResponse:
    tries = [allow(f"code:{key}", CODE_TRIES, 60) for key in (request.user.pk, place(request))]
    if wait := max(tried.wait for tried in tries):
        return too_many(request, wait)
    try:
        found = services.join_by_code(member=request.user, typed=request.POST.get("code", ""))
    except WrongCode as error:
        context = {"form": CodeForm(), "refusal": error.detail}
        return render(request, "games/join.html", context, status=error.status)
    return redirect("match" if found.status == Table.Status.STARTED else "table", found.id)


# Matches


@require_safe
@member_required
@refusing
def match(request: MemberRequest, match_id: UUID) -> HttpResponse:
    """The match; `?at=n` looks back, `?stage=move` shows a move before it is sent."""
    return _match_page(request, match_id, "games/match.html")


@require_safe
@member_required
@refusing
def board(request: MemberRequest, match_id: UUID) -> HttpResponse:
    """What changes with a move, for the script of the match page; nothing when `have` is still the last number."""
    found, _mine = selectors.access_match(match_id, request.user)
    if request.GET.get("have") == str(found.number):
        return HttpResponse(status=204)
    return _match_page(request, match_id, "games/board.html")


@require_safe
@member_required
@refusing
def log(request: MemberRequest, match_id: UUID) -> HttpResponse:
    """The whole history in sentences; each leads to the position after it."""
    return _match_page(request, match_id, "games/log.html")


def _match_page(request: MemberRequest, match_id: UUID, template: str) -> HttpResponse:
    found, mine = selectors.access_match(match_id, request.user)
    context = match_context(found, mine, at=request.GET.get("at", ""), stage=request.GET.get("stage", ""))
    return render(request, template, context)


@require_POST
@member_required
@refusing
def move(request: MemberRequest, match_id: UUID) -> HttpResponse:
    form = MoveForm(request.POST)
    if not form.is_valid():
        selectors.access_match(match_id, request.user)
        raise Malformed
    accepted = services.play_move(match_id=match_id, member=request.user, **form.cleaned_data)
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"number": accepted.number})
    return redirect("match", match_id)


@require_POST
@member_required
@refusing
def resign(request: MemberRequest, match_id: UUID) -> HttpResponse:
    if request.POST.get("sure") != "yes":
        found, _mine = selectors.access_match(match_id, request.user)
        return render(request, "games/resign.html", {"match": found, "title": titles.of(found.table.ruleset)})
    services.resign(match_id=match_id, member=request.user)
    return redirect("match", match_id)


@require_safe
@member_required
@refusing
def record(request: MemberRequest, match_id: UUID) -> HttpResponse:
    """The match record of match-record.md, as a file."""
    found, mine = selectors.access_match(match_id, request.user)
    text = json.dumps(selectors.record(found, mine.number), ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="match-{found.pk}.json"'
    return response


# The trainer


@require_safe
def trainer(request: HttpRequest, slug: str) -> HttpResponse:
    """What would this score? The address holds the question, the answer and how many were right."""
    try:
        context = training.context(slug, request.GET)
    except training.Nowhere as error:
        raise Http404 from error
    return render(request, "games/trainer.html", context)


@csrf_exempt
@require_POST
def heartbeat(request: HttpRequest) -> HttpResponse:
    """The door of the synthetic move; for the club's own worker only."""
    if not beats.is_probe(request.headers.get("Authorization", "")):
        return render(request, "games/refused.html", {"refusal": NotFound.detail}, status=404)
    beats.synthetic_move()
    return HttpResponse(status=204)
