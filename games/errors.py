"""Refusals: what was asked for cannot be done. Nothing has changed when one of these is raised (reliability.md 6)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.engine.contract import Phrase
from games.phrases import Reader


class Refused(Exception):
    """A refusal with the HTTP status it has at every door, a code for programs and a sentence for people.

    `number` is the last event number of the match, None where there is no match to tell of.
    """

    status = 422
    code = "refused"
    detail: object = _("That cannot be done.")

    def __init__(self, detail: object = None, *, number: int | None = None) -> None:
        self.detail = detail or type(self).detail
        self.number = number
        super().__init__(self.code)


class NotFound(Refused):
    """Unknown, or not yours: the same answer for both."""

    status = 404
    code = "not_found"
    detail = _("There is nothing here for you.")


class WrongCode(NotFound):
    """Wrong, altered or expired code, or a full table: one and the same answer (C34)."""

    code = "wrong_code"
    detail = _("No table answers to this code. It may have expired, or the table is full.")


class Malformed(Refused):
    status = 400
    code = "malformed"
    detail = _("This request could not be read.")


class Stale(Refused):
    """The board has moved on since the request was made."""

    status = 409
    code = "stale"
    detail = _("The table has changed meanwhile. Here is how it stands now.")


class NotYourTurn(Stale):
    code = "not_your_turn"
    detail = _("It is not your turn.")


class Over(Stale):
    code = "over"
    detail = _("This match is over.")


class Lapsed(Stale):
    """The move came after the deadline and its grace; the club has played."""

    code = "lapsed"
    detail = _("The time for this turn was over, so the club played for you. Here is how the table stands.")


class KeyReused(Stale):
    code = "key_reused"
    detail = _("This move was already sent with other content.")


class Taken(Stale):
    """Somebody was quicker, or the seat is not free."""

    code = "taken"
    detail = _("This seat is taken.")


class AgainstRules(Refused):
    """The rules do not allow the move; the phrase says why, in the language of whoever asked."""

    code = "against_the_rules"

    def __init__(self, phrase: Phrase, *, number: int | None = None) -> None:
        super().__init__(Reader().say(phrase), number=number)
