"""Every event of whole matches, of every title and every choice of every option, has its page for every seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from random import Random
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from club.demo.matches import seated
from games import selectors, services, store, titles
from games.models import Event, Match, Seat
from games.selectors import MatchPage
from tests.architecture import pages
from tests.games.reading import Page, Reader, a_member
from tests.titles.conftest import SeededChance

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("live_choices")]

LONGEST = 100
"""Events of a match that is looked at whole."""


class Case(NamedTuple):
    """One table: a title, its seats, and the options that differ from the usual ones."""

    title: str
    seats: int
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.title, str(self.seats), *(f"{name}={value}" for name, value in self.options)])


def cases() -> Iterator[Case]:
    """Every seat count, and every other choice of every option at a table that asks for it."""
    for slug in titles.slugs():
        title = titles.get(slug)
        yield from (Case(slug, seats) for seats in title.SEATS)
        for option in title.OPTIONS:
            for choice in option.choices:
                if choice.value != option.default:
                    yield Case(slug, option.seats[0], ((option.name, choice.value),))
    yield Case("allfives", 4, (("muggins", "strict"), ("teams", False)))


def short(case: Case) -> dict[str, Any]:
    """The options of a match that is soon over."""
    has_rounds = any(option.name == "round_limit" for option in titles.get(case.title).OPTIONS)
    return ({"round_limit": 1} if has_rounds else {}) | dict(case.options)


def begin(case: Case, **options: Any) -> Match:
    return seated([a_member() for _ in range(case.seats)], case.title, **(options or dict(case.options)))


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> Callable[[SeededChance], None]:
    """Let deals and dice come from elsewhere than from the sealed chain."""
    return lambda chance: monkeypatch.setattr(store, "chance_of", lambda table, transcript: chance)


def play(match: Match, rng: Random, moves: int = LONGEST) -> Match:
    """Play any moves of anybody who may act, until the match is over or long."""
    seats = seats_of(match)
    while not match.is_over and match.number < LONGEST and moves:
        moves -= 1
        seat = seats[rng.choice(match.to_act)]
        state = store.state_of(match, seats)
        legal = state.title.legal_moves(state.position, seat.number)
        # Whoever may open with double 5 does: the one lead that a test has to wait for.
        move = "55" if "55" in legal else rng.choice(legal)
        services.play_move(match_id=match.pk, member=seat.member, move=move, seen=match.number, key=str(uuid4()))
        match.refresh_from_db()
    return match


def seats_of(match: Match) -> list[Seat]:
    return list(Seat.objects.filter(table_id=match.pk).select_related("member").order_by("number"))


VOID = {"meta", "link", "input", "br", "hr", "img"}


class Shape(HTMLParser):
    """Whether every element is closed where it was opened, and no id stands twice."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: Counter[str] = Counter()
        self.feed(html)
        self.close()
        self.wrong += self.open + [name for name, count in self.ids.items() if count > 1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids.update(value or "" for name, value in attrs if name == "id")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")


def assert_sound(response: Any) -> None:
    assert response.status_code == 200
    html = response.content.decode()
    assert not Shape(html).wrong
    assert not pages.Page(html).faults
    words = Page(response).text
    assert "{" not in words, "a placeholder without its value"
    assert "None" not in words


@pytest.mark.parametrize("text", ["<p>", "</p>", "<p><b></p></b>", '<p id="a"></p><b id="a"></b>'])
def test_a_page_out_of_shape_is_found_out(text):
    assert Shape(text).wrong
    assert not Shape('<p id="a"><br><input><use href="#b"/></p>').wrong


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3, 4))])
@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_every_event_of_a_match_has_its_page(case, seed, draws):
    draws(SeededChance(f"{case} {seed}"))
    match = play(begin(case, **short(case)), Random(f"{case} {seed}"))
    readers = [Reader(seat.member) for seat in seats_of(match)]
    # The usual tables are looked at whole, those with another option here and there; the long form does it all.
    for number in range(1, match.number + 1, 1 if seed > 1 or not case.options else 9):
        # The seats take turns; the long form is another match, not every page of this one.
        assert_sound(readers[(number + seed) % case.seats].get(f"/m/{match.pk}/", {"at": number}))
    for reader in readers:
        for rest in ("", "log/"):
            assert_sound(reader.get(f"/m/{match.pk}/{rest}"))


class VoidDeals(SeededChance):
    """The first deal of a round is void: a hand of five doubles, or a suit that one side of partners holds alone."""

    DOUBLES = ("00", "11", "22", "33", "44")
    FIVES = ("05", "15", "25", "55", "35", "45", "56")

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule

    def deal(self, epoch: int, attempt: int) -> tuple[str, ...]:
        order = super().deal(epoch, attempt)
        if attempt or (self.rule == "R3" and epoch == 1):
            return order
        first, third = (self.DOUBLES, ()) if self.rule == "R1" else (self.FIVES[:4], self.FIVES[4:])
        rest = [tile for tile in order if tile not in first + third]
        hands = [[*first], [], [*third], []]
        for hand in hands:
            hand += [rest.pop() for _ in range(7 - len(hand))]
        return tuple(tile for hand in hands for tile in hand)


@pytest.mark.parametrize("rule", ["R1", "R3"])
def test_a_void_deal_has_its_pages(rule, draws):
    """By a hand, and by the tile that was led."""
    draws(VoidDeals(rule))
    rng, match = Random(rule), begin(Case("telefon365", 4))
    while not (void := Event.objects.filter(match=match, kind="redealt", payload__rule=rule).last()):
        done = match.is_over or match.number >= LONGEST
        match = begin(Case("telefon365", 4)) if done else play(match, rng, moves=1)
    match.refresh_from_db()
    for seat in seats_of(match):
        reader = Reader(seat.member)
        for number in (void.number - 1, void.number, void.number + 1, match.number):
            assert_sound(reader.get(f"/m/{match.pk}/", {"at": number}))
        assert "The tiles are dealt again." in reader.read(f"/m/{match.pk}/?at={void.number}").text


# ---- every legal move has its button

TABLES = [
    Case("kozel", 4),
    Case("telefon365", 2),
    Case("telefon365", 4),
    Case("telefon", 3),
    Case("allfives", 4, (("teams", False),)),
    Case("allfives", 3, (("muggins", "strict"),)),
]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_legal_move_is_a_button_that_says_what_follows(table):
    """Those that lay tiles after a tap on any of them, all others at once."""
    match, rng, looked = begin(table), Random(str(table)), 0
    while looked < 8:
        match.refresh_from_db()
        if match.is_over or match.number >= LONGEST:
            match = begin(table)
        for seat in seats_of(match):
            page = selectors.match_page(match, seat)
            if is_worth_a_look(page):
                looked += 1
                assert_offers(Reader(seat.member), page)
        play(match, rng, moves=1)


def is_worth_a_look(page: MatchPage) -> bool:
    """Whether there is more to choose than a tile: an end, several tiles, a claim."""
    tiles = {offer.move[:2] for offer in page.offers}
    return len(page.offers) > len(tiles) or "cl" in tiles


def assert_offers(reader: Reader, page: MatchPage) -> None:
    address = f"/m/{page.match.pk}/"
    start = reader.read(address)
    found = {value: words for _, value, words in start.form("/move/").buttons} if start.has_form("/move/") else {}
    for tile in {href for href, _ in start.links if "?stage=" in href}:
        response = reader.get(tile)
        assert_sound(response)
        staged = Page(response).form("/move/").buttons
        assert all(tile.partition("?stage=")[2] in value for _, value, _ in staged if value != "claim")
        found |= {value: words for _, value, words in staged}
    assert found.keys() == {offer.move for offer in page.offers}
    for preview in page.view.previews:
        assert f"Sum {preview.sum}" in found[preview.move]
        assert (f"plus {preview.points}" in found[preview.move]) == bool(preview.points)
