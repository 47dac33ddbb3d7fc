"""Reading a title's options: typed, complete, refused by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.engine.contract import Choice, Json, Option


class BadOption(ValueError):
    """An unknown option, or a value the option does not have here. `name` is the option."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name = name


def complete(options: Sequence[Option], seats: int, given: Mapping[str, Json], live: bool = False) -> dict[str, Json]:
    """Every option of the title that applies to this seat count, with its value, in the order of the rules page.

    `players` is always the first. `live` tells whether the table is a live one. Raises BadOption for a name or a value
    that is not offered there.
    """
    offered = {option.name: option for option in options if seats in option.seats}
    for name in given:
        if name not in offered and name != "players":
            known = any(option.name == name for option in options)
            raise BadOption(name, f"not an option with {seats} seats" if known else "there is no such option")
    if not _same(given.get("players", seats), seats):
        raise BadOption("players", f"the table has {seats} seats")
    return {"players": seats} | {name: _value(option, given, live) for name, option in offered.items()}


def is_told(option: Option, live: bool) -> bool:
    """Whether a table has to say how it plays here: not where only a live one has a choice, and it is none."""
    return live or len(option.choices) == 1 or sum(not choice.live for choice in option.choices) > 1


def needs_live(options: Sequence[Option], chosen: Mapping[str, Json]) -> bool:
    """Whether one of the chosen values is offered at live tables only."""
    return any(
        choice.live and option.name in chosen and _same(choice.value, chosen[option.name])
        for option in options
        for choice in option.choices
    )


def written(value: Json) -> str:
    """A value as a command line writes it: `on`, `off`, `none`, a number or a word."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _value(option: Option, given: Mapping[str, Json], live: bool) -> Json:
    value = given.get(option.name, option.default)
    for choice in option.choices:
        if _same(choice.value, value):
            return _unless_live(option, choice, live)
    raise BadOption(option.name, "must be one of " + ", ".join(written(choice.value) for choice in option.choices))


def _unless_live(option: Option, choice: Choice, live: bool) -> Json:
    if choice.live and not live:
        raise BadOption(option.name, f"{written(choice.value)} is offered at live tables only")
    return choice.value


def _same(one: Json, other: Json) -> bool:
    """True == 1 in Python, but an option that is on is no number."""
    return type(one) is type(other) and bool(one == other)
