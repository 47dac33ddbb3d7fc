"""The trainer of All Fives: what do the open ends come to, and where does a tile bring most (section 7)?"""

from __future__ import annotations

from games.engine.fives import HUB_COUNT_OPTION
from games.engine.quiz import Question, open_end_question


def question(number: int) -> Question:
    """Question `number`; the closed spinner counts as usual."""
    return open_end_question("allfives", number, HUB_COUNT_OPTION.default)
