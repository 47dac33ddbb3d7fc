"""What a title offers to the club, and the few types both sides share.

A *title* is a package under `games/titles/` whose module satisfies `Title`: plain functions over frozen
dataclasses. The club knows titles through this page alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

Seat = int
"""A numbered place, 0 to 3 clockwise."""

Move = str
"""What a member chooses, as the match record writes it: `25@R`, `draw`, `pass`, `throw`, `keep 1 1 5`, `bank`."""

State = Any
"""A title's own immutable value: the position. Only the title looks inside."""

View = Any
"""A title's own frozen dataclass: all that one seat may know. Its fields are read by templates and by `codec.plain`."""

Json = Any
"""A value that JSON can write: None, bool, int, str, list, dict."""


def gettext_noop(message: str) -> str:
    """Mark an English sentence for the catalogues; the translation happens where a reader's language is known."""
    return message


@dataclass(frozen=True, slots=True)
class SeatName:
    """Stands in a phrase for the name of whoever sits at `seat`."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SideName:
    """Stands in a phrase for the names of a side: one seat, or two partners."""

    side: int


@dataclass(frozen=True, slots=True)
class Tiles:
    """Stands in a phrase for tiles such as `("25", "33")`, spoken in the reader's language."""

    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """Stands in a phrase for another marked sentence that is translated before it is put in."""

    text: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Stands in a phrase for an addition such as `3 + 2 + 12 (double 6)`: numbers, with the double that counts so."""

    terms: tuple[tuple[int, str | None], ...]


Value = int | str | SeatName | SideName | Tiles | Word | Sum


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence for people: an English message id with `{placeholders}`, and their values.

    Sentences never bend to a number or a name ("Tiles left: 5", not "5 tiles left"), so no plural is needed.
    """

    text: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event:
    """A fact of a match as a title tells it, before the store numbers it.

    `payload` is public. `secret` holds what only some seats may know, keyed by seat ("0" to "3") or "club",
    and is published when the round it belongs to ends (match record, "Events").
    """

    kind: str
    seat: Seat | None = None
    payload: Mapping[str, Json] = field(default_factory=dict)
    secret: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. `winners` are sides; `places` and `scores` are by side, equal places share a number."""

    winners: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


class IllegalMove(ValueError):
    """A move the rules do not allow here. `reason` is a sentence for the member; nothing has changed."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(reason.text)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Window:
    """Two spans of `seconds` each after the last event, for a claim: the seats of `first` may act in the first, those
    of `then` from the second on. When both have passed, the club acts for `owner` as if its turn had lapsed, without
    blame. `then` may be empty: then there is only the first.
    """

    owner: Seat
    seconds: int
    first: frozenset[Seat]
    then: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class Choice:
    """One value an option may take, and its label (an English message id). `live`: at live tables only."""

    value: Json
    label: str
    live: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a rules page. An option with a single choice is fixed and is shown, not asked.

    `seats` limits it to some seat counts (teams exist with four); it is left out of the options elsewhere.
    """

    name: str
    label: str
    help: str
    choices: tuple[Choice, ...]
    default: Json
    seats: tuple[int, ...] = (2, 3, 4)


class Chance(Protocol):
    """Where deals, dice and lots come from (fairness.md 4). An epoch is a round of dominoes or a turn at dice."""

    def deal(self, epoch: int, attempt: int) -> tuple[str, ...]:
        """The 28 tiles in their order: hands first, seat by seat, then the boneyard."""

    def dice(self, epoch: int, throw: int, count: int) -> tuple[int, ...]:
        """`count` faces, in the order thrown; `throw` counts from 0 within the turn."""

    def lot(self, epoch: int, seats: int) -> Seat:
        """A seat drawn by lot."""


Shuffle = Callable[[list[Any]], None]
"""Shuffles a list in place; handed in by tests, because titles own no randomness."""


class Title(Protocol):
    """A kind of game. A module with these names is a title (architecture.md 4)."""

    SLUG: str
    """Folder name and address, `kozel`."""
    RULESET: str
    """Names the version of the rules for ever, `kozel/1`. Changed rules need a new one."""
    NAME: str
    """English message id."""
    SEATS: tuple[int, ...]
    OPTIONS: tuple[Option, ...]
    OPENS: frozenset[str]
    """Kinds of event that open a round and carry all that is carried over; a position is folded from the last one."""
    CLOSES: frozenset[str]
    """Kinds of event after which the secrets of the running round are public."""
    LOW_WINS: bool
    """Whether the lowest score is the best (penalties)."""

    def sides(self, options: Mapping[str, Json]) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each side; a side owns a score."""

    def initial(self, options: Mapping[str, Json]) -> State:
        """The position before the first event."""

    def setup(self, options: Mapping[str, Json], chance: Chance) -> tuple[Event, ...]:
        """`match_started` and what opens the first round."""

    def evolve(self, state: State, event: Event) -> State:
        """The position after `event`. Total: kinds of the match itself (lapsed, resigned, ...) change nothing."""

    def to_act(self, state: State) -> frozenset[Seat]:
        """Who may act; empty when the match is over, several while a claim window is open."""

    def window(self, state: State) -> Window | None:
        """The claim window that is open; it limits when each seat of `to_act` may act. None: there is none."""

    def legal_moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Every move `decide` would take from this seat now, sorted; empty when it is not to act."""

    def decide(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
        """The facts that follow from a move: first the move itself, or the points it burns. Raises IllegalMove."""

    def forced_move(self, state: State, seat: Seat) -> Move | None:
        """The move when the rules leave no choice and playing it tells nothing about a hidden hand."""

    def absent(self, state: State, seat: Seat, chance: Chance) -> tuple[Event, ...]:
        """What the club does for a seat whose turn has lapsed (time.md 2)."""

    def scores(self, state: State) -> tuple[int, ...]:
        """The score of each side as it stands."""

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended by its own rules; None while it runs."""

    def view(self, state: State, seat: Seat | None) -> View:
        """All that a seat (None: a spectator) may know, and nothing else."""

    def describe(self, event: Event) -> tuple[Phrase, ...]:
        """What happened, for history, mail and screen reader. Tells of secrets only what `event.secret` holds."""

    def explain(self, state: State, event: Event) -> tuple[Phrase, ...]:
        """Why it came to the numbers of `event`, which happened in position `state`; empty where nothing was counted.

        Tells nothing that is not public once the event has happened.
        """

    def label(self, state: State, seat: Seat, move: Move) -> Phrase:
        """A legal move in words, for its button."""

    def bot(self, view: View, moves: tuple[Move, ...]) -> Move:
        """What a bot in this seat plays, from what the seat may know alone."""

    def resample(self, state: State, seat: Seat | None, shuffle: Shuffle) -> State:
        """A position that `seat` cannot tell from this one: what it cannot know is reshuffled. For tests."""
