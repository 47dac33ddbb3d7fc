"""The inbox, the settings, and the ways there."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from club.members.models import Member
from notifications import context, kinds, selectors, sending, services, when
from notifications.kinds import Kind, Letter
from notifications.models import Channel, DeadAddress, Notice
from notifications.services import cancel, tell

DAY = timedelta(days=1)


@pytest.fixture
def browser(member) -> Client:
    browser = Client()
    browser.force_login(member)
    return browser


def inbox(browser: Client, page: str = "") -> str:
    answer = browser.get(reverse("inbox"), {"page": page} if page else {})
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return answer.content.decode()


def test_the_inbox_shows_what_was_told_and_only_that(member, make_member, browser):
    tell(member, "turn", about="turn:1", facts={"line": "The first line."})
    tell(member, "turn", about="turn:2", facts={"line": "Not due yet."}, send_at=when.now() + DAY)
    tell(member, "turn", about="turn:3", facts={"line": "Called off."})
    tell(make_member(), "turn", about="turn:1", facts={"line": "Not mine."})
    cancel("turn:3")
    page = inbox(browser)
    assert "The first line." in page
    assert 'href="/m/17/"' in page
    for other in ("Not due yet.", "Called off.", "Not mine."):
        assert other not in page


def test_looking_changes_nothing_and_the_button_marks_it_read(member, browser):
    tell(member, "turn", about="turn:1")
    inbox(browser)
    assert selectors.unread(member) == 1
    assert browser.post(reverse("inbox")).status_code == 302
    assert selectors.unread(member) == 0
    tell(member, "turn", about="turn:2")
    assert selectors.unread(member) == 1


def test_what_is_no_longer_so_keeps_its_name_alone(member, browser):
    tell(member, "turn", about="turn:1", facts={"still": False, "line": "Make a move."})
    page = inbox(browser)
    assert "It is my turn" in page
    assert "Make a move." not in page


def test_one_notice_that_cannot_be_written_leaves_the_others_readable(member, browser):
    tell(member, "turn", about="turn:1", facts={"broken": True})
    tell(member, "turn", about="turn:2", facts={"line": "Still here."})
    Notice.objects.create(member=member, kind="retired", about="x", send_at=when.now(), created_at=when.now())
    page = inbox(browser)
    assert "Still here." in page
    assert "retired" in page


def test_a_quote_is_composed_for_a_mail_alone(member, browser, monkeypatch, mailoutbox):
    asked = []

    def quote() -> tuple[str, ...]:
        asked.append(1)
        return ("Rauf: pass.",)

    letter = Letter("Your turn", ("It is your turn.",), "Play", "/m/17/", quote=quote)
    monkeypatch.setitem(kinds._kinds, "turn", Kind("turn", "It is my turn", lambda _: True, lambda _: letter))
    tell(member, "turn", about="turn:1")
    assert "It is your turn." in inbox(browser)
    assert asked == []
    assert sending.send_all() == len(asked) == 1
    assert "Rauf: pass." in mailoutbox[0].body


@pytest.mark.parametrize("page", ["", "2", "99", "0", "-1", "x", "9" * 400])
def test_any_page_number_shows_a_page(member, browser, page):
    for number in range(25):
        tell(member, "turn", about=f"turn:{number}")
    assert "It is your turn." in inbox(browser, page)


def test_text_of_others_stays_text(member, browser):
    tell(member, "turn", about="turn:1", facts={"line": "<img src=x onerror=alert(1)>"})
    assert "<img" not in inbox(browser)


# Settings


def wants(member: Member) -> bool:
    choice = selectors.choice(member, "turn")
    assert choice is not None
    return choice.on


def settings_page(browser: Client) -> str:
    return browser.get(reverse("notify_settings")).content.decode()


def test_kinds_are_switched_one_by_one(member, browser):
    assert wants(member)
    wanted = [one.kind.slug for one in selectors.choices(member) if one.kind.slug != "turn"]
    assert browser.post(reverse("notify_settings"), {"kind": wanted}).status_code == 302
    assert not wants(member)
    assert [one.kind.slug for one in selectors.choices(member) if one.on] == wanted
    browser.post(reverse("notify_settings"), {"kind": [*wanted, "turn"]})
    assert wants(member)


def test_what_nobody_offered_is_ignored(member, browser):
    body = {"kind": ["turn", "vital", "x" * 500, "\x00"], "do": "unheard of"}
    assert browser.post(reverse("notify_settings"), body).status_code == 302
    assert wants(member)


def test_always_kinds_are_named_but_not_offered(member, browser):
    page = settings_page(browser)
    assert "Vital" in page
    assert 'value="vital"' not in page


def test_a_test_mail(member, browser, mailoutbox):
    assert 'value="test"' in settings_page(browser)
    for _ in range(3):
        browser.post(reverse("notify_settings"), {"do": "test"})
    assert sending.send_all() == len(mailoutbox) == 1
    assert mailoutbox[0].to == [member.email]


def test_a_dead_address_is_said_and_its_owner_can_say_that_it_works(member, browser):
    assert 'value="revive"' not in settings_page(browser)
    services.bury(member, member.email, "550")
    assert 'value="revive"' in settings_page(browser)
    browser.post(reverse("notify_settings"), {"do": "revive"})
    assert not DeadAddress.objects.exists()
    assert services.send_test(member)


def test_without_a_confirmed_address_there_is_no_test_mail(member, browser):
    type(member).objects.filter(pk=member.pk).update(email_confirmed=False)
    assert 'value="test"' not in settings_page(browser)
    browser.post(reverse("notify_settings"), {"do": "test"})
    assert sending.send_all() == 0


@pytest.mark.parametrize("name", ["inbox", "notify_settings"])
def test_only_for_members(db, name):
    for call in (Client().get, Client().post):
        answer = call(reverse(name))
        assert answer.status_code in (302, 401, 403)
        assert reverse(name) not in answer.headers.get("Location", "").partition("?")[0]


def test_a_request_from_elsewhere_is_refused(member):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(member)
    for name in ("inbox", "notify_settings"):
        assert browser.post(reverse(name), {"do": "test"}).status_code == 403


def test_a_preference_of_one_does_not_show_with_another(member, make_member):
    services.switch(make_member(), "turn", Channel.EMAIL, on=False)
    assert wants(member)


def test_only_moderators_read_about_the_desk(member, browser):
    desk = "Something waits at the moderators&#x27; desk"
    assert desk not in browser.get(reverse("notify_settings")).content.decode()
    member.is_moderator = True
    member.save()
    assert desk in browser.get(reverse("notify_settings")).content.decode()


# The way there


def told_times(member: Member, times: int) -> None:
    for number in range(times):
        tell(member, "turn", about=f"turn:{number}")


def test_every_page_leads_to_the_inbox_and_says_how_much_is_unread(member, browser):
    unread = re.compile(r'href="/me/inbox/"[^<]*Inbox.*?</span> (\d+)</span>')
    assert 'href="/me/inbox/"' in browser.get("/about/").text
    assert not unread.search(browser.get("/about/").text)
    told_times(member, 3)
    found = unread.search(browser.get("/about/").text)
    assert found
    assert found[1] == "3"
    browser.post(reverse("inbox"))
    assert not unread.search(browser.get("/about/").text)


def test_a_stranger_has_no_inbox(db, client):
    assert "/me/inbox/" not in client.get("/about/").text


def test_a_page_that_does_not_show_it_counts_nothing(member, django_assert_num_queries):
    request = RequestFactory().get("/")
    request.user = member
    with django_assert_num_queries(0):
        count = context.unread(request)["unread"]
    with django_assert_num_queries(1):
        assert count == 0


def test_the_settings_lead_to_all_the_club_tells(browser):
    page = browser.get(reverse("settings")).text.partition("<main")[2]
    for name in ("inbox", "notify_settings", "complaints"):
        assert f'href="{reverse(name)}"' in page
