"""The trainer as a page: read, tapped, and asked for what is not there."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import translation
from playwright.sync_api import expect

from games import titles, trainer
from games.diagrams import REACH
from games.engine.quiz import open_end_question
from tests.architecture.pages import Page

LANGUAGES = ("ru", "az", "tr", "en")


def path(slug: str, **given: object) -> str:
    return f"/rules/{slug}/trainer/" + (f"?{urlencode(given, doseq=True)}" if given else "")


def answers(slug: str, number: int) -> dict[bool, str]:
    """An answer that is right, and one that is not."""
    return {answer.is_right: answer.key for answer in trainer.question(slug, number).answers}


def links(body: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'<a class="button[^"]*" href="(\?[^"#]*)#q"', body)]


@pytest.fixture
def ask(db):
    def get(address: str, status: int = 200) -> str:
        response = Client(headers={"accept-language": "en"}).get(address)
        assert response.status_code == status, address
        return response.content.decode()

    return get


# Pages


@pytest.mark.parametrize("slug", titles.slugs())
def test_a_question_is_a_page_that_keeps_the_policy(ask, slug: str) -> None:
    for number in range(1, 7):
        for given in ({}, {"a": answers(slug, number)[True].split()}, {"a": answers(slug, number)[False].split()}):
            body = ask(path(slug, n=number, **given))
            assert not Page(body).faults
            assert "{" not in re.sub(r"<script.*?</script>", "", body)


@pytest.mark.parametrize("slug", titles.slugs())
def test_it_can_be_read_in_every_language(db, slug: str) -> None:
    for language in LANGUAGES:
        with translation.override(language):
            response = Client(headers={"accept-language": language}).get(path(slug, n=3))
            assert response.status_code == 200
            assert f'lang="{language}"' in response.content.decode()


@pytest.mark.parametrize("slug", titles.slugs())
def test_the_rules_lead_to_it_and_it_leads_back(ask, slug: str) -> None:
    assert f'href="{path(slug)}"' in ask(f"/rules/{slug}/")
    assert f'href="/rules/{slug}/"' in ask(path(slug))


def test_an_answer_counts_once_and_the_score_rides_along(ask) -> None:
    keys = answers("kozel", 4)
    body = ask(path("kozel", n=4, r=2, of=3, a=keys[True]))
    assert "Right: 3 of 4" in body
    assert "Right.</strong>" in body
    assert links(body) == ["?n=5&r=3&of=4"]
    body = ask(path("kozel", n=4, r=2, of=3, a=keys[False]))
    assert "Right: 2 of 4" in body
    assert "Not quite.</strong>" in body
    assert f"Right would be: <strong>{keys[True]}</strong>" in body
    body = ask(path("kozel", n=4, r=3, of=4, a=keys[True], seen=1))
    assert "Right: 3 of 4" in body
    assert links(body) == ["?n=5&r=3&of=4"]


def test_the_answers_offered_lead_on(ask) -> None:
    body = ask(path("kozel", n=4, r=1, of=1))
    for address in links(body):
        assert "of 2" in ask(path("kozel") + address)


def test_the_first_question_comes_after_the_last(ask) -> None:
    key = answers("kozel", trainer.LAST)[True]
    body = ask(path("kozel", n=trainer.LAST, a=key, r=trainer.LAST, of=trainer.LAST))
    assert f"Right: {trainer.LAST} of {trainer.LAST}" in body
    assert links(body) == [f"?n=1&r={trainer.LAST}&of={trainer.LAST}"]
    ask(path("kozel", n=trainer.LAST + 1), 404)


def test_dice_may_be_ticked_in_any_order(ask) -> None:
    right = answers("thousand", 1)[True].split()
    assert "Right.</strong>" in ask(path("thousand", n=1, a=right[::-1]))
    body = ask(path("thousand", n=1))
    assert body.count('type="checkbox"') == 5
    assert "Every choice" not in body
    body = ask(path("thousand", n=1, a=right))
    assert "Every choice" in body
    assert body.count('<li class="idle">') == 5 - len(right)


def test_nothing_is_given_away_before_the_answer(ask) -> None:
    for slug in titles.slugs():
        for number in range(1, 9):
            body = ask(path(slug, n=number))
            assert 'class="counts"' not in body
            assert "verdict" not in body
            assert "What counts" not in body


HOSTILE = ["0", "-1", "1.5", "1e3", "", " 1", "1 ", "10000", "01", "٣", "x", "1" * 4000, "\0", "None", "<b>", "½"]


@pytest.mark.parametrize("name", ["n", "r", "of"])
@pytest.mark.parametrize("value", HOSTILE)
def test_a_number_that_is_none_is_not_found(ask, name: str, value: str) -> None:
    if (name, value) not in {("r", "0"), ("of", "0")}:
        ask(path("kozel", **{name: value}), 404)


@pytest.mark.parametrize(
    "given",
    [
        {"r": 2, "of": 1},
        {"r": 1},
        {"a": ""},
        {"a": "x"},
        {"a": ["50", "25"]},
        {"a": ["1"] * 40},
        {"a": "\0"},
        {"a": "<script>"},
        {"n": 2, "a": "É"},
    ],
)
def test_a_place_that_is_none_is_not_found(ask, given: dict[str, object]) -> None:
    for slug in titles.slugs():
        ask(path(slug, **given), 404)


@pytest.mark.parametrize("slug", ["chess", "kozel.quiz", "titles", "__init__", "..", "%2e%2e"])
def test_a_title_there_is_not_has_no_trainer(ask, slug: str) -> None:
    ask(f"/rules/{slug}/trainer/", 404)


def test_more_parameters_than_a_form_has_are_refused(ask) -> None:
    ask(path("thousand", a=["1"] * 5000), 400)


# On a phone


def test_a_place_to_tap_is_large_enough_on_a_phone() -> None:
    """On 360 px the cloth has 340 by 300 px for the drawing."""
    for number in range(1, 500, 2):
        for hub_count in ("zero", "until_first_side_arm", "until_both_side_arms"):
            asked = open_end_question("any", number, hub_count)
            drawn = trainer._drawing(asked, None, dict.fromkeys("LRUD", "?"))
            assert drawn
            *_, wide, high = drawn["picture"].view
            shrunk = min(drawn["width"] / wide, 340 / wide, 300 / high)
            assert 2 * REACH * shrunk >= 44


PHONE = {"viewport": {"width": 360, "height": 660}, "has_touch": True, "locale": "en"}


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_questions_are_answered_by_tapping(new_page) -> None:
    page = new_page(None, java_script_enabled=False, **PHONE)
    page.goto(path("kozel", n=3))
    right = answers("kozel", 3)[True]
    page.get_by_role("link", name=right, exact=True).tap()
    expect(page.locator(".verdict")).to_contain_text("Right.")
    expect(page.locator(".trainer")).to_contain_text("Right: 1 of 1")
    page.get_by_role("link", name="Next question").tap()
    expect(page.locator(".trainer")).to_contain_text("Question 4 · Right: 1 of 1")
    page.goto(path("thousand", n=2))
    for face in answers("thousand", 2)[True].split():
        page.locator(f"input[value='{face}']:not(:checked) + label").first.tap()
    page.get_by_role("button", name="Count these dice").tap()
    expect(page.locator(".verdict")).to_contain_text("Right.")
    page.locator(".every a").nth(1).tap()
    expect(page.locator(".verdict")).to_contain_text("Not quite.")
    expect(page.locator(".trainer")).to_contain_text("Right: 1 of 1")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_questions_are_answered_by_keyboard(new_page) -> None:
    page = new_page(None, **PHONE)
    page.goto(path("thousand", n=2))
    first, *_ = answers("thousand", 2)[True].split()
    page.locator(f"input[value='{first}']").first.press("Space")
    page.get_by_role("button", name="Count these dice").press("Enter")
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.locator("#q")).to_be_focused()
    page.get_by_role("link", name="Next question").press("Enter")
    expect(page.locator(".trainer")).to_contain_text("Question 3")


SMALL = """() => [...document.querySelectorAll("main a, main label, .bar a, .bar button, .spot rect.reach")]
  .filter(one => one.closest("svg") === null || one.matches(".reach"))
  .map(one => [one.outerHTML.slice(0, 60), one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 43.9 || box.height < 43.9).map(([name, box]) => `${name} ${box.width}×${box.height}`)
"""


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_too_small_or_too_wide_on_a_phone(new_page, scheme: str) -> None:
    page = new_page(None, color_scheme=scheme, **PHONE)
    for slug in titles.slugs():
        for number in range(1, 5):
            for given in ({}, {"a": answers(slug, number)[True].split()}):
                page.goto(path(slug, n=number, **given))
                assert page.evaluate(SMALL) == []
                assert page.evaluate("document.documentElement.scrollWidth") <= 360
