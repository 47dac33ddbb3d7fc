"""What a page asks of who opens a table."""

from __future__ import annotations

from types import SimpleNamespace

from games.engine.contract import Choice, Option
from games.forms import TableForm

TITLE = SimpleNamespace(
    OPTIONS=(
        Option("claims", "Claims", "", (Choice("auto", "By itself"), Choice("strict", "By hand", live=True)), "auto"),
        Option("target", "Target", "", (Choice(101, "101"),), 101),
        Option("seconds", "Seconds", "", (Choice(3, "3"), Choice(5, "5"), Choice(10, "10", live=True)), 5),
        Option("teams", "Teams", "", (Choice(True, "On"), Choice(False, "Off")), True, seats=(4,)),
    )
)


def test_a_day_table_is_not_asked_about_what_needs_a_clock_of_seconds() -> None:
    form = TableForm(TITLE, 2)
    assert [(option.name, [choice.value for choice in option.choices]) for option in form.fixed] == [("target", [101])]
    assert [(option.name, [choice.value for choice in option.choices]) for option in form.asked] == [
        ("seconds", [3, 5])
    ]
    given = {"turn_hours": "24", "is_private": "no", "seconds": "10"}
    assert not TableForm(TITLE, 2, given).is_valid()
    assert TableForm(TITLE, 2, {**given, "seconds": "5"}).is_valid()
