"""The form of a kind word."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from club.afterwords.phrases import PHRASES


class AfterwordForm(forms.Form):
    """A phrase, own words, or both; the service says whether that will do."""

    phrase = forms.ChoiceField(label=_("A ready-made phrase"), choices=[("", "—"), *PHRASES.items()], required=False)
    text = forms.CharField(
        label=_("Own words"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"})
    )
