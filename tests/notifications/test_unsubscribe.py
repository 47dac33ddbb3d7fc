"""The link that stops one kind of mail (D-05, C79, C80, RFC 8058)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from notifications import kinds, sending, tokens
from notifications.models import Preference
from notifications.services import tell
from tests.notifications.conftest import written

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def link(member, kind: str = "turn") -> str:
    return reverse("unsubscribe", args=[tokens.write(tokens.Wish(member.pk, kind))])


@pytest.fixture
def strict() -> Client:
    """A browser of nobody, at a server that insists on CSRF tokens."""
    return Client(enforce_csrf_checks=True)


def wants(member, kind: str = "turn") -> bool:
    return written(member, kind, f"probe:{member.notices.count()}").deliveries.exists()


def test_a_fetch_only_asks(member, strict):
    for fetch in (strict.get, strict.head):
        assert fetch(link(member)).status_code == 200
    assert wants(member)
    assert not Preference.objects.exists()


def test_the_button_acts_and_can_be_pressed_again(member, strict):
    for _ in range(2):
        answer = strict.post(link(member))
        assert answer.status_code == 200
        assert not wants(member)
    answer = strict.post(link(member), {"on": "1"})
    assert answer.status_code == 200
    assert wants(member)


def test_the_mail_programs_button_acts_by_itself(member, strict):
    answer = strict.post(link(member), ONE_CLICK, HTTP_ORIGIN="https://mail.example")
    assert answer.status_code == 200
    assert not wants(member)


def test_what_is_queued_already_is_stopped_too(member, strict, mailoutbox):
    tell(member, "turn", about="turn:1")
    strict.post(link(member), ONE_CLICK)
    assert sending.send_all() == 0
    assert mailoutbox == []


def test_nothing_else_is_touched(member, make_member, strict):
    other = make_member()
    strict.post(link(member))
    assert wants(member, "vital")
    assert wants(other)


def test_it_signs_nobody_in(member, strict):
    strict.get(link(member))
    strict.post(link(member))
    assert "_auth_user_id" not in strict.session


def test_it_works_while_somebody_else_is_signed_in_and_leaves_that_one_alone(member, make_member):
    other, browser = make_member(), Client()
    browser.force_login(other)
    browser.post(link(member))
    assert wants(other)
    assert not wants(member)


@pytest.mark.parametrize("language", ["ru", "az", "tr", "en"])
def test_in_the_readers_language(make_member, db, strict, language):
    answer = strict.get(link(make_member(language=language)), HTTP_ACCEPT_LANGUAGE="de")
    assert f'<html lang="{language}"' in answer.content.decode()


def test_its_address_goes_nowhere_and_stays_nowhere(member, strict):
    answer = strict.get(link(member))
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer["Cache-Control"]
    assert member.email not in answer.content.decode()
    assert member.name not in answer.content.decode()


def test_an_altered_token_is_not_found(member, make_member, strict):
    token = tokens.write(tokens.Wish(member.pk, "turn"))
    body, signature = token.split("~")
    others = tokens.write(tokens.Wish(make_member().pk, "turn")).split("~")[0]
    another_kind = tokens.write(tokens.Wish(member.pk, "vital")).split("~")[0]
    altered = [
        body,
        signature,
        f"{others}~{signature}",
        f"{another_kind}~{signature}",
        f"{token}x",
        token[:-1],
        "~",
        "а~б",
    ]
    for one in altered:
        for call in (strict.get, strict.post):
            assert call(reverse("unsubscribe", args=[one])).status_code == 404
    assert wants(member)


def test_another_signature_of_ours_opens_nothing(member, strict):
    from django.core.signing import Signer

    foreign = Signer(sep="~", salt="another purpose").sign(tokens.write(tokens.Wish(member.pk, "turn")).split("~")[0])
    assert strict.get(reverse("unsubscribe", args=[foreign])).status_code == 404


@pytest.mark.parametrize("how", ["closed", "deleted", "kind is gone", "kind cannot be switched"])
def test_an_old_link_is_a_friendly_page_that_changes_nothing(member, strict, monkeypatch, how):
    """D-06."""
    address = link(member, "vital" if how == "kind cannot be switched" else "turn")
    if how == "closed":
        member.is_active = False
        member.save()
    if how == "deleted":
        member.delete()
    if how == "kind is gone":
        monkeypatch.delitem(kinds._kinds, "turn")
    for call in (strict.get, strict.post):
        answer = call(address)
        assert answer.status_code == 200
        assert b"<form method" not in answer.content.partition(b"<main")[2].partition(b"</main")[0]
    assert not Preference.objects.exists()
