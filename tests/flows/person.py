"""Somebody at a browser without JavaScript: reads pages over HTTP, follows links, presses the buttons of forms."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx


@dataclass
class Form:
    """A form as it stands in a page: where it goes, what it holds, and its buttons as (name, value, words)."""

    action: str
    method: str
    id: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """What a page offers: its forms, its links, its words."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__()
        self.response = response
        self.status = response.status_code
        self.url = response.url
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self._form: Form | None = None
        self._button: tuple[str, str] | None = None
        self._select: str = ""
        self._area: str = ""
        self.feed(response.text)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def form(self, action: str = "", *, id: str = "") -> Form:
        """The form whose address contains `action`, or that has this id."""
        for form in self.forms:
            if (id and form.id == id) or (action and action in form.action):
                return form
        raise AssertionError(f"no form {action or id} in {self.url}: {[form.action for form in self.forms]}")

    def has_form(self, *, id: str) -> bool:
        return any(form.id == id for form in self.forms)

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        attrs = {name: value or "" for name, value in given}
        if tag == "form":
            method = attrs.get("method", "get").lower()
            self._form = Form(attrs.get("action", str(self.url)), method, attrs.get("id", ""))
            self.forms.append(self._form)
        elif tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        elif self._form is not None:
            self._control(tag, attrs)

    def _control(self, tag: str, attrs: dict[str, str]) -> None:
        name = attrs.get("name", "")
        if tag == "input" and name:
            chosen = attrs.get("type") not in ("radio", "checkbox") or "checked" in attrs
            if chosen:
                self._form.fields[name] = attrs.get("value", "")
        elif tag == "button":
            self._button = (name, attrs.get("value", ""))
            self._form.buttons.append((*self._button, ""))
        elif tag == "select":
            self._select = name
        elif tag == "option" and ("selected" in attrs or self._select not in self._form.fields):
            self._form.fields[self._select] = attrs.get("value", "")
        elif tag == "textarea":
            self._form.fields[name] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "button":
            self._button = None

    def handle_data(self, data: str) -> None:
        if not data.strip():
            return
        self.words.append(data.strip())
        if self._button is not None and self._form is not None:
            name, value, words = self._form.buttons[-1]
            self._form.buttons[-1] = (name, value, f"{words} {data.strip()}".strip())


class Person:
    """One browser: cookies of its own, and the page it is on."""

    def __init__(self, server: str, language: str = "en") -> None:
        self.http = httpx.Client(
            base_url=server,
            headers={"Accept": "text/html", "Accept-Language": language},
            follow_redirects=True,
            timeout=20,
            trust_env=False,
        )
        self.server = server

    def get(self, path: str) -> Page:
        return self._page(self.http.get(path))

    def send(self, form: Form, button: str = "", **fields: str) -> Page:
        """Press a button of a form: the one with this value, or the first; `fields` are filled in before."""
        data = form.fields | fields
        for name, value, _words in form.buttons:
            if name and (not button or value == button):
                data[name] = value
                break
        url = httpx.URL(self.server).join(form.action)
        if form.method == "get":
            return self._page(self.http.get(url, params=data))
        return self._page(self.http.post(url, data=data, headers={"Origin": self.server}))

    @staticmethod
    def _page(response: httpx.Response) -> Page:
        assert response.status_code < 500, response.text[:2000]
        return Page(response)
