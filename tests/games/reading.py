"""What a page offers to somebody without JavaScript: forms with their buttons, links, words.

A page may come from Django's test client or, over a real line, from httpx.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Any, cast
from urllib.parse import urlsplit

from django.test import Client

from club.members.models import Member
from tests.factories import MemberFactory


@dataclass
class Form:
    """Where it goes, what it holds, and its buttons as (name, value, words)."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)


def _counts(given: dict[str, str]) -> bool:
    """Whether a form sends this field as it stands in the page."""
    return bool(given.get("name")) and (given.get("type") not in {"radio", "checkbox"} or "checked" in given)


class Page(HTMLParser):
    """A response as a reader of HTML sees it."""

    def __init__(self, response: Any) -> None:
        super().__init__()
        self.status = response.status_code
        self.url = getattr(response, "url", "")
        self.forms: list[Form] = []
        self.links: list[tuple[str, str]] = []
        self.words: list[str] = []
        self._form: Form | None = None
        self._ids: dict[str, Form] = {}
        self._of: Form | None = None
        self._button: list[str] | None = None
        self._link: list[str] | None = None
        self._select = ""
        self.feed(response.content.decode())

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def form(self, part: str) -> Form:
        """The first form whose address contains `part`, with the buttons of all forms that lead to the same address."""
        first = next(form for form in self.forms if part in form.action)
        buttons = [button for form in self.forms if form.action == first.action for button in form.buttons]
        return replace(first, buttons=buttons)

    def has_form(self, part: str) -> bool:
        return any(part in form.action for form in self.forms)

    def link(self, part: str) -> str:
        """The first address that contains `part`."""
        return next(href for href, _words in self.links if part in href)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(given["action"], given.get("method", "get"))
            self.forms.append(self._form)
            self._ids[given.get("id", "")] = self._form
        elif tag == "a":
            self._link = [given.get("href", ""), ""]
        elif tag == "button":
            self._button = [given.get("name", ""), given.get("value", ""), ""]
            self._of = self._ids.get(given["form"]) if "form" in given else self._form
        elif self._form is not None:
            self._field(self._form.fields, tag, given)

    def _field(self, fields: dict[str, str], tag: str, given: dict[str, str]) -> None:
        """What a control of a form holds before anybody touches it."""
        if tag == "input" and _counts(given):
            fields[given["name"]] = given.get("value", "")
        elif tag == "select":
            self._select = given["name"]
        elif tag == "option" and ("selected" in given or self._select not in fields):
            fields[self._select] = given.get("value", "")
        elif tag == "textarea":
            fields[given["name"]] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "a" and self._link is not None:
            self.links.append((self._link[0], " ".join(self._link[1].split())))
            self._link = None
        elif tag == "button" and self._button is not None:
            name, value, words = self._button
            if self._of is not None:
                self._of.buttons.append((name, value, " ".join(words.split())))
            self._button = None

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        for part in (self._button, self._link):
            if part is not None:
                part[-1] += data


def a_member(**given: Any) -> Member:
    """Somebody of the club."""
    return cast(Member, MemberFactory(**given))


def filled(form: Form, button: str = "", **fields: str) -> dict[str, str]:
    """What a form sends when it is filled with `fields` and the button with this value is pressed, or the first."""
    pressed = next(((name, value) for name, value, _ in form.buttons if button in {"", value}), None)
    assert pressed, f"no button {button} among {form.buttons}"
    return form.fields | fields | ({pressed[0]: pressed[1]} if pressed[0] else {})


class Reader(Client):
    """A browser without JavaScript, signed in as `member` if there is one."""

    def __init__(self, member: Any = None, **defaults: Any) -> None:
        super().__init__(**defaults)
        if member is not None:
            self.force_login(member)

    def read(self, address: str) -> Page:
        """Follow a link to where it leads in the end."""
        return Page(self.get(address, follow=True))

    def press(self, form: Form, button: str = "", **fields: str) -> Page:
        """Send a form by its button with this value, or by the first."""
        assert form.method == "post"
        return Page(self.post(urlsplit(form.action).path, filled(form, button, **fields), follow=True))
