"""The forms of complaining and of answering. Services judge what is in them."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from club.moderation.models import Category, Ruling


class ComplaintForm(forms.Form):
    category = forms.ChoiceField(label=_("What is it about?"), choices=Category.choices, widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("What happened?"),
        help_text=_("In your own words, at most 1000 signs."),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
    )


class AnswerForm(forms.Form):
    decision = forms.ChoiceField(label=_("Decision"), choices=Ruling.Decision.choices, widget=forms.RadioSelect)
    reasons = forms.CharField(
        label=_("Reasons"),
        help_text=_("Everybody who complained reads this, and nobody else. Name nobody, and quote no complaint."),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
    )
