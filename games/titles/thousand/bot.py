"""The bot of dice Thousand: it looks one throw ahead and takes what is worth more on average."""

from __future__ import annotations

from games.engine.contract import Move
from games.engine.dice import FACES
from games.titles.thousand import scoring
from games.titles.thousand.scoring import ALL
from games.titles.thousand.view import Keep, ThousandView

Worth = tuple[bool, int]
"""Whether the match is won, and mean points times `_SCALE`, so that all sums stay whole."""

_SCALE: int = len(FACES) ** ALL


def bot(view: ThousandView, moves: tuple[Move, ...]) -> Move:
    """The move with the best prospects among `moves`, of which there is at least one."""
    if view.keeps:
        return max(view.keeps, key=lambda keep: _after(view, keep)).move
    throwing = _throwing(view, view.turn_points, view.next_dice)
    return "bank" if "bank" in moves and _banking(view, view.turn_points) >= throwing else "throw"


def _after(view: ThousandView, keep: Keep) -> Worth:
    return max(_banking(view, keep.turn_points), _throwing(view, keep.turn_points, keep.next_dice))


def _banking(view: ThousandView, points: int) -> Worth:
    if points < view.minimum:
        return False, 0
    return view.totals[view.turn_seat] + points >= view.target, points * _SCALE


def _throwing(view: ThousandView, points: int, count: int) -> Worth:
    throws: int = len(FACES) ** count
    kept = points * (throws - scoring.busts(count))
    return False, (kept + scoring.gains(count, view.five_of_a_kind)) * (_SCALE // throws)
