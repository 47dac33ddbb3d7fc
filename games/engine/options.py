"""Reading a title's options: typed, complete, refused by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.engine.contract import Json, Option


class BadOption(ValueError):
    """An unknown option, or a value the option does not have. `name` is the option."""

    def __init__(self, name: str) -> None:
        super().__init__(f"unknown option or value: {name}")
        self.name = name


def complete(options: Sequence[Option], seats: int, given: Mapping[str, Json]) -> dict[str, Json]:
    """Every option of the title that applies to this seat count, with its value, in the order of the rules page.

    `players` is always the first. Raises BadOption for a name or a value that is not offered.
    """
    offered = {option.name: option for option in options if seats in option.seats}
    for name in given:
        if name not in offered and name != "players":
            raise BadOption(name)
    if given.get("players", seats) != seats:
        raise BadOption("players")
    return {"players": seats} | {name: _value(option, given) for name, option in offered.items()}


def _value(option: Option, given: Mapping[str, Json]) -> Json:
    value = given.get(option.name, option.default)
    for choice in option.choices:
        # True == 1 in Python, but an option that is on is no number.
        if type(choice.value) is type(value) and choice.value == value:
            return value
    raise BadOption(option.name)
