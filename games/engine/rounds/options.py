"""What every domino table may be asked (domino-common 3 and 18)."""

from __future__ import annotations

from games.engine.contract import Choice, Option, gettext_noop

TEAMS = Option(
    "teams",
    gettext_noop("Teams"),
    gettext_noop("Partners sit opposite and share one score."),
    (Choice(True, gettext_noop("Two against two")), Choice(False, gettext_noop("Each alone"))),
    default=True,
    seats=(4,),
)

ROUND_LIMIT = Option(
    "round_limit",
    gettext_noop("Rounds"),
    gettext_noop("A short match ends after this many rounds; the best score then wins."),
    (Choice(1, "1"), Choice(3, "3"), Choice(5, "5"), Choice(None, gettext_noop("No limit"))),
    default=None,
)
