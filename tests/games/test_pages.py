"""Pages of tables and matches, read and used as by somebody without JavaScript."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import translation

from club.demo.matches import play, seated
from games import selectors, services, titles
from games.engine.options import is_told
from games.models import Event, Match, Seat, Table
from games.phrases import spoken
from notifications import kinds
from notifications.models import Notice
from tests.games.reading import Page, Reader, a_member

pytestmark = pytest.mark.django_db

LANGUAGES = ("ru", "az", "tr", "en")
OF_A_MATCH = ("", "board/", "log/", "record/")
JSON = {"accept": "application/json"}


def begin(title: str = "kozel", size: int = 2, **options) -> Match:
    return seated([a_member() for _ in range(size)], title, **options)


def seats_of(match: Match) -> list[Seat]:
    return list(Seat.objects.filter(table_id=match.pk).select_related("member").order_by("number"))


def acting(match: Match) -> Seat:
    match.refresh_from_db()
    return seats_of(match)[match.to_act[0]]


def reader_to_move(match: Match) -> Reader:
    return Reader(acting(match).member)


def address(match: Match, rest: str = "") -> str:
    return f"/m/{match.pk}/{rest}"


def played_until(title: str, reached: Callable[[Match], object], size: int = 2, **options) -> Match:
    """A running match in which something has come about; deals and dice are real, so it may take several."""
    while True:
        match = begin(title, size, **options)
        for _ in range(60):
            play(match, moves=1)
            if match.is_over:
                break
            if reached(match):
                return match


def move_form(page: Page):
    return page.form("/move/")


def events(match: Match) -> int:
    return Event.objects.filter(match=match).count()


def staged(reader: Reader, match: Match) -> Page:
    """The page of a match with a move that may be sent: of Kozel, after a tap on the first tile that fits."""
    page = reader.read(address(match))
    return page if page.has_form("/move/") else reader.read(page.link("?stage="))


# ---- who may come


@pytest.mark.parametrize("title", titles.slugs())
@pytest.mark.parametrize("rest", OF_A_MATCH)
def test_a_match_is_there_for_its_seats_alone(title, rest):
    match = play(begin(title), moves=6)
    for seat in seats_of(match):
        assert Reader(seat.member).get(address(match, rest)).status_code == 200
    for stranger in (a_member(), a_member(is_moderator=True), a_member(is_staff=True)):
        assert Reader(stranger).get(address(match, rest)).status_code == 404
    nobody = Reader().get(address(match, rest))
    assert (nobody.status_code, nobody["Location"]) == (302, f"/login/?next={address(match, rest)}")


def test_what_is_not_there_and_what_is_not_yours_look_the_same():
    match, stranger = begin(), Reader(a_member())
    unknown = "/m/00000000-0000-4000-8000-000000000000/"
    here, there = stranger.get(address(match)), stranger.get(unknown)
    masked = re.compile(rb'value="[^"]*"')
    assert (here.status_code, masked.sub(b"", here.content)) == (there.status_code, masked.sub(b"", there.content))


@pytest.mark.parametrize("rest", ["move/", "resign/"])
def test_nobody_acts_in_a_match_of_others(rest):
    match = begin()
    form = {"move": "11", "seen": match.number, "key": "a" * 36, "sure": "yes"}
    assert Reader(a_member()).post(address(match, rest), form).status_code == 404
    assert Reader().post(address(match, rest), form).status_code == 302
    assert events(match) == match.number


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("match", "GET"),
        ("match_board", "GET"),
        ("match_log", "GET"),
        ("match_record", "GET"),
        ("match_move", "POST"),
        ("match_resign", "POST"),
        ("table_join", "POST"),
        ("table_leave", "POST"),
    ],
)
def test_looking_is_get_and_acting_is_post(name, allowed):
    match = begin()
    reader, path = Reader(seats_of(match)[0].member), reverse(name, args=[match.pk])
    for method in {"get", "post", "put", "patch", "delete"} - {allowed.lower()}:
        assert getattr(reader, method)(path).status_code == 405
    assert events(match) == match.number


# ---- playing without JavaScript


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_whole_hand_of_kozel_by_links_and_forms_alone(size):
    match = begin(size=size, round_limit=1)
    readers = {seat.number: Reader(seat.member) for seat in seats_of(match)}
    for _ in range(40):
        reader, seen = readers[acting(match).number], match.number
        page = staged(reader, match)
        after = reader.press(move_form(page))
        match.refresh_from_db()
        assert after.status == 200
        assert match.number > seen
        if match.is_over:
            break
    assert match.is_over
    assert "Won by:" in readers[0].read(address(match)).text


def tiles_for_both_ends(match: Match) -> list[str]:
    held = selectors.match_page(match, acting(match)).view.hand
    return [tile.tile for tile in held if tile.playable and len(tile.ends) == 2]


def test_a_tile_that_fits_both_ends_asks_for_the_end():
    match = played_until("kozel", tiles_for_both_ends)
    both = tiles_for_both_ends(match)
    reader = reader_to_move(match)
    page = reader.read(address(match, f"?stage={both[0]}"))
    assert [value for _, value, _ in move_form(page).buttons] == [f"{both[0]}@L", f"{both[0]}@R"]
    assert (address(match), "Cancel") in page.links
    reader.press(move_form(page), f"{both[0]}@R")
    played = Event.objects.filter(match=match, kind="played").latest("number")
    assert played.payload["tiles"] == [[both[0], "R"]]


def opens_a_later_round(match: Match) -> bool:
    page = selectors.match_page(match, acting(match))
    return not page.view.line and len(page.offers) > 1


def test_a_later_round_opens_with_any_tile():
    match = played_until("kozel", opens_a_later_round)
    reader = reader_to_move(match)
    tiles = [href for href, _ in reader.read(address(match)).links if "?stage=" in href]
    assert len(tiles) == 7
    page = reader.read(tiles[3])
    chosen = tiles[3].partition("?stage=")[2]
    assert [value for _, value, _ in move_form(page).buttons] == [chosen]
    reader.press(move_form(page))
    assert Event.objects.filter(match=match, kind="played").latest("number").payload["tiles"] == [[chosen, None]]


def test_a_staged_move_is_only_shown():
    match = play(begin(), moves=4)
    reader = reader_to_move(match)
    page = reader.read(reader.read(address(match)).link("?stage="))
    assert "Lay:" in page.text
    assert events(match) == match.number
    again = reader.read(address(match))
    assert not again.has_form("/move/")
    assert "Your turn: tap a tile." in again.text


@pytest.mark.parametrize("stage", ["77", "66@X", "bank", "", "@L", "25@", "x" * 5000, "\x00", "٣٣"])
def test_a_stage_that_is_no_move_shows_the_plain_page(stage):
    match = play(begin(), moves=4)
    response = reader_to_move(match).get(address(match), {"stage": stage})
    assert response.status_code == 200
    assert not Page(response).has_form("/move/")


def press_what_is_offered(match: Match) -> str:
    """One move by the buttons of the page: the bank as soon as it is there, else the first; returns its first word."""
    reader = reader_to_move(match)
    page = reader.read(address(match))
    buttons = move_form(page).buttons
    assert buttons, page.text
    wanted = "bank" if "bank" in [value for _, value, _ in buttons] else buttons[0][1]
    assert reader.press(move_form(page), wanted).status == 200
    return wanted.partition(" ")[0]


def test_turns_of_thousand_by_the_buttons_alone():
    match = begin("thousand", size=3)
    pressed = set()
    while pressed != {"throw", "keep", "bank"}:
        match.refresh_from_db()
        if match.is_over:
            match = begin("thousand", size=3)
        pressed.add(press_what_is_offered(match))


def test_every_way_to_keep_dice_is_a_button_the_best_one_first():
    match = begin("thousand")
    reader = reader_to_move(match)
    while True:
        page = reader.press(move_form(reader.read(address(match))), "throw")
        if not page.has_form("/move/"):  # a bust
            reader = reader_to_move(match)
            continue
        shown = selectors.match_page(Match.objects.select_related("table").get(pk=match.pk), acting(match))
        buttons = move_form(page).buttons
        values = {keep.move: keep.value for keep in shown.view.keeps}
        order = [values[value] for _, value, _ in buttons]
        assert {value for _, value, _ in buttons} == set(values)
        assert order == sorted(order, reverse=True)
        break


def ends_with_a_bust(match: Match) -> bool:
    return Event.objects.get(match=match, number=match.number - 1).kind == "bust"


def test_a_bust_shows_the_dice_that_were_thrown():
    match = played_until("thousand", ends_with_a_bust)
    dice = Event.objects.get(match=match, number=match.number - 2).payload["dice"]
    html = reader_to_move(match).get(address(match)).content.decode()
    board = html[html.index('<section class="board') : html.index("</section>")]
    assert [int(face) for face in re.findall(r"#p-d(\d)", board)] == dice
    assert "bust." in board


def test_a_move_once_sent_is_sent_once():
    match = begin("thousand")
    reader = reader_to_move(match)
    form = move_form(reader.read(address(match)))
    reader.press(form, "throw")
    count = events(match)
    assert reader.press(form, "throw").status == 200  # Back, and pressed again: the same key
    assert events(match) == count


def sets(match: Match) -> list[str]:
    return [offer.move for offer in selectors.match_page(match, acting(match)).offers if "+" in offer.move]


def test_several_doubles_are_laid_by_one_button():
    match = played_until("telefon365", sets)
    move = sets(match)[0]
    reader = reader_to_move(match)
    for placement in move.split("+"):
        page = reader.read(address(match, f"?stage={placement[:2]}"))
        assert move in [value for _, value, _ in move_form(page).buttons]
    reader.press(move_form(page), move)
    played = Event.objects.filter(match=match, kind="played").latest("number")
    assert "+".join(f"{tile}@{end}" for tile, end in played.payload["tiles"]) == move


@pytest.mark.usefixtures("live_choices")
def test_points_that_wait_are_claimed_by_a_button():
    def waits(match: Match) -> bool:
        return len(match.to_act) > 1

    match = played_until("allfives", waits, muggins="strict")
    mover = Event.objects.filter(match=match, kind="played").latest("number").seat
    seat = seats_of(match)[mover]
    reader = Reader(seat.member)
    page = reader.read(address(match))
    assert [(value, words) for _, value, words in move_form(page).buttons] == [("claim", "Claim the points")]
    assert "Open ends:" not in page.text
    assert "does not fit" not in page.text
    after = reader.press(move_form(page))
    assert Event.objects.filter(match=match, kind="claimed", seat=mover).exists()
    assert "Claim the points" not in after.text


# ---- refusals


def test_a_stale_board_is_answered_with_the_fresh_one():
    match = begin("thousand")
    reader = reader_to_move(match)
    first, second = (move_form(reader.read(address(match))) for _ in range(2))
    reader.press(first, "throw")
    match.refresh_from_db()
    count = events(match)
    page = reader.press(second, "throw")
    assert page.status == 409
    assert "The table has changed meanwhile." in page.text
    assert events(match) == count
    if page.has_form("/move/"):
        assert move_form(page).fields["seen"] == str(match.number)
        assert move_form(page).fields["key"] not in {first.fields["key"], second.fields["key"]}
        assert reader.press(move_form(page)).status == 200


def test_a_refusal_takes_the_focus_and_stands_first():
    match = play(begin(), moves=4)
    reader, seat = reader_to_move(match), acting(match)
    html = reader.post(address(match, "move/"), {"move": "pass", "seen": match.number, "key": "k" * 9}).content.decode()
    main = html[html.index("<main") :]
    refusal = re.search(r'<p [^>]*id="refusal"[^>]*>', main)
    assert refusal is not None
    assert "autofocus" in refusal[0]
    assert main.index("refusal") < main.index('class="seats"')
    assert seat.member.name in html


@pytest.mark.parametrize("move", ["77@L", "pass", "draw", "keep 1", "25", "", "x" * 100, "<b>", "33@L+22@R"])
def test_a_move_against_the_rules_changes_nothing(move):
    match = play(begin(), moves=4)
    reader, seat = reader_to_move(match), acting(match)
    assert move not in [offer.move for offer in selectors.match_page(match, seat).offers]
    before = reader.get(address(match)).content
    form = {"move": move, "seen": match.number, "key": "k" * 36}
    response = reader.post(address(match, "move/"), form)
    assert response.status_code in {400, 422}
    assert b"<b>" not in response.content.replace(b'<b class="badge"', b"")
    keys = re.compile(rb'value="[^"]*"')
    assert keys.sub(b"", reader.get(address(match)).content) == keys.sub(b"", before)
    match.refresh_from_db()
    assert events(match) == match.number


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 400),
        ({"seen": "x"}, 400),
        ({"seen": "-1"}, 400),
        ({"seen": "9" * 30}, 400),
        ({"key": "short"}, 400),
        ({"key": "k" * 65}, 400),
        ({"move": "x" * 101}, 400),
        ({"move": "\x00"}, 400),
        ({"seen": "1"}, 409),
        ({"move": "pass"}, 422),
    ],
)
def test_a_script_gets_refusals_as_json(form, status):
    match = play(begin(), moves=4)
    given = {"move": "25@L", "seen": match.number, "key": "k" * 36} | form if form else {}
    response = reader_to_move(match).post(address(match, "move/"), given, headers=JSON)
    assert response.status_code == status
    answer = json.loads(response.content)
    assert set(answer) == {"code", "detail", "number"}
    assert answer["number"] == (None if status == 400 else match.number)


def test_a_script_gets_the_new_number():
    match = begin("thousand")
    form = {"move": "throw", "seen": match.number, "key": "k" * 36}
    response = reader_to_move(match).post(address(match, "move/"), form, headers=JSON)
    match.refresh_from_db()
    assert json.loads(response.content) == {"number": match.number}


def test_not_my_turn_is_refused_with_the_board():
    match = begin("thousand")
    other = next(seat for seat in seats_of(match) if seat.number not in match.to_act)
    form = {"move": "throw", "seen": match.number, "key": "k" * 36}
    response = Reader(other.member).post(address(match, "move/"), form)
    assert response.status_code == 409
    assert "It is not your turn." in Page(response).text


# ---- what a page shows


def test_the_script_fetches_only_what_is_new():
    match = begin("thousand")
    reader = Reader(seats_of(match)[0].member)
    assert reader.get(address(match, f"board/?have={match.number}")).status_code == 204
    for have in ("", "0", str(match.number + 1), "x"):
        fragment = reader.get(address(match, f"board/?have={have}"))
        assert fragment.status_code == 200
        assert fragment.content.lstrip().startswith(b'<div class="screen"')


def test_what_happened_since_my_move_stands_above_the_board_until_i_move():
    match = play(begin(size=3), moves=7)
    mine = acting(match)
    before = match.number
    reader = Reader(mine.member)
    reader.press(move_form(staged(reader, match)))
    assert "Since your move" not in Page(reader.get(address(match))).text or events(match) > before + 1
    for _ in range(6):
        if acting(match) == mine:
            break
        play(match, moves=1)
    page = reader.read(address(match))
    assert "Since your move" in page.text
    own = Event.objects.filter(match=match, seat=mine.number, kind="played", number__gt=before).earliest("number")
    assert page.link("?at=") == address(match, f"?at={own.number + 1}")
    assert reader.read(address(match)).text == page.text  # looking twice takes nothing away


def test_a_turn_the_club_played_for_me_is_among_what_happened():
    match = play(begin(size=3), moves=9)
    seat = acting(match)
    mine = selectors.match_page(match, seat)
    own = max((told.number for told in mine.history if told.chosen and told.seat == seat.number), default=0)
    assert [told.number for told in mine.since] == list(range(own + 1, match.number + 1))


def board_of(reader: Reader, match: Match, query: str = "") -> str:
    html = reader.get(address(match, query)).content.decode()
    return html[html.index('<section class="board') : html.index("</section>")]


def badges(board: str) -> list[int]:
    return sorted(map(int, re.findall(r'<b class="badge"[^>]*>(\d+)<', board)))


def fresh(match: Match, since: int, until: int) -> int:
    """How many tiles were laid in the running round by events after `since` up to `until`."""
    played = Event.objects.filter(match=match, kind="played", number__gt=max(since, match.opening), number__lte=until)
    return sum(len(event.payload["tiles"]) for event in played)


def has_arms(match: Match) -> bool:
    return any(selectors.match_page(match, acting(match)).view.arms)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_what_was_laid_since_my_move_carries_badges_in_the_arms_too(size):
    match = played_until("telefon365", has_arms, size)
    for _ in range(6):
        reader, mine = reader_to_move(match), acting(match)
        history = selectors.match_page(match, mine).history
        own = max((told.number for told in history if told.chosen and told.seat == mine.number), default=0)
        assert badges(board_of(reader, match)) == [*range(1, fresh(match, own, match.number) + 1)]
        for number in range(match.opening, match.number):
            laid = fresh(match, number - 1, number)
            assert badges(board_of(reader, match, f"?at={number}")) == [*range(1, laid + 1)]
        if play(match, moves=1).is_over:
            break


def test_the_open_ends_are_added_up_in_words():
    match = played_until("telefon", has_arms, round_limit=3)
    view = selectors.match_page(match, acting(match)).view
    board = board_of(reader_to_move(match), match)
    (terms, total) = re.findall(r"Open ends: ([^=<]+) = (\d+)", board)[0]
    counts = [int(term.partition(" (")[0]) for term in terms.split(" + ")]
    assert sum(counts) == view.sum == int(total)
    assert all(f"End {end.number}: {end.face}" in board for end in view.ends)
    assert f"Side arms: double {view.hub[0]}" in board


def test_what_lies_on_the_table_is_said_branch_by_branch():
    match = played_until("telefon365", has_arms)
    view = selectors.match_page(match, acting(match)).view
    said = " ".join(re.sub("<[^>]*>", " ", board_of(reader_to_move(match), match)).split())
    line, *arms = (
        "; ".join(spoken(f"{placed.left}{placed.right}") for placed in branch) for branch in (view.line, *view.arms)
    )
    assert f"The line from left to right: {line}" in said
    for number, arm in enumerate(arms, start=3):
        assert (f"Side arm to end {number}, from the hub outwards: {arm}" in said) == bool(arm)


def test_the_tile_nobody_takes_is_told():
    for title, words in (("telefon365", ", the last one is never taken<"), ("kozel", "<")):
        match = begin(title)
        left = selectors.match_page(match, acting(match)).view.boneyard
        assert f"Boneyard: {left}{words}" in board_of(reader_to_move(match), match)


@pytest.mark.parametrize(("slug", "named"), [("kozel", "Eggs: 25"), ("telefon365", "Seka bank: 25")])
def test_points_that_wait_for_a_winner_are_called_as_the_game_calls_them(slug, named, monkeypatch):
    title, match = titles.get(slug), play(begin(slug), moves=3)
    view = title.view
    monkeypatch.setattr(title, "view", lambda position, seat: replace(view(position, seat), carried=25))
    assert named in board_of(reader_to_move(match), match)


def last_scored(match: Match) -> bool:
    event = Event.objects.filter(match=match, seat__isnull=False).latest("number")
    return event.kind == "played" and event.payload["points"] > 0 and event.seat not in match.to_act


def test_the_strip_and_the_history_say_why_a_move_scored():
    match = played_until("telefon365", last_scored)
    page = reader_to_move(match).read(address(match))
    why = "a multiple of five"
    assert why in page.text.partition("History")[0]
    assert why in page.text.partition("History")[2]
    assert why in reader_to_move(match).read(address(match, "log/")).text
    since = Reader(acting(match).member).get(f"/api/matches/{match.pk}/since/{match.number - 1}").json()
    assert why in since[-1]["why"][0]


def test_a_mail_tells_what_happened_since_my_move_and_why_it_scored():
    match = played_until("telefon365", last_scored)
    seat, turn = acting(match), match.turns.get(closed_at__isnull=True)
    for language, why in (("en", "a multiple of five"), ("ru", "делится на пять")):
        with translation.override(language):
            notice = Notice.objects.get(about=selectors.about_turn(turn.pk), kind="your_turn")
            told = kinds.get("your_turn").compose(notice).quote()
        page = selectors.match_page(match, seat)
        assert len(told) == len([event for event in page.since if event.phrases][-6:])
        assert any(why in sentences for sentences in told), told


@pytest.mark.parametrize(("title", "size"), [(title, size) for title in titles.slugs() for size in (2, 4)])
def test_the_history_can_be_stepped_through_from_either_end(title, size):
    match = play(begin(title, size), moves=8)
    reader = Reader(seats_of(match)[0].member)
    page = reader.read(address(match))
    numbers = [told.number for told in selectors.match_page(match, seats_of(match)[0]).history if told.phrases]
    page = reader.read(address(match, f"?at={numbers[0]}"))
    for index in range(1, len(numbers)):
        assert not page.has_form("/move/")
        assert f"{index} of {len(numbers)}" in page.text
        page = reader.read(address(match, f"?at={numbers[index]}"))
    assert f"{len(numbers)} of {len(numbers)}" in page.text


@pytest.mark.parametrize("at", ["0", "-1", "1", "9999999999", "99999999999999999999", "x", "1.5", "²", "٣", "\x00"])
def test_any_address_of_the_past_has_a_page(at):
    match = play(begin(), moves=4)
    for seat in seats_of(match):
        for rest in ("", "board/", "log/"):
            assert Reader(seat.member).get(address(match, rest), {"at": at}).status_code == 200


def test_nothing_can_be_played_while_looking_back():
    match = play(begin(), moves=6)
    reader = reader_to_move(match)
    tile = reader.read(address(match)).link("?stage=").partition("?")[2]
    page = reader.read(address(match, f"?at={match.number - 1}&{tile}"))
    assert not page.has_form("/move/")
    assert not [href for href, _ in page.links if "stage=" in href]


@pytest.mark.parametrize("title", titles.slugs())
def test_a_finished_match_tells_the_result_and_the_way_to_a_kind_word(title):
    options = {"round_limit": 1} if title == "kozel" else {}
    match = play(begin(title, **options))
    for seat in seats_of(match):
        page = Reader(seat.member).read(address(match))
        assert "Won by:" in page.text
        assert page.link("/after/") == address(match, "after/")
        assert not page.has_form("/move/")
        assert not page.has_form("/resign/")


def test_names_stand_apart_from_the_words_around_them():
    mean = a_member(name="<script>אני")
    match = play(seated([mean, a_member()], "kozel"), moves=5)
    html = Reader(seats_of(match)[1].member).get(address(match, "log/")).content.decode()
    assert "<bdi>&lt;script&gt;אני</bdi>:" in html
    assert "<script>א" not in html


def test_the_next_match_is_the_one_with_the_least_time_left():
    me = a_member()
    matches = [play(seated([me, a_member()], "thousand"), moves=0, until=me) for _ in range(3)]
    here = play(seated([me, a_member()], "kozel"), moves=2)
    for _ in range(40):
        if acting(here).member != me or here.is_over:
            break
        play(here, moves=1)
    matches[1].turns.filter(closed_at=None).update(promised_at="2026-01-01T00:00Z", due_at="2026-01-01T00:00Z")
    page = Reader(me).read(address(here))
    assert page.link("/m/") == address(matches[1])


@pytest.mark.parametrize(("title", "language"), [*product(titles.slugs(), LANGUAGES)])
def test_every_page_speaks_every_language(title, language):
    me = a_member(language=language)
    match = play(seated([me, a_member()], title), moves=7, until=me)
    table = services.open_table(member=me, title=title, size=4, options={}, is_private=True)
    new = reverse("table_new") + f"?title={title}&size=4"
    pages = [
        address(match),
        address(match, "log/"),
        address(match, "?at=2"),
        f"/t/{table.pk}/",
        new,
        reverse("join_by_code"),
    ]
    for path in pages:
        response = Reader(me).get(path)
        assert response.status_code == 200
        assert f'<html lang="{language}"' in response.content.decode()


@pytest.mark.parametrize("title", titles.slugs())
def test_pages_keep_to_the_policy_and_in_no_cache(title):
    me = a_member()
    match = play(seated([me, a_member()], title), moves=7, until=me)
    table = services.open_table(member=me, title=title, size=4, options={}, is_private=True)
    for path in (
        address(match),
        address(match, "log/"),
        f"/t/{table.pk}/",
        reverse("table_new"),
        reverse("join_by_code"),
    ):
        response = Reader(me).get(path)
        assert response["Cache-Control"] == "private, no-store"
        assert "Cookie" in response["Vary"]
        html = response.content.decode()
        assert not re.search(r"<[^>]*\s(style|on\w+)=", html)
        assert all("src=" in script for script in re.findall(r"<script[^>]*>", html))


@pytest.mark.parametrize(("title", "size"), [(title, size) for title in titles.slugs() for size in (2, 4)])
def test_a_match_page_is_smaller_than_fourteen_kilobytes(title, size):
    """The limit of ui design, section 12, at the end of a whole match."""
    match = play(begin(title, size))
    response = Reader(seats_of(match)[0].member).get(address(match))
    assert len(gzip.compress(response.content)) <= 14 * 1024


# ---- giving up


def test_giving_up_asks_first():
    match = begin()
    reader = Reader(seats_of(match)[0].member)
    page = reader.press(reader.read(address(match)).form("/resign/"))
    assert "This cannot be taken back." in page.text
    match.refresh_from_db()
    assert not match.is_over
    assert page.link(address(match)) == address(match)  # Play on
    after = reader.press(page.form("/resign/"))
    match.refresh_from_db()
    assert match.is_over
    assert "Won by:" in after.text


def test_whoever_left_a_match_that_goes_on_may_look_but_not_play():
    match = begin(size=3)
    seat = acting(match)
    services.resign(match_id=match.pk, member=seat.member)
    page = Reader(seat.member).read(address(match))
    assert "You have left this match." in page.text
    assert not page.has_form("/move/")
    assert not page.has_form("/resign/")


# ---- tables


def options_asked(title, size):
    """The options of a day table: some choices are for live tables alone."""
    options = [option for option in title.OPTIONS if size in option.seats and is_told(option, live=False)]
    return [
        replace(option, choices=tuple(choice for choice in option.choices if not choice.live)) for option in options
    ]


@pytest.mark.parametrize(("slug", "size"), [(slug, size) for slug in titles.slugs() for size in titles.get(slug).SEATS])
def test_a_new_table_names_every_option_its_default_and_what_it_means(slug, size):
    title, reader = titles.get(slug), Reader(a_member())
    page = reader.read(f"/tables/new/?title={slug}&size={size}")
    for option in options_asked(title, size):
        assert option.label in page.text
        assert option.help in page.text
        assert all(choice.label in page.text for choice in option.choices)
    for other in title.OPTIONS:
        assert (other.help in page.text) == (other.name in {option.name for option in options_asked(title, size)})
    form = page.form("/tables/new/")
    for option in options_asked(title, size):
        asked = len(option.choices) > 1
        assert (option.name in form.fields) == asked
        assert not asked or json.loads(form.fields[option.name]) == option.default
    opened = reader.press(form)
    assert opened.status == 200
    table = Table.objects.get()
    assert (table.title, table.size, table.turn_seconds, table.is_private) == (slug, size, 24 * 3600, False)
    for option in options_asked(title, size):
        assert table.options[option.name] == option.default
        assert option.help in opened.text


def test_a_table_is_opened_as_asked():
    reader = Reader(a_member())
    form = reader.read("/tables/new/?title=kozel&size=4").form("/tables/new/")
    chosen = {"teams": "false", "bald": "true", "round_limit": "3", "turn_hours": "72", "is_private": "yes"}
    reader.press(form, **chosen)
    table = Table.objects.get()
    assert table.options["teams"] is False
    assert table.options["bald"] is True
    assert table.options["round_limit"] == 3
    assert table.turn_seconds == 72 * 3600
    assert table.is_private


@pytest.mark.parametrize(
    "wrong",
    [
        {"round_limit": "2"},
        {"round_limit": "null "},
        {"bald": "1"},
        {"bald": ""},
        {"turn_hours": "1"},
        {"turn_hours": "24.0"},
        {"is_private": "perhaps"},
        {"title": "chess"},
        {"title": "../kozel"},
        {"size": "5"},
        {"size": "x"},
        {"title": "\x00"},
    ],
)
def test_a_table_nobody_offers_is_not_opened(wrong):
    reader = Reader(a_member())
    form = reader.read("/tables/new/?title=kozel&size=2").form("/tables/new/")
    assert reader.post("/tables/new/", form.fields | wrong).status_code == 400
    assert not Table.objects.exists()


@pytest.mark.parametrize("query", ["title=chess", "size=7", "title=kozel&size=x", "size=%00"])
def test_a_new_table_of_an_unknown_game_is_refused(query):
    assert Reader(a_member()).get(f"/tables/new/?{query}").status_code == 400


def test_strangers_are_asked_who_they_are_before_opening_a_table():
    assert Reader().get("/tables/new/")["Location"] == "/login/?next=/tables/new/"


def test_sitting_down_at_the_last_seat_starts_the_match():
    table = services.open_table(member=a_member(), title="kozel", size=3, options={})
    first, second = Reader(a_member()), Reader(a_member())
    seats = [value for _, value, _ in first.read(f"/t/{table.pk}/").form("/join/").buttons]
    assert seats == ["1", "2"]
    waiting = first.press(first.read(f"/t/{table.pk}/").form("/join/"), "2")
    assert "as soon as every seat is taken" in waiting.text
    assert not waiting.has_form("/join/")
    playing = second.press(second.read(f"/t/{table.pk}/").form("/join/"))
    assert Match.objects.filter(pk=table.pk).exists()
    assert playing.link(f"/m/{table.pk}/log/")
    assert first.get(f"/t/{table.pk}/")["Location"] == f"/m/{table.pk}/"


def test_a_taken_seat_shows_the_table_as_it_is_now():
    table = services.open_table(member=a_member(), title="kozel", size=3, options={})
    slow = Reader(a_member())
    form = slow.read(f"/t/{table.pk}/").form("/join/")
    services.take_seat(member=a_member(), table_id=table.pk, number=1)
    page = slow.press(form, "1")
    assert page.status == 409
    assert "This seat is taken." in page.text
    assert [value for _, value, _ in page.form("/join/").buttons] == ["2"]


@pytest.mark.parametrize("seat", ["4", "-1", "x", "1.0", "01", "\x00"])
def test_a_seat_that_is_none_is_refused(seat):
    table = services.open_table(member=a_member(), title="kozel", size=3, options={})
    assert Reader(a_member()).post(f"/t/{table.pk}/join/", {"seat": seat}).status_code == 400
    assert Seat.objects.filter(table=table).count() == 1


def test_strangers_see_an_open_table_and_are_led_back_to_it():
    table = services.open_table(member=a_member(), title="kozel", size=3, options={})
    nobody = Reader()
    assert nobody.read(f"/t/{table.pk}/").has_form("/join/")
    response = nobody.post(f"/t/{table.pk}/join/", headers={"referer": f"http://testserver/t/{table.pk}/"})
    assert response["Location"] == f"/login/?next=/t/{table.pk}/"


def test_leaving_before_the_start():
    host, guest = a_member(), a_member()
    table = services.open_table(member=host, title="kozel", size=3, options={})
    services.take_seat(member=guest, table_id=table.pk)
    reader = Reader(guest)
    page = reader.press(reader.read(f"/t/{table.pk}/").form("/leave/"))
    assert "You have left the table." in page.text
    assert list(Seat.objects.filter(table=table).values_list("member", flat=True)) == [host.pk]


def test_partners_sit_across():
    table = services.open_table(member=a_member(), title="kozel", size=4, options={"teams": True})
    html = Reader(a_member()).get(f"/t/{table.pk}/").content.decode()
    sides = re.findall(r'place-(\d)">\s*<span class="side side-(\w)', html)
    assert sides == [("0", "A"), ("1", "B"), ("2", "A"), ("3", "B")]


def test_the_seal_of_a_table_is_on_its_page():
    table = services.open_table(member=a_member(), title="kozel", size=2, options={})
    seal = selectors.commitment(table)
    assert re.fullmatch("[0-9a-f]{64}", seal)
    assert seal in Reader().read(f"/t/{table.pk}/").text


# ---- private tables


def private_table() -> tuple[Table, Reader]:
    host = a_member()
    return services.open_table(member=host, title="kozel", size=3, options={}, is_private=True), Reader(host)


def test_a_private_table_is_there_for_those_who_sit_at_it():
    table, host = private_table()
    assert host.get(f"/t/{table.pk}/").status_code == 200
    for stranger in (Reader(), Reader(a_member())):
        assert stranger.get(f"/t/{table.pk}/").status_code == 404
        assert stranger.post(f"/t/{table.pk}/join/").status_code in {302, 404}
    assert Seat.objects.filter(table=table).count() == 1


def test_the_code_stands_in_no_address_a_server_sees():
    table, host = private_table()
    response = host.get(f"/t/{table.pk}/")
    code = selectors.room_code(table)
    assert code in response.content.decode()
    addresses = re.findall(r'(?:href|action|src)="([^"#]*)', response.content.decode())
    assert not [found for found in addresses if code in found or code.replace("-", "") in found]
    assert f"http://testserver/j/#{code}" in Page(response).text
    assert response["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("typed", ["{0}", "{1}", " {0} ", "{2}"])
def test_the_code_opens_the_table_however_it_is_typed(typed):
    table, _ = private_table()
    code = selectors.room_code(table)
    friend = Reader(a_member())
    form = friend.read("/j/").form("/j/")
    page = friend.press(form, code=typed.format(code, code.replace("-", ""), code.lower()))
    assert page.status == 200
    assert table.seats.count() == 2


@pytest.mark.parametrize("typed", ["", "0000-0000", "x" * 65, "\x00", "☃"])
def test_a_wrong_code_gets_one_answer_whatever_is_wrong(typed):
    private_table()
    friend = Reader(a_member())
    response = friend.post("/j/", {"code": typed})
    assert response.status_code == 404
    assert "No table answers to this code." in Page(response).text
    assert not typed or typed not in response.content.decode()


def test_codes_cannot_be_tried_for_long():
    private_table()
    guesser = Reader(a_member())
    answers = [guesser.post("/j/", {"code": f"0000-000{n % 10}"}) for n in range(11)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429]
    assert int(answers[-1]["Retry-After"]) <= 60


def test_a_stranger_with_a_code_is_asked_who_it_is_and_led_back():
    response = Reader().post("/j/", {"code": "0000-0000"})
    assert response["Location"] == "/login/?next=/j/"


def test_the_script_is_small():
    """The limit of ui design, section 12."""
    script = Path(str(finders.find("club/js/match.js"))).read_bytes()
    assert len(gzip.compress(script)) <= 20 * 1024
