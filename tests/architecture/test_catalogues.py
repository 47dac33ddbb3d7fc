"""The three catalogues say everything the club says, with the same placeholders, in as many forms as they need."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[2]
LANGUAGES = {"ru": 4, "az": 2, "tr": 2}
"""How many forms a number has; the second of Azerbaijani and Turkish is the first."""

Id = tuple[str | None, str, str | None]
"""Context, text, and text for many."""

KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}


@cache
def catalogue(language: str) -> Catalog:
    path = ROOT / "club" / "locale" / language / "LC_MESSAGES" / "django.po"
    assert path.exists(), f"there is no {path.relative_to(ROOT)}; `make messages` begins one"
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def messages(language: str) -> list[Message]:
    return [message for message in catalogue(language) if message.id]


def identity(message: Message) -> Id:
    one, *many = message.id if isinstance(message.id, tuple) else (message.id,)
    return message.context, str(one), str(many[0]) if many else None


def forms(message: Message) -> tuple[str, ...]:
    return tuple(map(str, message.string if isinstance(message.string, tuple) else (message.string,)))


# What the club says: the marked texts of the code and of the templates, read without xgettext.


@cache
def said() -> frozenset[Id]:
    files = [path for app in ("club", "games", "notifications") for path in (ROOT / app).rglob("*.py")]
    found = {text for path in files for text in _in_code(path)}
    pages = [path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"}]
    return frozenset(found | {text for path in pages for text in _in_template(path)})


def _in_code(path: Path) -> Iterator[Id]:
    with path.open("rb") as file:
        for _, found, _, context in extract("python", file, KEYWORDS):
            one, many = found if isinstance(found, tuple) else (found, None)
            yield context, one, many


CALL = re.compile(r"\b(n?p?gettext)\(((?:u?'(?:[^'\\]|\\.)*'|u?\"(?:[^\"\\]|\\.)*\"|[^()'\"])*)\)", re.DOTALL)


def _in_template(path: Path) -> Iterator[Id]:
    """Django makes a template into code for xgettext; the calls are found in it."""
    for name, arguments in CALL.findall(templatize(path.read_text(), origin=str(path))):
        texts = [ast.literal_eval(text) for text in re.findall(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", arguments)]
        context = texts.pop(0) if "p" in name.removesuffix("gettext") else None
        yield context, texts[0], texts[1] if name.startswith("n") else None


def shown(ids: Collection[Id]) -> str:
    return "\n".join(sorted(repr(text) for text in ids))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_holds_what_the_club_says_and_nothing_else(language):
    held = {identity(message) for message in messages(language)}
    missing, idle = said() - held, held - said()
    assert not missing, f"not in the catalogue; `make messages` adds them:\n{shown(missing)}"
    assert not idle, f"nobody says this any more:\n{shown(idle)}"
    assert not catalogue(language).obsolete


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated_and_nothing_is_guessed(language):
    wrong = [message.id for message in messages(language) if message.fuzzy or not all(map(str.strip, forms(message)))]
    assert not wrong, wrong


PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[a-z%]|\{\w*\}")
TAG = re.compile(r"</?\w+")


def marks(text: str) -> list[str]:
    """What has to stand in every translation as it is."""
    return sorted(PLACEHOLDER.findall(text) + TAG.findall(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_and_tags_are_those_of_the_text(language):
    wrong = []
    for message in messages(language):
        _, one, many = identity(message)
        wrong += [(one, form) for form in forms(message) if marks(form) != marks(many or one)]
    assert not wrong, wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_has_all_its_forms(language):
    assert catalogue(language).num_plurals == LANGUAGES[language]
    counted = [message for message in messages(language) if message.pluralizable]
    assert all(len(forms(message)) == LANGUAGES[language] for message in counted)
    if LANGUAGES[language] == 2:
        assert all(len(set(forms(message))) == 1 for message in counted), "a number has no plural after it"


@pytest.mark.parametrize("language", LANGUAGES)
def test_blanks_and_line_ends_at_the_edges_stand(language):
    def edges(text: str) -> tuple[str, str]:
        return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]

    wrong = [
        message.id
        for message in messages(language)
        for form in forms(message)
        if edges(form) != edges(identity(message)[1])
    ]
    assert not wrong, wrong


SUFFIX = re.compile(r"(?:%\(\w+\)[sd]|\{\w+\})(?:['’‘`-]\w|\w)")


def test_nothing_is_hung_on_a_name_or_a_number():
    """Names and numbers do not bend, and a suffix would have to bend with them."""
    texts = {text for _, one, many in said() for text in (one, many or "")}
    for language in LANGUAGES:
        texts |= {form for message in messages(language) for form in forms(message)}
    wrong = sorted(text for text in texts if SUFFIX.search(text))
    assert not wrong, wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_compiles(language):
    write_mo(BytesIO(), catalogue(language))
