"""Forms of the pages: they read what a browser sends and say what is wrong with it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from games import titles
from games.engine.contract import Choice, Json, Option, Title
from games.engine.options import is_told
from games.selectors import same_value
from games.services import TURN_HOURS


class MoveForm(forms.Form):
    """A move as the match page sends it."""

    move = forms.CharField(max_length=100)
    seen = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    key = forms.RegexField(r"\A[A-Za-z0-9-]{8,64}\Z")


class CodeForm(forms.Form):
    code = forms.CharField(
        max_length=64,
        label=gettext_lazy("Room code"),
        help_text=gettext_lazy("Eight letters and digits. Small letters and blanks do no harm."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )


def _hours() -> list[tuple[int, str]]:
    """The times for a move, in the language of whoever asks."""
    return [(hours, gettext("%(count)d h") % {"count": hours}) for hours in TURN_HOURS]


class TableForm(forms.Form):
    """A new table of one title: seats, options, pace."""

    turn_hours = forms.TypedChoiceField(
        coerce=int,
        initial=24,
        choices=_hours,
        widget=forms.RadioSelect,
        label=gettext_lazy("Time for a move"),
        help_text=gettext_lazy("One deadline for the whole turn, however many tiles or throws it takes."),
    )
    is_private = forms.TypedChoiceField(
        coerce=lambda value: value == "yes",
        initial="no",
        choices=[("no", gettext_lazy("Anyone may sit down")), ("yes", gettext_lazy("Only with a room code or link"))],
        widget=forms.RadioSelect,
        label=gettext_lazy("Who may come"),
    )

    def __init__(self, title: Title, size: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        told = [option for option in title.OPTIONS if size in option.seats and is_told(option, live=False)]
        offered = [_by_day(option) for option in told]
        self.asked = [option for option in offered if len(option.choices) > 1]
        self.fixed = [option for option in offered if len(option.choices) == 1]
        for option in self.asked:
            self.fields[option.name] = _field(option)

    def asked_fields(self) -> list[forms.BoundField]:
        """The options there is something to choose of, in the order of the rules page."""
        return [self[option.name] for option in self.asked]

    def options(self) -> dict[str, Any]:
        """The chosen options with their typed values."""
        return {option.name: json.loads(self.cleaned_data[option.name]) for option in self.asked}


def _by_day(option: Option) -> Option:
    """The option as a day table has it: some choices ask for a clock of seconds."""
    return replace(option, choices=tuple(choice for choice in option.choices if not choice.live))


def _field(option: Option) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=[(json.dumps(choice.value), _choice(choice, option.default)) for choice in option.choices],
        initial=json.dumps(option.default),
        widget=forms.RadioSelect,
        label=gettext(option.label),
        help_text=gettext(option.help),
    )


def _choice(choice: Choice, default: Json) -> str:
    label = gettext(choice.label)
    return gettext("%(choice)s (usual)") % {"choice": label} if same_value(choice.value, default) else label


def title_and_size(data: Any) -> tuple[Title, int]:
    """The title and seat count a page asks for; the first of each when it asks for none. Raises KeyError."""
    title = titles.get(data.get("title", titles.slugs()[0]))
    size = data.get("size", "")
    if size and size not in map(str, title.SEATS):
        raise KeyError(size)
    return title, int(size) if size else title.SEATS[0]
