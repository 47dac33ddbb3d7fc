"""Pages about who one is. Each act is a POST; a link never signs anybody in."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

from django.conf import settings as club
from django.contrib import messages
from django.contrib.auth import authenticate, logout, update_session_auth_hash
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from club.members import forms, selectors, services, sessions, tokens
from club.members.context import THEMES
from club.members.decorators import MemberRequest, member_required
from club.members.folding import fold
from club.members.limits import Try, allow, give_back, place, too_many
from club.members.models import Member
from club.members.onward import onward
from club.members.text import BadText

HOUR = 3600
# security.md 7
PASSWORD_TRIES, PASSWORD_TRIES_OF_PLACE = (5, 15 * 60), (50, HOUR)
MAILS_TO_INBOX, MAILS_OF_PLACE = 3, 20
TRIES_UNTIL_WARNING = 20
NEW_MEMBERS_OF_PLACE = 300
LINKS = 10
COOKIE_AGE = 365 * 86_400
RECOVERY, CLAIM = "recovery", "claim"
"""Where a session keeps what a link in a mail carried, until its button is pressed."""

page = require_http_methods(["GET", "HEAD", "POST"])


def discreet(response: HttpResponse) -> HttpResponse:
    """The answer to an address that holds a secret: no other page is told that address.

    A form cannot stand there: from such a page a browser sends `Origin: null`, which the guard against forged requests
    refuses. So the secret moves into the session, and the form stands at an address without one.
    """
    response["Referrer-Policy"] = "no-referrer"
    return response


# ---- coming and going


@page
def guest(request: HttpRequest) -> HttpResponse:
    """One button: a member row with a friendly name, and a session of its own."""
    onto = onward(request)
    if request.user.is_authenticated:
        return redirect(onto)
    if request.method != "POST":
        return render(request, "members/guest.html", {"next": onto})
    if not (tried := allow(f"new:{place(request)}", NEW_MEMBERS_OF_PLACE, HOUR)):
        return too_many(request, tried.wait)
    member = services.enter_as_guest(language=request.LANGUAGE_CODE, zone=request.POST.get("zone", ""))
    sessions.sign_in(request, member)
    messages.success(request, _("Welcome! At the table you are called: %(name)s") % {"name": member.name})
    return redirect(onto)


@page
@sensitive_post_parameters("password")
def signup(request: HttpRequest) -> HttpResponse:
    """A new account; a guest keeps the row, and with it seats and history."""
    onto, user = onward(request), request.user
    if user.is_authenticated and not user.is_guest:
        return redirect(onto)
    guest = user if user.is_authenticated else None
    form = forms.SignUpForm(request.POST or None, guest=guest, initial={"name": guest.name if guest else ""})
    if request.method == "POST" and form.is_valid():
        address = form.cleaned_data["email"]
        tries = [allow(f"new:{place(request)}", NEW_MEMBERS_OF_PLACE, HOUR), *_mail_tries(request, address)]
        if wait := max(tried.wait for tried in tries):
            return too_many(request, wait)
        if member := _signed_up(form, guest, request.LANGUAGE_CODE):
            sessions.sign_in(request, member)
            if address:
                messages.info(request, _mail_sent())
            messages.success(request, _("You are a member now. Next time you can sign in with your name."))
            return redirect(onto)
    return _form_page(request, "members/signup.html", form, next=onto)


def _signed_up(form: forms.SignUpForm, guest: Member | None, language: str) -> Member | None:
    data = form.cleaned_data
    try:
        return services.sign_up(
            name=data["name"],
            password=data["password"],
            address=data["email"],
            language=language,
            zone=data["zone"],
            guest=guest,
        )
    except BadText as bad:  # somebody was faster
        form.add_error("name", str(bad.message))
        return None


@page
@sensitive_post_parameters("password")
def signin(request: HttpRequest) -> HttpResponse:
    """By name or mail address. Whether such a member exists is not told, by no word and by no delay."""
    onto = onward(request)
    if request.user.is_authenticated and not request.user.is_guest:
        return redirect(onto)
    form = forms.SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        login = form.cleaned_data["login"]
        here, by_name = f"password:{place(request)}", f"password:{fold(login)}:{place(request)}"
        tries = [allow(by_name, *PASSWORD_TRIES), allow(here, *PASSWORD_TRIES_OF_PLACE)]
        if wait := max(tried.wait for tried in tries):
            return too_many(request, wait)
        if member := authenticate(request, username=login, password=form.cleaned_data["password"]):
            give_back(by_name)
            give_back(here)
            sessions.sign_in(request, member)
            merging = f"{reverse('merge_guest')}?{urlencode({'next': onto})}"
            return redirect(merging if sessions.GUEST in request.session else onto)
        _failed(login)
        form.add_error(None, _("Name and password do not go together. Please check both, capital letters too."))
    return _form_page(request, "members/signin.html", form, next=onto)


def _failed(login: str) -> None:
    """Many tries at one name: the answers take longer and the owner gets a mail, but nobody is locked out."""
    tried = allow(f"failed:{fold(login)}", 10 * TRIES_UNTIL_WARNING, HOUR)
    if tried.count == TRIES_UNTIL_WARNING:
        services.warn_of_tries(login)
    time.sleep(min(2.0, 0.1 * max(0, tried.count - TRIES_UNTIL_WARNING)))


@page
def signout(request: HttpRequest) -> HttpResponse:
    """A guest is asked first: nobody comes back to a guest's seats without a link."""
    if request.method == "POST":
        logout(request)
        return redirect("lobby")
    return render(request, "members/signout.html")


@page
@member_required
def merge(request: MemberRequest) -> HttpResponse:
    """An account signed in where a guest was: do the guest's seats come along? Only if the person says so."""
    onto, before = onward(request), request.session.get(sessions.GUEST)
    guest = selectors.guest(before) if before else None
    count = selectors.count_of(guest) if guest else 0
    if not guest or not count:
        request.session.pop(sessions.GUEST, None)
        return redirect(onto)
    if request.method != "POST":
        return render(request, "members/merge.html", {"guest": guest, "count": count, "next": onto})
    del request.session[sessions.GUEST]
    if request.POST.get("answer") != "yes":
        return _link_page(request, guest)
    if services.merge_guest(guest.pk, request.user):
        messages.warning(request, _("Not everything could be moved: at one table you sit with both names."))
    else:
        messages.success(request, _("Done: what you played as a guest is yours now."))
    return redirect(onto)


# ---- a forgotten password, a lost cookie, an address: links in mails


@page
def password_reset(request: HttpRequest) -> HttpResponse:
    """Ask for a mail. The answer is the same whoever the address belongs to."""
    form = forms.AskResetForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        address = form.cleaned_data["email"]
        if wait := max((tried.wait for tried in _mail_tries(request, address)), default=0):
            return too_many(request, wait)
        services.ask_reset(address)
        return redirect("password_reset_done")
    return _form_page(request, "members/reset.html", form)


@require_safe
def password_reset_done(request: HttpRequest) -> HttpResponse:
    return render(request, "members/reset_sent.html")


class ResetConfirm(PasswordResetConfirmView):
    """Django's second half of a reset: the token moves from the address into the session before anything is shown."""

    form_class = forms.NewPasswordForm  # type: ignore[assignment]
    template_name = "members/reset_confirm.html"
    title = gettext_lazy("A new password")

    def get_success_url(self) -> str:
        messages.success(self.request, _("The new password holds. Please sign in with it."))
        return reverse("signin")

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        status = 404 if not self.validlink else 400 if context["form"].errors else 200
        return super().render_to_response(context, status=status, **kwargs)


@sensitive_post_parameters("password")
def password_reset_confirm(request: HttpRequest, uidb64: str, token: str) -> HttpResponseBase:
    form = ResetConfirm.as_view()(request, uidb64=uidb64, token=token)
    if token == ResetConfirm.reset_url_token:
        return form
    return discreet(redirect("password_reset_confirm", uidb64=uidb64, token=ResetConfirm.reset_url_token))


@page
@member_required
def recovery(request: MemberRequest) -> HttpResponse:
    """A guest's way back after a lost cookie: a link shown once, or sent to an address."""
    if not request.user.is_guest:
        return redirect("settings")
    if request.method != "POST":
        return render(request, "members/recovery.html", {"form": forms.AskResetForm()})
    if "email" not in request.POST:
        tried = allow(f"links:{request.user.pk}", LINKS, HOUR)
        return _link_page(request, request.user) if tried else too_many(request, tried.wait)
    form = forms.AskResetForm(request.POST)
    if not form.is_valid():
        return _form_page(request, "members/recovery.html", form)
    address = form.cleaned_data["email"]
    if wait := max(tried.wait for tried in _mail_tries(request, address)):
        return too_many(request, wait)
    services.mail_recovery(request.user, address)
    messages.info(request, _mail_sent())
    return redirect("recovery")


@require_safe
def recover(request: HttpRequest, token: str) -> HttpResponse:
    """What a recovery link opens; it leads on to the button."""
    request.session.pop(RECOVERY, None)
    if selectors.recoverable(tokens.digest(token)):
        request.session[RECOVERY] = tokens.digest(token)
    return discreet(redirect("come_back"))


@page
def come_back(request: HttpRequest) -> HttpResponse:
    """The button of a recovery link: only pressing it signs the guest in, and only once."""
    digest = request.session.get(RECOVERY, "")
    if request.method == "POST" and (member := services.use_recovery(digest)):
        sessions.sign_in(request, member)
        messages.success(request, _("Welcome back! This link is used up now; you can make a new one."))
        return redirect("merge_guest" if sessions.GUEST in request.session else "recovery")
    guest = selectors.recoverable(digest)
    return render(request, "members/recover.html", {"guest": guest}, status=200 if guest else 404)


@require_safe
def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
    """What the mail to a new address opens; it leads on to the button."""
    request.session.pop(CLAIM, None)
    if tokens.read_claim(token):
        request.session[CLAIM] = token
    return discreet(redirect("own_address"))


@page
def own_address(request: HttpRequest) -> HttpResponse:
    """The button that says an address is one's own."""
    claim = tokens.read_claim(request.session.get(CLAIM, ""))
    if request.method == "POST":
        request.session.pop(CLAIM, None)
        if claim and services.confirm_address(claim):
            messages.success(request, _("The mail address is confirmed."))
            return redirect("settings")
        claim = None
    return render(request, "members/confirm.html", {"claim": claim}, status=200 if claim else 404)


# ---- one's own settings


@require_safe
@member_required
def settings(request: MemberRequest) -> HttpResponse:
    return _settings_page(request)


@page
@member_required
def name(request: MemberRequest) -> HttpResponse:
    form = forms.NameForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.rename(request.user, form.cleaned_data["name"])
        except BadText as bad:
            request.user.refresh_from_db()
            form.add_error("name", str(bad.message))
        else:
            return _saved(request)
    return _settings_page(request, name=form)


@page
@member_required
def zone(request: MemberRequest) -> HttpResponse:
    """Choose a zone; or, with `guessed`, what the browser says, which never overrules a choice."""
    if request.method == "POST" and "guessed" in request.POST:
        services.guess_zone(request.user, request.POST["guessed"])
        return HttpResponse(status=204)
    form = forms.ZoneForm(request.user, request.POST or None, initial={"zone": request.user.time_zone})
    if request.method == "POST" and form.is_valid():
        services.choose_zone(request.user, form.cleaned_data["zone"])
        return _saved(request)
    return _form_page(request, "members/zone.html", form)


@page
@member_required
@sensitive_post_parameters("password")
def address(request: MemberRequest) -> HttpResponse:
    """Another mail address: it is asked first whether it is one's own."""
    form = forms.AddressForm(request.user, request.POST or None)
    if request.method == "POST":
        if not (tried := _own_password_try(request)):
            return too_many(request, tried.wait)
        if form.is_valid():
            new = form.cleaned_data["email"]
            if wait := max(tried.wait for tried in _mail_tries(request, new)):
                return too_many(request, wait)
            services.give_address(request.user, new)
            messages.info(request, _mail_sent())
            return redirect("settings")
    return _settings_page(request, address=form)


@page
@member_required
@sensitive_post_parameters("password", "new")
def password(request: MemberRequest) -> HttpResponse:
    """Another password: this session goes on under a new key, all others end."""
    if request.user.is_guest:
        return redirect("signup")
    form = forms.PasswordForm(request.user, request.POST or None)
    if request.method == "POST":
        if not (tried := _own_password_try(request)):
            return too_many(request, tried.wait)
        if form.is_valid():
            services.set_password(request.user, form.cleaned_data["new"])
            update_session_auth_hash(request, request.user)
            messages.success(request, _("The new password holds. Other devices have to sign in again."))
            return redirect("settings")
    return _settings_page(request, password=form)


# ---- how pages look, for everybody


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    language = request.POST.get("language", "")
    response = redirect(onward(request))
    if language in dict(club.LANGUAGES):
        if request.user.is_authenticated:
            services.set_language(request.user, language)
        _set_cookie(response, club.LANGUAGE_COOKIE_NAME, language)
    return response


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Light, dark, or as the device has it."""
    wished, response = request.POST.get("theme", ""), redirect(onward(request))
    if wished in THEMES:
        _set_cookie(response, "theme", wished)
    else:
        response.delete_cookie("theme")
    return response


@require_safe
def profile(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Who somebody is: name, since when, guest or not."""
    member = get_object_or_404(Member.objects.select_related("merged_into"), pk=pk)
    if member.merged_into:
        return redirect(member.merged_into)
    if not member.is_active:
        raise Http404
    return render(request, "members/profile.html", {"member": member})


# ---- parts


def _form_page(request: HttpRequest, template: str, form: Any, **context: Any) -> HttpResponse:
    return render(request, template, {"form": form, **context}, status=400 if form.is_bound else 200)


def _settings_page(request: MemberRequest, **filled: Any) -> HttpResponse:
    """All of them on one page; the form that was sent comes back with its errors."""
    member = request.user
    parts: dict[str, Any] = {
        "name": forms.NameForm(member, initial={"name": member.name}),
        "address": forms.AddressForm(member, initial={"email": member.email}),
        "password": forms.PasswordForm(member),
    }
    status = 400 if any(form.is_bound for form in filled.values()) else 200
    return render(request, "members/settings.html", {"forms": parts | filled}, status=status)


def _link_page(request: HttpRequest, guest: Member) -> HttpResponse:
    """A new recovery link, shown this once."""
    link = request.build_absolute_uri(reverse("recover", args=[tokens.new_recovery(guest)]))
    return render(request, "members/recovery_link.html", {"guest": guest, "link": link})


def _saved(request: HttpRequest) -> HttpResponse:
    messages.success(request, _("Saved."))
    return redirect("settings")


def _mail_sent() -> str:
    return _("A mail is on its way. Please open the link in it; look among the unwanted mails too.")


def _mail_tries(request: HttpRequest, address: str) -> list[Try]:
    if not address:
        return []
    return [
        allow(f"mail:{fold(address)}", MAILS_TO_INBOX, HOUR),
        allow(f"mails:{place(request)}", MAILS_OF_PLACE, HOUR),
    ]


def _own_password_try(request: MemberRequest) -> Try:
    """The present password is asked for again; whoever holds a stolen device may not guess for long."""
    return allow(f"own:{request.user.pk}", *PASSWORD_TRIES)


def _set_cookie(response: HttpResponse, key: str, value: str) -> None:
    response.set_cookie(key, value, max_age=COOKIE_AGE, samesite="Lax", secure=club.SESSION_COOKIE_SECURE)
