"""Forms about oneself. Their errors say what to do."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from club.members import selectors, services
from club.members.folding import fold
from club.members.models import Member
from club.members.text import BadText, clean_name


class NameField(forms.CharField):
    """A display name by the rules of text.py; whether it is free is asked by the form."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Name"))
        kwargs.setdefault("help_text", _("Everybody at the table sees it. At most 24 letters."))
        super().__init__(strip=False, **kwargs)
        self.widget.attrs |= {"autocomplete": "username", "autocapitalize": "off", "spellcheck": "false"}

    def clean(self, value: Any) -> str:
        try:
            return clean_name(super().clean(value))
        except BadText as bad:
            raise ValidationError(str(bad.message), code=bad.reason) from bad


class AddressField(forms.EmailField):
    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Mail address"))
        super().__init__(**kwargs)
        self.widget.attrs |= {"autocomplete": "email"}

    def clean(self, value: Any) -> str:
        address = super().clean(value)
        if len(fold(address)) > 254:
            raise ValidationError(_("Please check the mail address."))
        return address


class PasswordField(forms.CharField):
    """A password as it is, blanks at the ends included. `new`: one that is being chosen."""

    def __init__(self, *, new: bool = False, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Password"))
        widget = forms.PasswordInput(attrs={"autocomplete": "new-password" if new else "current-password"})
        super().__init__(strip=False, widget=widget, **kwargs)
        self.new = new

    def clean(self, value: Any) -> str:
        password = super().clean(value)
        if self.new:
            validate_password(password)
        return password


def new_password() -> PasswordField:
    return PasswordField(new=True, label=_("New password"), help_text=_("At least 10 characters."))


class SignUpForm(forms.Form):
    name = NameField()
    email = AddressField(
        required=False,
        help_text=_("If you like: without one a forgotten password cannot be replaced. Nobody sees it."),
    )
    password = PasswordField(new=True, help_text=_("At least 10 characters."))
    zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, guest: Member | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.guest = guest

    def clean_name(self) -> str:
        return _free(self.cleaned_data["name"], self.guest)


class SignInForm(forms.Form):
    login = forms.CharField(
        label=_("Name or mail address"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "off", "spellcheck": "false"}),
    )
    password = PasswordField()


class AskResetForm(forms.Form):
    email = AddressField()


class NewPasswordForm(forms.Form):
    """The second half of a reset: takes the place of Django's SetPasswordForm."""

    password = new_password()

    def __init__(self, user: Member, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def save(self) -> Member:
        services.reset_password(self.user, self.cleaned_data["password"])
        return self.user


class OwnForm(forms.Form):
    """A form about the member who fills it in."""

    def __init__(self, member: Member, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.member = member

    def check_password(self) -> str:
        password = self.cleaned_data["password"]
        if not self.member.check_password(password):
            raise ValidationError(_("This is not your present password. Please try again."))
        return password


class NameForm(OwnForm):
    name = NameField()

    def clean_name(self) -> str:
        return _free(self.cleaned_data["name"], self.member)


class ZoneForm(OwnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = dict.fromkeys([self.member.time_zone, *services.zones()])
        self.fields["zone"] = forms.ChoiceField(
            label=_("Time zone"), choices=[(name, name.replace("_", " ")) for name in names]
        )


class AddressForm(OwnForm):
    """Guests have no password to ask for."""

    email = AddressField()
    password = PasswordField(label=_("Present password"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.member.is_guest:
            del self.fields["password"]

    def clean_password(self) -> str:
        return self.check_password()


class PasswordForm(OwnForm):
    password = PasswordField(label=_("Present password"))
    new = new_password()

    def clean_password(self) -> str:
        return self.check_password()


def _free(name: str, but: Member | None) -> str:
    if not selectors.is_free(name, but):
        bad = BadText("taken")
        raise ValidationError(str(bad.message), code=bad.reason)
    return name
