"""The page after a match: the result, and a kind word for each other seat."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from club.afterwords import selectors, services
from club.afterwords.doors import refusing
from club.afterwords.errors import AlreadySaid
from club.afterwords.forms import AfterwordForm
from club.members.decorators import MemberRequest, member_required
from games import titles
from games.errors import Malformed
from games.models import Match, Seat
from games.selectors import access_match, result


@require_safe
@member_required
@refusing
def after(request: MemberRequest, match_id: UUID) -> HttpResponse:
    """The result and the words of a match that is over; a running match has its own page."""
    match, mine = access_match(match_id, request.user)
    if not match.is_over:
        return redirect("match", match_id)
    return render(request, "afterwords/after.html", _context(match, mine))


def _context(match: Match, mine: Seat, tried: tuple[int, AfterwordForm] | None = None) -> dict[str, Any]:
    forms = dict([tried] if tried else [])
    cards = selectors.cards(match, mine)
    return {
        "match": match,
        "title": titles.of(match.table.ruleset),
        "result": result(match),
        "closes_at": selectors.closes_at(match),
        "cards": [(card, forms.get(card.seat.number) or _form(card.seat.number)) for card in cards],
    }


def _form(seat: int, data: Any = None) -> AfterwordForm:
    return AfterwordForm(data, auto_id=f"id_{seat}_%s")


@require_POST
@member_required
@refusing
def write(request: MemberRequest, match_id: UUID, seat: int) -> HttpResponse:
    """Say a word. What is not taken comes back with the reason; a second one meets the first."""
    match, mine = access_match(match_id, request.user)
    services.check_open(match)
    form = _form(seat, request.POST)
    try:
        if not form.is_valid():
            raise Malformed
        services.write(match_id=match_id, member=request.user, seat=seat, **form.cleaned_data)
    except Malformed as refusal:
        if form.is_valid():
            form.add_error("text", str(refusal.detail))
        return render(request, "afterwords/after.html", _context(match, mine, (seat, form)), status=400)
    except AlreadySaid as refusal:
        context = _context(match, mine) | {"refusal": refusal.detail}
        return render(request, "afterwords/after.html", context, status=409)
    messages.success(request, _("Your word is said."))
    return redirect("after", match_id)


@require_POST
@member_required
@refusing
def withdraw(request: MemberRequest, match_id: UUID, seat: int) -> HttpResponse:
    """Take a word back; the page asked first, since there is no second one."""
    services.withdraw(match_id=match_id, member=request.user, seat=seat)
    messages.info(request, _("Your word is taken back."))
    return redirect("after", match_id)
