"""A bot that plays Kozel from what its seat may know."""

from __future__ import annotations

from games.engine.contract import Move
from games.engine.dominoes import PIPS, fits, is_double, read_placement
from games.engine.rounds.bot import ends_after
from games.engine.rounds.view import View

# Left alone these cost 25 and 50, so they are shed as if they weighed more than their pips.
_DANGER = {"00": 8, "66": 18}


def bot(view: View, moves: tuple[Move, ...]) -> Move:
    """Sheds heavy tiles and doubles early, and keeps ends open that the rest of the hand fits."""
    return max(moves, key=lambda move: _liking(view, move))


def _liking(view: View, move: Move) -> int:
    placement = read_placement(move)
    if placement is None:
        return 0
    tile, _ = placement
    rest = [held.tile for held in view.hand if held.tile != tile]
    answers = sum(fits((other,), ends_after(view, (placement,)).values()) for other in rest)
    return _DANGER.get(tile, PIPS[tile]) + 3 * is_double(tile) + 2 * answers
