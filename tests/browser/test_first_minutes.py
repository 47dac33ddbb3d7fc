"""The first ten minutes of three people on their phones, in a real browser. Pictures stay under var/screenshots/."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Locator, Page, expect

from club.demo.matches import play
from club.stack import ROOT
from games.models import Match, Seat
from tests.factories import PASSWORD, MemberFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
SHOTS = ROOT / "var" / "screenshots"


@pytest.fixture
def shot() -> Callable[[Page, str], Path]:
    """Keep a picture of the page as it stands, and see that it does not scroll sideways."""
    SHOTS.mkdir(parents=True, exist_ok=True)

    def take(page: Page, name: str) -> Path:
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        page.screenshot(path=SHOTS / f"{name}.png")
        return SHOTS / f"{name}.png"

    return take


def tap(button: Locator) -> None:
    """Tap something that leads to another page, and wait until it is there."""
    with button.page.expect_navigation():
        button.tap()


def words(language: str, text: str) -> str:
    with translation.override(language):
        return gettext(text)


def sign_in(page: Page, name: str) -> None:
    page.goto("/login/")
    page.fill("[name=login]", name)
    page.fill("[name=password]", PASSWORD)
    tap(page.locator("main form button").first)
    expect(page.locator("header")).to_contain_text(name)


def come_in(page: Page, code: str) -> None:
    page.goto("/j/")
    page.fill("[name=code]", code)
    tap(page.locator("main form[action='/j/'] button").first)


def lay_a_tile(page: Page) -> None:
    """Two taps: a tile that fits, then the button that says what will happen."""
    page.wait_for_timeout(700)  # a board that has just changed takes no tap: it was meant for what stood there before
    page.locator(".hand a").first.tap()
    page.locator(".bar button").first.tap()


def test_three_people_meet_and_play(new_page, shot):
    MemberFactory(name="Анна", language="ru", time_zone="Europe/Moscow")
    MemberFactory(name="Işıl", language="tr", time_zone="Europe/Istanbul")
    anna, isil = (new_page(**PHONE, locale=locale) for locale in ("ru-RU", "tr-TR"))
    guest = new_page(**PHONE, locale="az-AZ")

    guest.goto("/")
    shot(guest, "01-a-stranger-comes")
    expect(guest.locator("html")).to_have_attribute("lang", "az")
    tap(guest.locator("form[action*='/guest/'] button").first)
    shot(guest, "02-a-guest-has-a-name")

    sign_in(anna, "Анна")
    anna.goto("/tables/new/?title=kozel&size=3")
    shot(anna, "03-a-table-is-opened")
    anna.locator("[name=is_private][value=yes]").check()
    tap(anna.locator(".bar button[form=open]"))
    expect(anna).to_have_url(re.compile("/t/"))
    shot(anna, "04-the-table-waits")
    code = re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", anna.locator("main").inner_text())[0]

    sign_in(isil, "Işıl")
    come_in(isil, code.lower())
    expect(isil).to_have_url(re.compile("/t/"))
    come_in(guest, code)
    expect(guest).to_have_url(re.compile("/m/"))
    match = Match.objects.select_related("table").get()

    pages = dict(enumerate((anna, isil, guest)))
    for page in pages.values():
        page.goto(f"/m/{match.pk}/")
        page.evaluate("window.notReloaded = true")
    shot(anna, "05-the-match-begins")
    for turn in range(6):
        match.refresh_from_db()
        mover = pages[match.to_act[0]]
        lay_a_tile(mover)
        expect(mover.locator("#status")).not_to_be_empty()
        expect(mover.locator("#screen")).not_to_have_attribute("data-number", str(match.number))
        match.refresh_from_db()
        for page in pages.values():
            expect(page.locator("#screen")).to_have_attribute("data-number", str(match.number))
        shot(mover, f"06-move-{turn + 1}")
    for page in pages.values():
        assert page.evaluate("window.notReloaded === true"), "moves come without a reload"

    anna.goto(f"/m/{match.pk}/?at=3")
    shot(anna, "07-looking-back")
    anna.goto("/")
    shot(anna, "08-the-lobby-knows-whose-turn-it-is")

    play(match)
    for name, page in (("guest", guest), ("anna", anna), ("isil", isil)):
        page.goto(f"/m/{match.pk}/after/")
        shot(page, f"09-afterwards-{name}")
    seat = Seat.objects.get(table_id=match.pk, member__name="Анна").number
    guest.locator(f"form[action$='/after/{seat}/'] [name=phrase]").select_option("patient")
    tap(guest.locator(f"form[action$='/after/{seat}/'] button").last)
    anna.goto(f"/m/{match.pk}/after/")
    expect(anna.locator("main")).to_contain_text(words("ru", "Thank you for your patience."))
    shot(anna, "10-a-kind-word-came")
    tap(anna.locator("form[action='/complaint/'] button").first)
    shot(anna, "11-whom-a-complaint-reaches")
