"""The kinds of notice, registered by the apps that tell them: down by call, up by a registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.functional import Promise

if TYPE_CHECKING:
    from notifications.models import Notice


@dataclass(frozen=True, slots=True)
class Letter:
    """What one notice says, in the reader's language.

    Args:
        subject: one line of our own words, no members' text.
        lines: paragraphs.
        button: the words on the one button.
        path: where it leads, from the root of the site.
        quote: gives sentences to be set apart, such as the latest events of the match; only a channel that shows them
            asks for them.
        neutral: for complaints: nothing in the head of the mail ties it to another one or tells its kind.
    """

    subject: str
    lines: tuple[str, ...]
    button: str
    path: str
    quote: Callable[[], tuple[str, ...]] = tuple
    neutral: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of notice.

    Args:
        slug: its name in the database, at most 32 letters.
        label: its name in the settings, as the member would say it, lazily translated.
        still_true: asked at the moment of sending; False drops the notice.
        compose: writes the letter at the moment of sending, with the member's language and time zone active.
        always: it cannot be switched off.
        moderators: only moderators are told of it; nobody else reads about it in the settings.
    """

    slug: str
    label: str | Promise
    still_true: Callable[[Notice], bool]
    compose: Callable[[Notice], Letter]
    always: bool = False
    moderators: bool = False


_kinds: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Make a kind known. Raises ValueError when another one has its slug."""
    if _kinds.setdefault(kind.slug, kind) is not kind:
        raise ValueError(f"two kinds of notice are called {kind.slug}")


def get(slug: str) -> Kind:
    """The kind of this name. Raises KeyError."""
    return _kinds[slug]


def all() -> tuple[Kind, ...]:
    """Every kind, in the order of registration."""
    return tuple(_kinds.values())
