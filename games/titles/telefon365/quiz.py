"""The trainer of Telefon 365: what do the open ends come to, and where does a tile bring most (section 7)?"""

from __future__ import annotations

from games.engine.quiz import Question, open_end_question


def question(number: int) -> Question:
    """Question `number`; the closed telephone counts nothing."""
    return open_end_question("telefon365", number, "zero")
