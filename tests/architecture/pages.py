"""What a page may contain under our policy: nothing inline, nothing from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser

LOADED = {"src", "srcset", "poster", "background", "data", "action", "formaction", "ping", "manifest", "xlink:href"}
"""Attributes whose address a browser fetches or sends to by itself; so does `href`, but in a link to press."""
OURS = re.compile(r"(/(?!/)|#|\?|$)")
FORBIDDEN = {"style", "base", "iframe", "frame", "object", "embed", "applet"}


class Page(HTMLParser):
    """Reads a page: `faults` are the places that break the policy; `sends`, whether there is a form that POSTs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.sends = False
        self.referrer = ""
        """What a `meta` of the page says about the address that it tells."""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.sends |= tag == "form" and given.get("method", "").casefold() == "post"
        if tag == "meta" and given.get("name") == "referrer":
            self.referrer = given["content"]
        if tag in FORBIDDEN or self._is_inline(tag, given):
            self.faults.append(self.get_starttag_text() or tag)
        self.faults += [
            f'{tag} {name}="{value}"' for name, value in given.items() if not self._is_fine(tag, name, value)
        ]

    @staticmethod
    def _is_inline(tag: str, given: dict[str, str]) -> bool:
        """A script without an address runs from the page, unless it is data. `http-equiv` speaks for a header; it may
        only ask to look at the same page again."""
        runs = tag == "script" and "src" not in given and given.get("type") != "application/json"
        asks = given.get("http-equiv") == "refresh" and given.get("content", "").isdigit()
        return runs or (tag == "meta" and "http-equiv" in given and not asks)

    @staticmethod
    def _is_fine(tag: str, name: str, value: str) -> bool:
        if name == "style" or name.startswith("on"):
            return False
        if name in LOADED or (name == "href" and tag not in {"a", "area"}):
            return bool(OURS.match(value))
        return name != "href" or bool(re.match(r"(/(?!/)|#|\?|$|mailto:)", value))
