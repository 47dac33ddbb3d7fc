"""All Fives: what its rules page says beyond what it shares with Telefon (All Fives rules, sections 2 to 8)."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine import fives
from games.engine.contract import Event, Seat
from games.engine.dominoes import Layout, Tile, is_double, open_sum, points, weight
from games.engine.rounds import position
from games.engine.rounds.position import Game, Hands

FORCED, FREE = "forced", "free"
AUTO, STRICT = "auto", "strict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(fives.Options):
    """The options of a table, typed (section 12). `claim_seconds` is the length of each span of a claim window."""

    first_lead: str
    muggins: str
    claim_seconds: int

    @property
    def strict(self) -> bool:
        """Whether points wait for a claim."""
        return self.muggins == STRICT


Table = position.State[Options]
"""A position without its claim."""


def first_lead(options: Options, hands: Hands) -> tuple[Seat, Tile | None]:
    """Who opens the first round, and with which tile; None where any will do (section 4)."""
    holders = {tile: seat for seat, hand in enumerate(hands) for tile in hand}
    heaviest = max(filter(is_double, holders), key=weight, default=None) or max(holders, key=weight)
    return holders[heaviest], None if options.first_lead == FREE else heaviest


def score(table: Table, layout: Layout) -> tuple[int, int]:
    """The open sum, and what is written for it at once (sections 7 and 8)."""
    options = table.round.options
    total = open_sum(layout, options.hub_count)
    return total, 0 if options.strict else points(total)


def waits(options: Options, event: Event) -> bool:
    """Whether the points of a move wait for a claim (section 8)."""
    return options.strict and points(event.payload["sum"]) > 0


GAME: Game[Options] = Game(
    options=Options,
    hand_size={2: 7, 3: 6, 4: 5},
    first_lead=first_lead,
    score=score,
    settle=fives.settle,
    hub_count=fives.hub_count,
    ends_at_once=fives.ends_at_once,
    waits=waits,
)
