"""The match page in a real browser: with its script, without it, by keyboard, and with a bad line."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from club.demo.matches import play, seated
from games import selectors, services, titles
from games.models import Match, Receipt, Seat
from tests.games.reading import a_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DOMINOES = [slug for slug in titles.slugs() if "dealt" in titles.get(slug).OPENS]


def seats_of(match: Match) -> list[Seat]:
    return list(Seat.objects.filter(table_id=match.pk).select_related("member").order_by("number"))


def begin(title: str, moves: int = 0, **options: Any) -> tuple[Match, Seat, Seat]:
    """A running match for two: the seat to move, and the other."""
    while True:
        match = play(seated([a_member(), a_member()], title, **options), moves=moves)
        if not match.is_over:
            break
        moves -= 1
    mine, other = sorted(seats_of(match), key=lambda seat: seat.number not in match.to_act)
    return match, mine, other


def path(match: Match) -> str:
    return f"/m/{match.pk}/"


def moves_of(match: Match, seat: Seat) -> int:
    """How many moves the club has accepted from this seat."""
    return Receipt.objects.filter(match=match, seat=seat.number).count()


def number_on(page: Page) -> int:
    return int(page.locator("#screen").get_attribute("data-number") or 0)


def marked(page: Page) -> None:
    """Leave a mark that a reload would wipe away."""
    page.evaluate("window.notReloaded = true")


def is_the_same_page(page: Page) -> bool:
    return bool(page.evaluate("window.notReloaded === true"))


# ---- with the script


def test_a_move_is_sent_without_a_reload_and_the_other_side_sees_it_come(new_page):
    match, mine, other = begin("kozel", moves=4)
    here, there = new_page(mine.member), new_page(other.member)
    for page in (here, there):
        page.goto(path(match))
        marked(page)
    here.locator(".hand a").first.click()
    here.locator(".bar button").first.click()
    expect(here.locator("#status")).to_have_text("Sent")
    match.refresh_from_db()
    for page in (here, there):
        expect(page.locator("#screen")).to_have_attribute("data-number", str(match.number))
        assert is_the_same_page(page)
    expect(there.locator("#live")).to_contain_text(mine.member.name)
    assert here.url.endswith(path(match))


def test_a_tap_shows_the_move_and_back_takes_it_away(new_page):
    match, mine, _ = begin("kozel", moves=4)
    before = moves_of(match, mine)
    page = new_page(mine.member)
    page.goto(path(match))
    marked(page)
    page.locator(".hand a").first.click()
    expect(page.locator(".bar button").first).to_be_focused()
    assert "?stage=" in page.url
    page.go_back()
    expect(page.locator("#now")).to_have_text("Your turn: tap a tile.")
    assert is_the_same_page(page)
    page.go_forward()
    expect(page.locator(".ghost").first).to_be_visible()
    page.reload()
    expect(page.locator(".ghost").first).to_be_visible()
    page.get_by_role("link", name="Cancel").click()
    expect(page.locator(".ghost")).to_have_count(0)
    assert moves_of(match, mine) == before


def test_two_taps_on_the_same_place_are_one_move(new_page):
    match, mine, _ = begin("thousand")
    page = new_page(mine.member)
    page.goto(path(match))
    page.locator("#move-throw").dblclick()
    expect(page.locator("#status")).to_have_text("Sent")
    page.wait_for_timeout(300)
    assert moves_of(match, mine) == 1


def test_looking_back_is_a_step_on_the_same_page(new_page):
    match, mine, _ = begin("kozel", moves=6)
    page = new_page(mine.member)
    page.goto(path(match))
    marked(page)
    count = int(page.locator(".steps-here").inner_text().split()[-1])
    page.locator("#step-first").click()
    expect(page.locator(".steps-here")).to_have_text(f"1 of {count}")
    page.locator("#step-on").click()
    expect(page.locator(".steps-here")).to_have_text(f"2 of {count}")
    expect(page.locator("#step-on")).to_be_focused()
    page.locator("#step-last").click()
    expect(page.locator("#now")).to_be_visible()
    assert is_the_same_page(page)


def test_a_board_that_has_moved_on_is_replaced_and_says_so(new_page):
    match, mine, _ = begin("thousand")
    page, elsewhere = new_page(mine.member), new_page(mine.member)
    page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    page.goto(path(match))
    elsewhere.goto(path(match))
    elsewhere.locator("#move-throw").click()
    expect(elsewhere.locator("#status")).to_have_text("Sent")
    page.locator("#move-throw").click()
    expect(page.locator("#refusal")).to_be_focused()
    match.refresh_from_db()
    assert number_on(page) == match.number
    assert moves_of(match, mine) == 1


def test_without_a_socket_a_page_asks_when_it_is_looked_at_again(new_page):
    match, mine, other = begin("thousand")
    page = new_page(other.member)
    page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    page.goto(path(match))
    page.wait_for_timeout(1100)  # two looks within a second are one
    services.play_move(match_id=match.pk, member=mine.member, move="throw", seen=match.number, key="0" * 8)
    match.refresh_from_db()
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.locator("#screen")).to_have_attribute("data-number", str(match.number))


@pytest.mark.parametrize(
    "title", ["telefon365", *(pytest.param(slug, marks=pytest.mark.long) for slug in DOMINOES if slug != "telefon365")]
)
def test_two_browsers_play_a_hand_by_taps_on_tiles_and_ends(new_page, title):
    """The whole hand on pages that are never loaded again."""
    match, *_ = begin(title, round_limit=1)
    pages = {seat.number: new_page(seat.member, viewport={"width": 360, "height": 640}) for seat in seats_of(match)}
    for page in pages.values():
        page.goto(path(match))
        marked(page)
    for _ in range(40):
        page, number = pages[match.to_act[0]], match.number
        expect(page.locator("#screen")).to_have_attribute("data-number", str(number))
        page.wait_for_timeout(650)  # a board that has just changed takes no tap
        page.locator(".hand a").first.click()
        page.locator(".ghost").last.click()
        expect(page.locator("#screen")).not_to_have_attribute("data-number", str(number))
        match.refresh_from_db()
        if match.is_over:
            break
    for page in pages.values():
        expect(page.locator(".bar")).to_contain_text("Won by:")
        assert is_the_same_page(page)


def test_the_ends_to_tap_stand_apart_and_are_large_enough(new_page):
    """Ghosts of one tile at several ends: 24 pixels, and none over another (ui design, section 11)."""
    match, mine, tile = several_ends()
    page = new_page(mine.member, viewport={"width": 360, "height": 640})
    page.goto(f"{path(match)}?stage={tile}")
    boxes = [ghost.bounding_box() for ghost in page.locator(".ghost").all()]
    assert len(boxes) > 1
    for box in boxes:
        assert min(box["width"], box["height"]) >= 24
    for one, other in combinations(boxes, 2):
        apart_x = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        apart_y = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
        assert apart_x or apart_y


def several_ends() -> tuple[Match, Seat, str]:
    """A match with a hub, where one tile of the seat to move fits more ends than two."""
    while True:
        match, *_ = begin("telefon365")
        while not match.is_over:
            seat = seats_of(match)[match.to_act[0]]
            held = selectors.match_page(match, seat).view.hand
            for tile in (tile for tile in held if tile.playable and len(tile.ends) > 2):
                return match, seat, tile.tile
            play(match, moves=1)


# ---- with a bad line


def test_a_lost_request_is_sent_again(new_page):
    match, mine, _ = begin("thousand")
    page = new_page(mine.member)
    page.goto(path(match))
    tries: list[str] = []

    def lose_the_first(route: Route) -> None:
        tries.append(route.request.post_data or "")
        route.abort() if len(tries) == 1 else route.continue_()

    page.route("**/move/", lose_the_first)
    page.locator("#move-throw").click()
    expect(page.locator("#status")).to_have_text("Sending…")
    expect(page.locator("#status")).to_have_text("Sent")
    assert len(tries) == 2
    assert tries[0] == tries[1]
    assert moves_of(match, mine) == 1


def test_a_lost_answer_does_not_play_the_move_twice(new_page):
    match, mine, _ = begin("thousand")
    page = new_page(mine.member)
    page.goto(path(match))
    answers: list[int] = []

    def lose_the_first(route: Route) -> None:
        answers.append(route.fetch().status)
        route.abort() if len(answers) == 1 else route.fulfill(response=route.fetch())

    page.route("**/move/", lose_the_first)
    page.locator("#move-throw").click()
    expect(page.locator("#status")).to_have_text("Sent")
    assert set(answers) == {200}
    assert moves_of(match, mine) == 1


def test_without_a_line_nothing_is_sent_and_nothing_is_kept_for_later(new_page):
    match, mine, _ = begin("thousand")
    page = new_page(mine.member)
    page.goto(path(match))
    page.context.set_offline(True)
    page.locator("#move-throw").click()
    expect(page.locator("#status")).to_have_text("No connection — the move has not been sent.")
    page.context.set_offline(False)
    page.wait_for_timeout(1500)
    assert moves_of(match, mine) == 0
    page.locator("#move-throw").click()
    expect(page.locator("#status")).to_have_text("Sent")
    assert moves_of(match, mine) == 1


def test_whoever_was_signed_out_meanwhile_is_asked_to_sign_in(new_page):
    match, mine, _ = begin("thousand")
    page = new_page(mine.member)
    page.goto(path(match))
    page.context.clear_cookies(name="sessionid")
    page.locator("#move-throw").click()
    page.wait_for_url("**/login/?next=/m/**")
    assert moves_of(match, mine) == 0


# ---- without the script, and without a pointer


@pytest.mark.parametrize("title", DOMINOES)
def test_a_whole_hand_with_javascript_off(new_page, title):
    match, *_ = begin(title, round_limit=1)
    pages = {seat.number: new_page(seat.member, java_script_enabled=False) for seat in seats_of(match)}
    for _ in range(40):
        page = pages[match.to_act[0]]
        page.goto(path(match))
        if page.locator(".hand a").count():
            page.locator(".hand a").first.click()
        page.locator(".bar button").first.click()
        match.refresh_from_db()
        if match.is_over:
            break
    expect(page.locator(".bar")).to_contain_text("Won by:")


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize("title", ["kozel", "telefon365"])
def test_moves_with_the_keyboard_alone(new_page, title, javascript):
    match, mine, _ = begin(title, moves=4)
    page = new_page(mine.member, java_script_enabled=javascript)
    page.goto(path(match))
    tab_to(page, ".hand a")
    page.keyboard.press("Enter")
    expect(page.locator(".bar button").first).to_be_visible()
    tab_to(page, ".bar button")
    page.keyboard.press("Enter")
    expect(page.locator(".bar button")).to_have_count(0)
    match.refresh_from_db()
    assert number_on(page) == match.number


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on one of these."""
    for _ in range(30):
        if page.locator(f"{selector}:focus").count():
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


# ---- screens


@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640), (844, 390), (1280, 800)])
@pytest.mark.parametrize("title", titles.slugs())
def test_nothing_is_wider_than_the_screen_and_targets_are_large_enough(new_page, title, width, height):
    match, mine, _ = begin(title, moves=14)
    page = new_page(mine.member, viewport={"width": width, "height": height})
    for address in (path(match), f"{path(match)}log/", "/", f"/tables/new/?title={title}&size=4"):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        small = page.evaluate(
            """[...document.querySelectorAll('.bar a, .bar button, .hand a, .steps a, .since a, .pick a, .row')]
                .filter((part) => part.getClientRects().length && part.getBoundingClientRect().height < 44)
                .map((part) => part.outerHTML)"""
        )
        assert small == []


# ---- room codes


def test_an_invitation_fills_in_the_code_and_leaves_no_trace_of_it(new_page, server):
    host = a_member()
    table = services.open_table(member=host, title="kozel", size=3, options={}, is_private=True)
    code = selectors.room_code(table)
    stranger = new_page()
    addresses: list[str] = []
    stranger.on("request", lambda request: addresses.append(request.url))
    stranger.goto(f"/j/#{code}")
    assert stranger.url == f"{server}/j/"
    expect(stranger.locator("#join input[name=code]")).to_have_value(code)
    stranger.get_by_role("button", name="Play as a guest").click()
    expect(stranger.locator("#join input[name=code]")).to_have_value(code)
    stranger.get_by_role("button", name="Take a seat").click()
    stranger.wait_for_url(f"**/t/{table.pk}/")
    assert table.seats.count() == 2
    assert not [address for address in addresses if code in address.partition("#")[0]]
