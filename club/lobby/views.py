"""The lobby, the list of open tables, and what anybody may read: about the club, and the rules."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from club.lobby import rows
from games import selectors, titles

A_FEW = 3
FINISHED_ON_A_PAGE = 10
TABLES_ON_A_PAGE = 20


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """My matches, mine to move first; for strangers, what the club is."""
    if not request.user.is_authenticated:
        open_now = selectors.open_tables(None)[:A_FEW]
        return render(request, "lobby/welcome.html", {"tables": rows.tables(open_now), "titles": _titles()})
    member = request.user
    running = rows.running(member)
    page = Paginator(selectors.finished_matches(member), FINISHED_ON_A_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "mine": [row for row in running if row.is_mine],
        "others": [row for row in running if not row.is_mine],
        "my_tables": rows.tables(selectors.my_open_tables(member)),
        "tables": rows.tables(selectors.open_tables(member)[:A_FEW]),
        "finished": rows.finished(page.object_list, member),
        "page": page,
    }
    return render(request, "lobby/lobby.html", context | {"waiting": len(context["mine"])})


@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """Open tables, of one title if the address says so."""
    slug = request.GET.get("title", "")
    if slug and slug not in titles.slugs():
        raise Http404
    found = selectors.open_tables(request.user if request.user.is_authenticated else None)
    if slug:
        found = found.filter(title=slug)
    page = Paginator(found, TABLES_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"tables": rows.tables(page.object_list), "page": page, "titles": _titles(), "chosen": slug}
    return render(request, "lobby/tables.html", context)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "lobby/about.html")


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "lobby/rules.html", {"titles": _titles()})


@require_safe
def rules_of(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of one title, in the reader's language."""
    if slug not in titles.slugs():
        raise Http404
    text = select_template([f"titles/{slug}/rules.{language}.html" for language in (get_language(), "en")])
    return render(request, "lobby/rules_of.html", {"title": titles.get(slug), "text": text})


def _titles() -> list:
    return [titles.get(slug) for slug in titles.slugs()]
