"""Pages of tables and matches: thin doors to services and selectors."""

from __future__ import annotations

import json
from functools import wraps
from typing import Any
from uuid import UUID, uuid4

from club.members.limits import allow
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from club.members.decorators import member_required
from games import heartbeat as beats
from games import selectors, services, titles
from games.errors import Malformed, NotFound, Refused
from games.forms import CodeForm, MoveForm, TableForm, title_and_size
from games.models import Match, Seat, Table
from games.phrases import Reader

CODE_TRIES = 10
"""A minute, for an account and for an address (security.md 7)."""


def refusing(view):
    """Turn a refusal into its page: 409 shows the fresh board, everything else says what to do."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except Refused as error:
            response = _refusal(request, error, kwargs.get("match_id"))
        response["Cache-Control"] = "private, no-store"
        patch_vary_headers(response, ["Cookie"])
        return response

    return wrapped


def _refusal(request: HttpRequest, error: Refused, match_id: UUID | None) -> HttpResponse:
    if request.headers.get("Accept") == "application/json":
        return JsonResponse(
            {"code": error.code, "detail": str(error.detail), "number": error.number}, status=error.status
        )
    if error.number is not None and match_id is not None:
        match, mine = selectors.access_match(match_id, request.user)
        context = _match_context(match, mine) | {"refusal": error.detail}
        return render(request, "games/match.html", context, status=error.status)
    return render(request, "games/refused.html", {"refusal": error.detail}, status=error.status)


# Tables


@require_http_methods(["GET", "HEAD", "POST"])
@member_required
@refusing
def new_table(request: HttpRequest) -> HttpResponse:
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


@require_GET
@refusing
def table(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """A table before the start: who sits there, its options in words, how to come in."""
    found = selectors.access_table(table_id, _member(request))
    if found.status == Table.Status.STARTED and selectors.sits_at(found, _member(request)):
        return redirect("match", found.id)
    return render(request, "games/table.html", _table_context(request, found))


def _member(request: HttpRequest):
    return request.user if request.user.is_authenticated else None


def _table_context(request: HttpRequest, found: Table) -> dict[str, Any]:
    seats = {seat.number: seat for seat in found.seats.select_related("member")}
    sits = selectors.sits_at(found, _member(request))
    return {
        "table": found,
        "title": titles.get(found.title),
        "chairs": [(number, seats.get(number)) for number in range(found.size)],
        "sits": sits,
        "code": selectors.room_code(found) if found.is_private and sits else "",
        "options": selectors.options_in_words(found),
        "commitment": selectors.commitment(found),
    }


@require_POST
@member_required
@refusing
def join(request: HttpRequest, table_id: UUID) -> HttpResponse:
    number = request.POST.get("seat", "")
    if number and number not in "0123":
        raise Malformed
    selectors.access_table(table_id, request.user)
    found = services.take_seat(member=request.user, table_id=table_id, number=int(number) if number else None)
    return redirect("match" if found.status == Table.Status.STARTED else "table", found.id)


@require_POST
@member_required
@refusing
def leave(request: HttpRequest, table_id: UUID) -> HttpResponse:
    services.leave_table(member=request.user, table_id=table_id)
    messages.info(request, _("You have left the table."))
    return redirect("lobby")


@require_http_methods(["GET", "HEAD", "POST"])
@refusing
def join_by_code(request: HttpRequest) -> HttpResponse:
    """Come in with a room code. The code travels by POST only, so that it stands in no address or log."""
    form = CodeForm(request.POST or None)
    if form.is_bound:
        return _joined(request, form)
    response = render(request, "games/join.html", {"form": form})
    response["Referrer-Policy"] = "no-referrer"
    return response


@member_required
def _joined(request: HttpRequest, form: CodeForm) -> HttpResponse:
    keys = (f"code:{request.user.pk}", f"code:{request.META['REMOTE_ADDR']}")
    tries = [allow(key, CODE_TRIES, 60) for key in keys]  # both are counted, whichever refuses
    if not all(tries):
        response = render(request, "429.html", status=429)
        response["Retry-After"] = "60"
        return response
    found = services.join_by_code(member=request.user, typed=request.POST.get("code", ""))
    return redirect("match" if found.status == Table.Status.STARTED else "table", found.id)


# Matches


@require_GET
@member_required
@refusing
def match(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The match; `?at=n` looks back, `?stage=move` shows a move before it is sent."""
    found, mine = selectors.access_match(match_id, request.user)
    context = _match_context(found, mine, request.GET.get("at", ""), request.GET.get("stage", ""))
    services.mark_seen(mine, found.number)
    return render(request, "games/match.html", context)


@require_GET
@member_required
@refusing
def board(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The part of the match page that changes with a move; fetched again when the socket names a new number."""
    found, mine = selectors.access_match(match_id, request.user)
    context = _match_context(found, mine, "", request.GET.get("stage", ""))
    services.mark_seen(mine, found.number)
    return render(request, "games/board.html", context)


def _match_context(found: Match, mine: Seat, at: str = "", stage: str = "") -> dict[str, Any]:
    number = int(at) if at.isascii() and at.isdigit() and len(at) < 10 else None
    page = selectors.match_page(found, mine, number)
    staged = next((offer for offer in page.offers if offer.move == stage), None)
    return {
        "page": page,
        "reader": Reader.of(page),
        "staged": staged,
        "key": str(uuid4()),
        "board_template": f"titles/{page.title.SLUG}/board.html",
        "moves_template": f"titles/{page.title.SLUG}/moves.html",
    }


@require_POST
@member_required
@refusing
def move(request: HttpRequest, match_id: UUID) -> HttpResponse:
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
def resign(request: HttpRequest, match_id: UUID) -> HttpResponse:
    if request.POST.get("sure") != "yes":
        found, _mine = selectors.access_match(match_id, request.user)
        return render(request, "games/resign.html", {"match": found})
    services.resign(match_id=match_id, member=request.user)
    return redirect("match", match_id)


@require_GET
@member_required
@refusing
def record(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The match record of match-record.md, as a file."""
    found, mine = selectors.access_match(match_id, request.user)
    text = json.dumps(selectors.record(found, mine.number), ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="match-{found.pk}.json"'
    return response


@csrf_exempt
@require_POST
def heartbeat(request: HttpRequest) -> HttpResponse:
    """The door of the synthetic move; for the club's own worker only."""
    if not beats.is_probe(request.headers.get("Authorization", "")):
        return render(request, "games/refused.html", {"refusal": NotFound.detail}, status=404)
    beats.synthetic_move()
    return HttpResponse(status=204)
