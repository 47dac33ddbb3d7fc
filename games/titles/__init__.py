"""The titles of the club: one folder, one game. `get` is the only door to them."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from games.engine.contract import Title


@cache
def slugs() -> tuple[str, ...]:
    """The titles there are, by folder name."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


@cache
def get(slug: str) -> Title:
    """The title in folder `slug`. Raises KeyError when there is none."""
    if slug not in slugs():
        raise KeyError(slug)
    return import_module(f"games.titles.{slug}")


@cache
def of(ruleset: str) -> Title:
    """The title with the rules a match was set up with, `kozel/1`: today's, or older ones it still answers for.

    A package that has newer rules keeps the older ones in `OLDER`. Raises KeyError when nobody answers for them.
    """
    today = get(ruleset.partition("/")[0])
    versions: tuple[Title, ...] = (today, *getattr(today, "OLDER", ()))
    for title in versions:
        if ruleset == title.RULESET:
            return title
    raise KeyError(ruleset)
