"""The look: drawings, the base page, the pages of trouble, the style sheets and the fonts."""

from __future__ import annotations

import gzip
import re
import shutil
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.template import Context, Engine, Template, engines
from django.test import RequestFactory
from django.urls import path
from django.utils import timezone, translation
from django.utils.safestring import mark_safe

from games.templatetags import pieces

pytestmark = pytest.mark.urls(__name__)

NAMES = [
    "lobby",
    "tables",
    "signup",
    "signin",
    "signout",
    "settings",
    "about",
    "rules",
    "set_language",
    "theme",
    "desk",
    "inbox",
]
urlpatterns = [path(f"{name}/", lambda request: HttpResponse(), name=name) for name in NAMES]

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
STATIC = ROOT / "club" / "static" / "club"
SHEETS = [STATIC / "css" / "club.css", STATIC / "css" / "table.css"]
TROUBLE = ["400", "403", "403_csrf", "404", "409", "429"]


def draw(source: str, **context: Any) -> str:
    return Template("{% load pieces %}" + source).render(Context(context))


def page(name: str, **context: Any) -> str:
    request = SimpleNamespace(resolver_match=SimpleNamespace(url_name="tables"), get_full_path="/tables/?open=1")
    return engines["django"].get_template(name).render({"request": request, **context})


def person(**kind: bool) -> SimpleNamespace:
    return SimpleNamespace(
        **{"name": "Şəhriyar", "is_authenticated": True, "is_guest": False, "is_moderator": False} | kind
    )


def symbols() -> str:
    return (TEMPLATES / "pieces" / "symbols.svg.html").read_text()


# Drawings


@pytest.mark.parametrize(("first", "second"), [*product("0123456", repeat=2)])
def test_a_tile_shows_its_halves_in_the_order_of_its_name(first: str, second: str) -> None:
    halves = re.findall(r'#p-h(\d)" x="(-?10)"', draw("{% tile name %}", name=first + second))
    assert halves == [(n, x) for n, x in ((first, "-10"), (second, "10")) if n != "0"]


def test_a_tile_stands_or_lies_and_the_light_stays_where_it_is() -> None:
    upright, lying = draw('{% tile "25" %}'), draw('{% tile "25" lying=True %}')
    assert '<use href="#p-upright"/><g transform="translate(0 -.6) rotate(90)">' in upright
    assert '<use href="#p-lying"/><g transform="translate(0 -.6)">' in lying


def test_only_the_hub_has_the_pin() -> None:
    assert "#p-pin" in draw('{% laid "55" hub=True %}')
    assert "#p-pin" not in draw('{% laid "55" %}')


def test_on_the_table_doubles_lie_across_and_the_side_arms_run_through_the_hub() -> None:
    line, arms = re.findall(r'<div class="chain.*?</div>', table(["35", "55", "52", "22"], "55", ["54"], ["51"]), re.S)
    assert re.findall(r"#p-(lying|upright|pin)", line) == ["lying", "upright", "pin", "lying", "upright"]
    assert re.findall(r"#p-(lying|upright|pin)", arms) == ["lying", "lying", "pin", "lying"]
    assert re.findall(r"#p-h(\d)", arms) == ["4", "5", "5", "5", "5", "1"]
    assert [re.findall(r">(\d)</span>", row) for row in (line, arms)] == [["1", "2"], ["3", "4"]]


def test_a_drawing_is_silent_unless_it_is_given_words() -> None:
    for tag in ('tile "25"', "tile_back", "die 3"):
        silent, spoken = draw(f"{{% {tag} %}}"), draw(f"{{% {tag} label=words %}}", words="<two>")
        assert 'aria-hidden="true"' in silent
        assert "aria-label" not in silent
        assert 'role="img" aria-label="&lt;two&gt;"' in spoken
        assert "aria-hidden" not in spoken


def test_held_dice_stand_straight() -> None:
    assert 'class="die held"' in draw("{% die 1 held=True %}")
    assert 'class="die"' in draw("{% die 1 %}")


def test_every_drawing_has_as_many_pips_as_it_says() -> None:
    for number in range(7):
        (half,) = re.findall(rf'<g id="p-h{number}".*', symbols())
        assert half.count("<circle") == number
    for number in range(1, 7):
        (face,) = re.findall(rf'<symbol id="p-d{number}".*', symbols())
        assert face.count("<circle") == number


def test_every_use_finds_its_drawing() -> None:
    known = re.findall(r'\bid="([^"]+)"', symbols())
    assert len(known) == len(set(known))
    drawn = "".join(
        draw("{% tile name hub=True %}{% laid name %}", name=a + b) for a, b in product("0123456", repeat=2)
    )
    drawn += draw("{% for n in faces %}{% die n %}{% endfor %}{% tile_back %}", faces=range(1, 7))
    used = set(re.findall(r'href="#([a-z]+-[\w-]+)"', symbols() + drawn + page("404.html")))
    assert {"p-h6", "p-d6", "p-pin", "mark-club"} <= used <= set(known)


# Deadlines

NOW = datetime(2026, 7, 20, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (datetime(2026, 7, 20, 17, 40, tzinfo=UTC), "until 21:40"),
        # 20:30 in London is past midnight in Baku.
        (datetime(2026, 7, 20, 20, 30, tzinfo=UTC), "until tomorrow, 00:30"),
        (datetime(2026, 7, 22, 17, 40, tzinfo=UTC), "until July 22, 21:40"),
        (NOW, "time is up"),
    ],
)
def test_a_deadline_is_said_in_the_readers_zone(at: datetime, said: str) -> None:
    with timezone.override("Asia/Baku"), translation.override("en"):
        assert pieces.until(at, NOW) == said


@pytest.mark.parametrize(("language", "day"), [("ru", "22 июля"), ("az", "22 iyul"), ("tr", "22 Temmuz")])
def test_months_are_written_as_the_language_writes_them(language: str, day: str) -> None:
    with timezone.override("Asia/Baku"), translation.override(language):
        assert day in pieces.until(datetime(2026, 7, 22, 17, 40, tzinfo=UTC), NOW)


@pytest.mark.parametrize(
    ("hours", "soon", "left"), [(2.99, True, "2\xa0hours"), (3.01, False, "3\xa0hours"), (-1, True, "")]
)
def test_what_is_left_is_rounded_down_and_marked_when_it_is_little(
    monkeypatch: pytest.MonkeyPatch, hours: float, soon: bool, left: str
) -> None:
    monkeypatch.setattr(pieces.timezone, "now", lambda: NOW)
    at = NOW + timedelta(hours=hours)
    html = draw("{% deadline at %}", at=at)
    assert ("soon" in html, left in html) == (soon, True)
    assert ('class="left"' in html) == bool(left)
    assert f'datetime="{at.isoformat()}"' in html


# The base page


def test_a_stranger_is_offered_to_sign_in() -> None:
    html = page("404.html", user=SimpleNamespace(is_authenticated=False))
    assert 'href="/signin/"' in html
    assert "/signout/" not in html
    assert "/desk/" not in html


def test_a_guest_is_offered_to_sign_up_and_cannot_sign_out() -> None:
    html = page("404.html", user=person(is_guest=True))
    assert 'href="/signup/"' in html
    assert "/signout/" not in html


def test_a_member_sees_the_name_and_signs_out_by_post() -> None:
    html = page("404.html", user=person())
    assert "<bdi>Şəhriyar</bdi>" in html
    assert re.search(r'<form method="post" action="/signout/">', html)
    assert 'href="/signup/"' not in html
    assert "/desk/" not in html


def test_only_moderators_see_the_desk() -> None:
    assert 'href="/desk/"' in page("404.html", user=person(is_moderator=True))


def test_the_page_one_is_on_is_marked() -> None:
    assert re.findall(r'href="/(\w+)/" aria-current="page"', page("404.html", user=person())) == ["tables"]


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_every_language_is_offered_in_its_own_name(language: str) -> None:
    with translation.override(language):
        html = page("base.html", user=person())
    assert f'<html lang="{language}"' in html
    offered = re.findall(r'name="language" value="(\w+)" lang="\1"( aria-current="true")?>([^<]+)', html)
    assert {code: name for code, _, name in offered} == {
        "ru": "Русский",
        "az": "Azərbaycanca",
        "tr": "Türkçe",
        "en": "English",
    }
    assert [code for code, current, _ in offered if current] == [language]
    assert 'name="next" value="/tables/?open=1"' in html


@pytest.mark.parametrize(("theme", "says"), [("", "light dark"), ("light", "light"), ("dark", "dark")])
def test_the_server_sets_the_colours(theme: str, says: str) -> None:
    html = page("base.html", theme=theme)
    assert (f'class="{theme}">' in html.split("<head>")[0]) == bool(theme)
    assert f'<meta name="color-scheme" content="{says}">' in html
    assert re.findall(r'name="theme" value="(\w*)" aria-current', html) == [theme]


def test_live_regions_are_there_before_there_is_anything_to_say() -> None:
    html = page("base.html")
    assert 'id="say" role="status" aria-live="polite"' in html
    assert 'id="alarm" role="alert"' in html


def test_messages_are_escaped() -> None:
    html = page("base.html", messages=[Message(constants.ERROR, "<b>x</b>")])
    assert '<p class="message error">&lt;b&gt;x&lt;/b&gt;</p>' in html


# Pieces


class WordForm(forms.Form):
    word = forms.CharField(help_text="Six signs.")
    game = forms.ChoiceField(choices=[("k", "Kozel")], widget=forms.RadioSelect, help_text="One of them.")
    leave = forms.BooleanField(help_text="Later is too late.")


def test_help_and_errors_of_a_field_are_tied_to_it() -> None:
    html = draw('{% for field in form %}{% include "pieces/field.html" %}{% endfor %}', form=WordForm({"word": ""}))
    ids = set(re.findall(r'\bid="([^"]+)"', html))
    described = [name for names in re.findall(r'aria-describedby="([^"]+)"', html) for name in names.split()]
    assert {"id_word_helptext", "id_word_error", "id_game_helptext", "id_leave_error"} <= set(described) <= ids
    assert html.count("This field is required.") == 3


def test_pages_of_a_list_keep_the_rest_of_the_address() -> None:
    context = Context({"page": Paginator(range(50), 10).page(2)})
    context.request = RequestFactory().get("/tables/?title=kozel&page=2")  # type: ignore[attr-defined]
    html = Engine.get_default().get_template("pieces/pages.html").render(context)
    assert re.findall(r'href="([^"]+)"', html) == ["?title=kozel&amp;page=1", "?title=kozel&amp;page=3"]
    assert "Page 2 of 5" in html


def test_a_seat_says_whose_turn_it_is_and_how_many_tiles_are_left() -> None:
    seat = '{% include "pieces/seat.html" with score=5 side="A" %}'
    waiting, moving = draw(seat, name="<i>", turn=False), draw(seat, name="<i>", left=0, turn=True)
    assert "to move" in moving
    assert "Tiles left:" in moving
    assert "to move" not in waiting
    assert "Tiles left:" not in waiting
    assert "&lt;i&gt;" in moving


# Trouble


@pytest.mark.parametrize("code", TROUBLE)
def test_a_page_of_trouble_says_what_to_do(code: str) -> None:
    html = page(f"{code}.html", user=SimpleNamespace(is_authenticated=False))
    main = html.split("<main")[1].split("</main>")[0]
    assert re.search(r"<h1>[A-Z].{15,}</h1>", main)
    assert re.search(r"<p>\S.{20,}</p>", main)
    assert 'class="button primary"' in main
    # Its address may only take POST, so there is nothing to come back to.
    assert 'name="next"' not in html


def test_the_conflict_page_leads_to_the_fresh_page() -> None:
    assert '<a class="button primary" href="/m/7/">' in page("409.html", url="/m/7/")


def test_the_page_for_our_own_faults_needs_nothing_that_may_be_broken() -> None:
    source = (TEMPLATES / "500.html").read_text()
    assert "{%" not in source
    assert "{{" not in source
    assert set(re.findall(r'<p lang="(\w\w)"', source)) == {code for code, _ in settings.LANGUAGES}
    prefix = settings.STATIC_URL
    files = re.findall(rf'"{prefix}([^"]+)"', source)
    assert files
    assert all((STATIC.parent / name).exists() for name in files)


# Rules for every template and sheet


def test_templates_keep_to_the_content_security_policy() -> None:
    for file in TEMPLATES.rglob("*.html"):
        if "email" in file.parts:
            continue
        source = file.read_text()
        assert not re.search(r"\sstyle\s*=|<style|\son[a-z]+\s*=|javascript:", source), file
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*\bnonce=)", source), file
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', source), file


def test_sheets_ask_nobody_and_never_recase() -> None:
    for sheet in SHEETS:
        source = sheet.read_text()
        assert "text-transform" not in source
        assert "@import" not in source
        for url in re.findall(r"url\(([^)]+)\)", source):
            assert (sheet.parent / url).resolve().is_file(), url


def test_weights() -> None:
    assert len(gzip.compress(b"".join(sheet.read_bytes() for sheet in SHEETS))) <= 8.2 * 1024
    sizes = {font.stem: font.stat().st_size for font in (STATIC / "fonts").glob("*.woff2")}
    latin = sizes["literata-latin"]
    assert latin + sizes["literata-azeri-turkish"] <= 17.5 * 1024
    assert latin + sizes["literata-cyrillic"] <= 24 * 1024


# Colours


def tokens(selector: str) -> dict[str, str]:
    block = re.search(re.escape(selector) + r"\s*\{(.*?)\}", SHEETS[0].read_text(), re.DOTALL)
    assert block
    return dict(re.findall(r"--([\w-]+): (#\w+);", block[1]))


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


LIGHT = tokens("\n:root")
DARK = LIGHT | tokens(":root.dark")


def test_dark_is_the_same_by_system_and_by_choice() -> None:
    assert tokens(":root:not(.light)") == tokens(":root.dark")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *product(("ink", "mute", "turquoise", "pomegranate-text", "brass-text"), ("paper", "card")),
        ("on-turquoise", "turquoise"),
        ("brass-cloth", "table"),
        ("on-cloth", "table"),
        ("pip", "bone"),
    ],
)
def test_text_can_be_read(theme: dict[str, str], text: str, ground: str) -> None:
    assert contrast(theme[text], theme[ground]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_white_can_be_read_on_the_button(theme: dict[str, str]) -> None:
    assert contrast("#FFFFFF", theme["pomegranate"]) >= 4.5
    assert contrast("#FFFFFF", theme["pomegranate-deep"]) >= 4.5


# In a browser

LETTERS = "əƏğĞıİşŞçÇöÖüÜёЁ№«»–"

HAS_GLYPHS = """async ([data, letters]) => {
  const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0));
  document.fonts.add(await new FontFace("Shipped", bytes).load());
  const paint = (letter, behind) => {
    const canvas = new OffscreenCanvas(120, 120), pen = canvas.getContext("2d");
    pen.font = `80px Shipped, ${behind}`;
    pen.fillText(letter, 10, 90);
    return pen.getImageData(0, 0, 120, 120).data.join();
  };
  return letters.filter(letter => paint(letter, "monospace") === paint(letter, "serif"));
}"""
"""A letter the font has looks the same whatever stands behind the font."""


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


def ranges() -> dict[str, set[str]]:
    """The letters each shipped font is asked for, by the sheet."""
    found = re.findall(r"fonts/([\w-]+)\.woff2.*?unicode-range: ([^;]+);", SHEETS[0].read_text(), re.DOTALL)
    letters: dict[str, set[str]] = {}
    for name, spans in found:
        for span in spans.split(", "):
            first, _, last = span.removeprefix("U+").partition("-")
            letters.setdefault(name, set()).update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return letters


@pytest.mark.browser
def test_every_font_has_the_letters_it_is_asked_for(browser) -> None:
    asked = ranges()
    assert set(asked) == {file.stem for file in (STATIC / "fonts").glob("*.woff2")}
    assert set(LETTERS) <= set().union(*asked.values())
    for name, letters in asked.items():
        data = b64encode((STATIC / "fonts" / f"{name}.woff2").read_bytes()).decode()
        tab = browser.new_page()
        # A stranger's letter shows that the comparison can fail.
        assert set(tab.evaluate(HAS_GLYPHS, [data, [*sorted(letters), "Ω"]])) == letters
        tab.close()


def euler() -> list[str]:
    """All 28 tiles in one line, each touching its neighbour with the same number."""
    left, path, walk = {frozenset((a, b)) for a in range(7) for b in range(7)}, [6], []
    while path:
        here = path[-1]
        tile = next((t for t in sorted(left, key=sorted) if here in t), None)
        if tile is None:
            walk.append(path.pop())
        else:
            left.remove(tile)
            path.append(next(iter(tile - {here}), here))
    return [f"{a}{b}" for a, b in pairwise(walk)]


def table(line: list[str], hub: str | None, *arms: list[str]) -> str:
    """The board of a match on which these tiles lie."""
    laid = [
        [SimpleNamespace(left=name[0], right=name[1], number=1) for name in branch]
        for branch in (line, *(arms or [[], []]))
    ]
    ends = [SimpleNamespace(end=end, number=number, face=5) for number, end in enumerate("LRUD" if hub else "LR", 1)]
    view = SimpleNamespace(line=laid[0], hub=hub, arms=laid[1:], ends=ends, sum=None, previews=(), round=1, boneyard=0)
    shown = SimpleNamespace(view=view, history=(), since=(), is_latest=True, title=SimpleNamespace(OPENS=()))
    return draw('{% include "games/dominoes/board.html" %}', page=shown, staged=[])


@pytest.mark.browser
@pytest.mark.parametrize("arms", [0, 4])
@pytest.mark.parametrize("width", [320, 360, 390, 844, 1280, 1440])
def test_a_table_of_all_tiles_stays_on_the_screen(browser, width: int, arms: int) -> None:
    tiles = euler()
    assert len(tiles) == 28
    hub = next(tile for tile in tiles[4:16] if tile[0] == tile[1])
    line, up, down = tiles[: 28 - 2 * arms], tiles[28 - 2 * arms : 28 - arms], tiles[28 - arms :]
    inner = draw(
        '{% include "pieces/symbols.svg.html" %}<main class="match"><div class="screen">'
        '<section class="board">{{ table }}</section>'
        '<ul class="hand">{% for name in hand %}<li><button>{% tile name %}</button></li>{% endfor %}</ul></div>',
        table=mark_safe(table(line, hub, up, down) if arms else table(tiles, None)),
        hand=tiles[:9],
    )
    tab = browser.new_page(viewport={"width": width, "height": 640})
    tab.set_content(f"<!doctype html><body>{inner}")
    for sheet in (*SHEETS, STATIC / "css" / "play.css"):
        tab.add_style_tag(content=sheet.read_text())
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    outside = """() => {
      const b = document.querySelector(".board").getBoundingClientRect();
      return [...document.querySelectorAll(".chain .tile")].map(tile => tile.getBoundingClientRect())
        .filter(t => t.left < b.left || t.right > b.right || t.top < b.top || t.bottom > b.bottom).length;
    }"""
    assert tab.evaluate(outside) == 0
    small = (
        "() => [...document.querySelectorAll('.hand button')].filter(b => b.getBoundingClientRect().height < 72).length"
    )
    assert tab.evaluate(small) == 0
    tab.close()
