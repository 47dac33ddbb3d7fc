"""The lobby: whose turn it is, what is open, what is over; and the pages anybody may read."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from club.demo.matches import play, seated
from games import selectors, services, titles
from games.models import Match, Table, Turn
from tests.factories import GuestFactory
from tests.games.reading import Page, Reader, a_member

pytestmark = pytest.mark.django_db

LANGUAGES = ("ru", "az", "tr", "en")
OPEN_TO_ALL = ["/", "/tables/", "/about/", "/rules/", *(f"/rules/{slug}/" for slug in titles.slugs())]


def section(html: str, name: str) -> str:
    """One part of the lobby; empty when it is not there."""
    found = re.search(rf'<section aria-labelledby="{name}">.*?</section>', html, re.DOTALL)
    return found[0] if found else ""


def matches_in(part: str) -> list[str]:
    return re.findall(r'href="/m/([0-9a-f-]+)/"', part)


def tables_in(part: str) -> list[str]:
    return re.findall(r'href="/t/([0-9a-f-]+)/"', part)


def lobby_of(member, query: str = "") -> str:
    return Reader(member).get(f"/{query}").content.decode()


def running(me, mine: bool = True) -> Match:
    """A match in which it is my turn, or the other's. Kozel: Thousand may be over with the first turn."""
    other = a_member()
    return play(seated([me, other], "kozel"), moves=0, until=me if mine else other)


def due(match: Match, hours: int) -> None:
    """Give the open turn of a match another deadline."""
    turn = Turn.objects.get(match=match, closed_at=None)
    turn.due_at = turn.promised_at = turn.opened_at + timedelta(hours=hours)
    turn.save()


# ---- anybody


@pytest.mark.parametrize("path", OPEN_TO_ALL)
@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_may_read_these_pages_in_every_language(path, language):
    response = Reader(headers={"accept-language": language}).get(path)
    assert response.status_code == 200
    assert f'<html lang="{language}"' in response.content.decode()
    assert Reader(GuestFactory(language=language)).get(path).status_code == 200


@pytest.mark.parametrize("path", OPEN_TO_ALL)
def test_they_are_only_for_reading_and_keep_to_the_policy(path):
    reader = Reader()
    assert reader.head(path).status_code == 200
    for method in ("post", "put", "delete"):
        assert getattr(reader, method)(path).status_code == 405
    html = reader.get(path).content.decode()
    assert not re.search(r"<[^>]*\s(style|on\w+)=", html)


@pytest.mark.parametrize("path", ["/rules/chess/", "/rules/kozel.html/", "/tables/?title=chess", "/tables/?title=%00"])
def test_a_game_nobody_plays_here_is_not_found(path):
    assert Reader().get(path).status_code == 404


@pytest.mark.parametrize("slug", titles.slugs())
def test_every_title_has_its_rules_in_four_languages(slug):
    texts = {
        language: Page(Reader(headers={"accept-language": language}).get(f"/rules/{slug}/")).text
        for language in LANGUAGES
    }
    assert len(set(texts.values())) == len(LANGUAGES)
    headings = {
        language: Reader(headers={"accept-language": language}).get(f"/rules/{slug}/").content.count(b"<h2>")
        for language in LANGUAGES
    }
    assert len(set(headings.values())) == 1


def test_a_stranger_learns_what_the_club_is_and_can_play_at_once():
    services.open_table(member=a_member(name="Hostess"), title="kozel", size=2, options={})
    page = Reader().read("/")
    assert "one move a day" in page.text
    assert "Hostess" in page.text
    assert page.form("/guest/").buttons[0][2] == "Play as a guest"
    assert page.link("/login/")
    guest = Reader()
    playing = guest.press(page.form("/guest/"))
    assert "You play nowhere yet." in playing.text


def test_a_stranger_sees_a_few_open_tables():
    for _ in range(5):
        services.open_table(member=a_member(), title="kozel", size=2, options={})
    assert len(tables_in(Reader().get("/").content.decode())) == 3


# ---- my matches


def test_my_turns_come_first_the_most_urgent_on_top():
    me = a_member()
    hours = {running(me): 30, running(me): 5, running(me): 12}
    waiting = {running(me, mine=False): 40, running(me, mine=False): 20}
    for match, left in (hours | waiting).items():
        due(match, left)
    html = lobby_of(me)
    assert matches_in(section(html, "h-mine")) == [str(match.pk) for match in sorted(hours, key=hours.__getitem__)]
    assert matches_in(section(html, "h-others")) == [
        str(match.pk) for match in sorted(waiting, key=waiting.__getitem__)
    ]
    assert "Finished" not in html


def test_no_running_match_is_cut_off():
    me, other = a_member(), a_member()
    matches = {str(seated([me, other], "thousand").pk) for _ in range(30)}
    html = lobby_of(me)
    assert set(matches_in(section(html, "h-mine")) + matches_in(section(html, "h-others"))) == matches


def test_a_long_list_costs_no_more_questions(django_assert_num_queries):
    me, other = a_member(), a_member()
    reader = Reader(me)

    def fill(rows: int) -> None:
        for _ in range(rows):
            play(seated([me, other], "kozel", round_limit=1))
            running(me)
            running(me, mine=False)
            services.open_table(member=me, title="kozel", size=2, options={})
            services.open_table(member=other, title="kozel", size=2, options={})

    fill(1)
    reader.get("/")  # the first visit also writes down the session
    with CaptureQueriesContext(connection) as asked:
        reader.get("/")
    fill(4)
    with django_assert_num_queries(len(asked)):
        reader.get("/")


def test_a_row_tells_who_plays_how_it_stands_and_what_was_last():
    me, other, partner, fourth = (a_member(name=name) for name in ("Me", "Left", "Across", "Right"))
    match = play(seated([me, other, partner, fourth], "kozel"), moves=5, until=me)
    Match.objects.filter(pk=match.pk).update(scores=[17, 40])
    row = section(lobby_of(me), "h-mine")
    assert re.search(r"<bdi>Left</bdi>,\s*<bdi>Right</bdi>", row)
    assert "partner: <bdi>Across</bdi>" in row
    assert re.search(r"17\s*:\s*40", row)
    assert "<bdi>Right</bdi>: " in row or "<bdi>Left</bdi>: " in row
    assert "until" in row


def test_a_row_tells_nothing_hidden():
    """What was drawn is known to the one who drew; the lobby tells what everybody may know."""
    match = seated([a_member(), a_member()], "kozel")
    while selectors.latest([match])[match.pk].kind != "drew":
        play(match, moves=1)
        if match.is_over:
            match = seated([a_member(), a_member()], "kozel")
    for seat in match.table.seats.select_related("member"):
        html = lobby_of(seat.member)
        assert "from the boneyard" in html
        assert "Taken" not in html


# ---- tables


def test_tables_where_i_sit_stand_apart_from_those_i_may_join():
    me = a_member()
    own = services.open_table(member=me, title="kozel", size=2, options={})
    private = services.open_table(member=me, title="kozel", size=2, options={}, is_private=True)
    other = services.open_table(member=a_member(), title="thousand", size=2, options={})
    services.open_table(member=a_member(), title="thousand", size=2, options={}, is_private=True)
    html = lobby_of(me)
    assert set(tables_in(section(html, "h-my-tables"))) == {str(own.pk), str(private.pk)}
    assert tables_in(section(html, "h-tables")) == [str(other.pk)]
    assert tables_in(Reader(me).get("/tables/").content.decode()) == [str(other.pk)]


def test_open_tables_of_one_game():
    kozel = services.open_table(member=a_member(), title="kozel", size=2, options={})
    thousand = services.open_table(member=a_member(), title="thousand", size=2, options={})
    assert tables_in(Reader().get("/tables/?title=kozel").content.decode()) == [str(kozel.pk)]
    assert tables_in(Reader().get("/tables/?title=thousand").content.decode()) == [str(thousand.pk)]
    assert set(tables_in(Reader().get("/tables/").content.decode())) == {str(kozel.pk), str(thousand.pk)}


def test_a_table_says_what_is_unusual_about_it():
    services.open_table(member=a_member(), title="kozel", size=2, options={"bald": True}, turn_hours=48)
    text = Reader().read("/tables/").text
    assert "Bald: On" in text
    assert "Entry at 13" not in text
    assert "48 h" in text


def test_many_open_tables_come_in_pages():
    for _ in range(25):
        services.open_table(member=a_member(), title="kozel", size=2, options={})
    reader = Reader()
    first, second = (reader.get(f"/tables/?page={number}").content.decode() for number in (1, 2))
    assert len(tables_in(first)) == 20
    assert set(tables_in(first) + tables_in(second)) == {str(pk) for pk in Table.objects.values_list("pk", flat=True)}


# ---- what is over


def test_finished_matches_come_in_pages_the_latest_first():
    me, other = a_member(), a_member()
    ended = [play(seated([me, other], "thousand")) for _ in range(12)]
    for hours, match in enumerate(ended):
        Match.objects.filter(pk=match.pk).update(ended_at=match.started_at + timedelta(hours=hours))
    order = [str(match.pk) for match in reversed(ended)]
    assert matches_in(section(lobby_of(me), "h-finished")) == order[:10]
    assert matches_in(section(lobby_of(me, "?page=2"), "h-finished")) == order[10:]


@pytest.mark.parametrize("page", ["0", "-1", "x", "99999999999999999999", "\x00", ""])
def test_any_page_number_has_a_page(page):
    assert Reader(a_member()).get("/", {"page": page}).status_code == 200
    assert Reader().get("/tables/", {"page": page}).status_code == 200


def test_a_finished_row_tells_who_won():
    me, other = a_member(), a_member()
    match = play(seated([me, other], "thousand"))
    won = (match.outcome or {})["winners"] == [0]
    assert ("Won" in section(lobby_of(me), "h-finished")) == won
    assert ("Won" in section(lobby_of(other), "h-finished")) != won
