"""The whole story on a small phone, without a script: a word, a complaint, the desk, the answer."""

from __future__ import annotations

import pytest

from club.afterwords import services as afterwords
from tests.club.test_afterwords import over
from tests.factories import MemberFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"viewport": {"width": 320, "height": 640}, "java_script_enabled": False}


def fits(page) -> bool:
    """Whether nothing sticks out at the side."""
    return page.locator("html").evaluate("html => html.scrollWidth <= html.clientWidth")


def test_a_complaint_from_the_card_to_the_answer(new_page):
    members = [MemberFactory.create(name=name, zone_chosen=True) for name in ("Ayşe Yıldırım-Kocaoğlu", "Рауф", "Ada")]
    moderator = MemberFactory.create(is_moderator=True, zone_chosen=True)
    match = over(*members)
    afterwords.write(match_id=match.pk, member=members[0], seat=1, phrase="clever", text="W" * 120)
    page = new_page(members[1], **PHONE)
    page.goto(f"/m/{match.pk}/after/")
    assert fits(page)
    card = page.locator("#seat-0")
    card.get_by_label("Own words").fill("Thank you all the same.")
    card.get_by_role("button", name="Say it").click()
    assert "Thank you all the same." in page.locator("#seat-0").inner_text()
    page.locator("#seat-0").get_by_role("button", name="Complain").click()
    page.get_by_label("Mockery").check()
    page.get_by_label("What happened?").fill("So many W at once are mockery.")
    assert fits(page)
    page.get_by_role("button", name="Send to the moderators").click()
    receipt = page.url
    assert "We answer until:" in page.content()
    assert fits(page)

    desk = new_page(moderator, **PHONE)
    desk.goto("/mod/")
    assert fits(desk)
    desk.get_by_role("link", name="Ayşe").click()
    desk.get_by_role("button", name="Take this case").click()
    assert fits(desk)
    desk.get_by_label("A note").check()
    desk.get_by_label("Reasons").fill("It was mockery; we have acted.")
    desk.get_by_role("button", name="Answer everybody").click()
    assert "Nothing waits for you here." in desk.content()

    page.goto(receipt)
    assert "It was mockery; we have acted." in page.content()
