"""The trainer of dice Thousand: which dice of a throw bring most (thousand rules, section 4)?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.engine.contract import Move, Phrase, gettext_noop
from games.engine.dice import FACES, Dice, parts
from games.engine.quiz import Answer, Draws, Question
from games.titles.thousand.rules import show
from games.titles.thousand.scoring import ALL, STRAIGHTS, Selection, keep, selections
from games.titles.thousand.words import DOUBLE, HOT

FIVE_OF_A_KIND = 4
"""As usual; a table may agree on more."""


def question(number: int) -> Question:
    """Question `number`: a throw with a choice in it, every second time with a set or a straight."""
    draws = Draws("thousand", number)
    while True:
        dice = tuple(1 + draws.below(6) for _ in range(ALL))
        found = selections(dice, FIVE_OF_A_KIND)
        if len(found) > 1 and (number % 2 or _is_rich(dice)):
            break
    best = max(selection.value for selection in found.values())
    by_value = sorted(found.values(), key=lambda selection: (-selection.value, -selection.next_dice))
    taken = [_taken(selection, found, best) for selection in by_value]
    refused = [_refused(part, found) for part in parts(dice) if keep(part) not in found]
    return Question(Phrase(gettext_noop("Which dice bring the most points?")), (*taken, *refused), dice=dice)


def _is_rich(dice: Dice) -> bool:
    return tuple(sorted(dice)) in STRAIGHTS or any(dice.count(face) >= 3 for face in FACES)


def _taken(selection: Selection, found: Mapping[Move, Selection], best: int) -> Answer:
    result = Phrase(
        gettext_noop("{points}, dice for the next throw: {count}"),
        {"points": selection.value, "count": selection.next_dice},
    )
    return Answer(*_named(selection.dice), selection.value == best, tuple(_counted(selection, found)), result)


def _refused(part: Dice, found: Mapping[Move, Selection]) -> Answer:
    """A part that is no selection, because of the dice that bring nothing."""
    idle = tuple(face for group in _groups(part) if keep(group) not in found for face in group)
    why = Phrase(gettext_noop("These bring nothing, so they cannot be set aside: {dice}."), {"dice": show(idle)})
    return Answer(*_named(part), False, (why,))


def _named(dice: Dice) -> tuple[str, Phrase]:
    return " ".join(map(str, dice)), Phrase("{dice}", {"dice": show(dice)})


def _counted(selection: Selection, found: Mapping[Move, Selection]) -> Iterator[Phrase]:
    groups = [selection.dice] if selection.dice in STRAIGHTS else _groups(selection.dice)
    for group in groups:
        points = found[keep(group)].value
        yield Phrase(gettext_noop("{dice}: {points}."), {"dice": show(group), "points": points})
    if len(groups) > 1:
        yield Phrase(gettext_noop("Together: {points}."), {"points": selection.value})
    if selection.bonus:
        yield Phrase({"hot": HOT, "double": DOUBLE}[selection.bonus])


def _groups(dice: Dice) -> list[Dice]:
    """The equal dice together: apart from the straights, dice of different faces score apart."""
    return [(face,) * dice.count(face) for face in FACES if face in dice]
