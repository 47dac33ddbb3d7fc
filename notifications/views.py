"""The pages of this app: the inbox, what to be told, and the link that stops one kind of mail."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from club.members.decorators import MemberRequest, member_required
from club.members.models import Member
from notifications import selectors, services, tokens
from notifications.models import Channel

PAGE = 20

private = cache_control(private=True, no_store=True)


@private
@member_required
@require_http_methods(["GET", "HEAD", "POST"])
def inbox(request: MemberRequest) -> HttpResponse:
    """What the member was told; POST marks it read."""
    member = request.user
    if request.method == "POST":
        services.mark_read(member)
        return redirect("inbox")
    page = Paginator(selectors.inbox(member), PAGE).get_page(request.GET.get("page"))
    entries = selectors.entries(page.object_list)
    return render(request, "notifications/inbox.html", {"page": page, "entries": entries})


@private
@member_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: MemberRequest) -> HttpResponse:
    """Which kinds come by mail; and the buttons for a test mail and for an address that works again."""
    member = request.user
    if request.method == "POST":
        _ACTS.get(request.POST.get("do", ""), _save)(request)
        return redirect("notify_settings")
    shown = {
        "choices": selectors.choices(member),
        "always": selectors.always(member),
        "dead": selectors.dead_address(member),
        "reachable": member.email and member.email_confirmed,
    }
    return render(request, "notifications/settings.html", shown)


def _save(request: MemberRequest) -> None:
    wanted = set(request.POST.getlist("kind"))
    for choice in selectors.choices(request.user):
        if choice.on != (choice.kind.slug in wanted):
            services.switch(request.user, choice.kind.slug, Channel.EMAIL, not choice.on)
    messages.success(request, _("Saved."))


def _test(request: MemberRequest) -> None:
    if services.send_test(request.user):
        messages.success(request, _("The test mail is on its way."))
    else:
        messages.warning(request, _("No test mail was sent: there is no working address, or one was sent lately."))


def _revive(request: MemberRequest) -> None:
    services.revive(request.user)
    messages.success(request, _("Mail goes to this address again."))


_ACTS: dict[str, Callable[[MemberRequest], None]] = {"test": _test, "revive": _revive}


# The token is the right to press the button, and a mail program presses it without cookies (RFC 8058). Whoever could
# forge the request would have to know the token, and could then just as well send it himself.
@csrf_exempt
@private
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """GET asks, POST acts; `on` in the body switches on again. Signs nobody in, and works for whoever is signed in."""
    try:
        wish = tokens.read(token)
    except tokens.BadSignature as error:
        raise Http404 from error
    member = Member.objects.filter(pk=wish.member, is_active=True).first()
    with translation.override(member.language if member else translation.get_language()):
        response = render(request, "notifications/unsubscribe.html", _state(request, member, wish.kind))
    response["Referrer-Policy"] = "no-referrer"
    return response


def _state(request: HttpRequest, member: Member | None, kind: str) -> dict[str, object]:
    """Do what a POST asks, and say how things stand. No choice: nothing of the sort is sent any more."""
    choice = selectors.choice(member, kind) if member else None
    if member is None or choice is None:
        return {}
    if request.method != "POST":
        return {"kind": choice.kind, "on": choice.on}
    on = "on" in request.POST
    services.switch(member, kind, Channel.EMAIL, on)
    return {"kind": choice.kind, "on": on, "done": True}
