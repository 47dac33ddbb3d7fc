"""Readers of a match that know the rules pages alone: they keep up what each event says, and object to what cannot be.

They share no arithmetic with the engine. What only one title knows (re-deals, the count of a round, who leads) is not
theirs: the readers of whole records know it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple, Protocol

from games.engine.contract import Chance, Event, Json, Seat, State, Title

TILES = [f"{low}{high}" for low in range(7) for high in range(low, 7)]

Dice = tuple[int, ...]


class Ledger(Protocol):
    """What has happened so far, by the events."""

    rounds: int
    """Rounds that are over; at dice each seat has one turn in a round."""

    def enter(self, event: Event) -> None:
        """Read the next event. Fails at the first wrong fact."""

    def compare(self, title: Title, state: State) -> None:
        """Fails unless the position shows the same."""


def open_ledger(title: Title, options: Mapping[str, Json], chance: Chance) -> Ledger:
    """The ledger for a match of `title`; `chance` tells again what was dealt or thrown."""
    if "dealt" in title.OPENS:
        return TileLedger(PAGES[title.SLUG], options, title.sides(options), chance)
    return DiceLedger(options, chance)


# Dominoes.


class Page(NamedTuple):
    """Where the pages of the domino games differ (domino-common 4, 7 and 12)."""

    hands: Mapping[int, int]
    """Tiles in a hand, by the number of players."""
    hub: bool = True
    """Whether the first closed double is a hub; without one nothing is counted during a round."""
    reserve: int = 0
    """Tiles at the end of the boneyard that nobody takes."""
    several: bool = False
    """Whether a move may be of several doubles."""


SEVEN = {2: 7, 3: 7, 4: 7}

PAGES = {
    "telefon365": Page(SEVEN, reserve=1, several=True),
    "kozel": Page(SEVEN, hub=False),
    "telefon": Page(SEVEN),
    "allfives": Page({2: 7, 3: 6, 4: 5}),
}

HUB_COUNTS_UNTIL = {"zero": 0, "until_first_side_arm": 1, "until_both_side_arms": 2}
"""The number of side arms at which a closed hub counts no more."""


def pips(tile: str) -> int:
    return int(tile[0]) + int(tile[1])


def is_double(tile: str) -> bool:
    return tile[0] == tile[1]


def fits(tiles: Sequence[str], wanted: Mapping[str, str]) -> bool:
    return any(face in tile for face in wanted.values() for tile in tiles)


class Layout:
    """The tiles on the table, each written as it lies: the line from left to right, the arms from the hub outwards."""

    def __init__(self, with_hub: bool) -> None:
        self.with_hub = with_hub
        self.line: list[str] = []
        self.hub: str | None = None
        self.arms: dict[str, list[str]] = {"U": [], "D": []}

    def tiles(self) -> list[str]:
        return [min(tile, tile[::-1]) for tile in chain(self.line, *self.arms.values())]

    def outermost(self) -> dict[str, str]:
        """The tile at each end on which something lies, written outwards."""
        ends = {"L": self.line[0][::-1], "R": self.line[-1]} if self.line else {}
        return ends | {end: arm[-1] for end, arm in self.arms.items() if arm}

    def wanted(self) -> dict[str, str]:
        """The face that each playable end wants."""
        empty = dict.fromkeys(self.arms, self.hub) if self.hub else {}
        return {end: tile[1] for end, tile in (empty | self.outermost()).items()}

    def lay(self, tile: str, end: str | None) -> None:
        if end is None:
            assert not self.line
            self.line = [tile]
            return
        face = self.wanted()[end]
        assert face in tile, "the tile carries what the end wants"
        outwards = tile if tile[0] == face else tile[::-1]
        touched = self.outermost().get(end, self.hub)
        assert touched is not None
        assert not (is_double(tile) and is_double(touched)), "two doubles are never adjacent"
        if end in self.arms:
            self.arms[end].append(outwards)
        else:
            self.line = [outwards[::-1], *self.line] if end == "L" else [*self.line, outwards]
            # A tile of the line is closed by its second neighbour.
            if self.with_hub and self.hub is None and is_double(touched) and len(self.line) > 2:
                self.hub = touched
        if is_double(tile):
            assert self.wanted()[end] == face, "a double leaves the value wanted there unchanged"

    def total(self, hub_count: str) -> int:
        """`S` (domino-common 7)."""
        if len(self.line) < 2:
            return sum(map(pips, self.line))
        counted = sum(pips(tile) if is_double(tile) else int(tile[1]) for tile in self.outermost().values())
        started = sum(1 for arm in self.arms.values() if arm)
        counts = self.hub is not None and started < HUB_COUNTS_UNTIL[hub_count]
        return counted + (pips(self.hub) if self.hub and counts else 0)

    def check(self) -> None:
        """The facts of domino-common 8 about a layout."""
        assert len(self.wanted()) == (4 if self.hub else 2 if self.line else 0)
        assert all(0 <= self.total(count) <= 36 for count in HUB_COUNTS_UNTIL)
        if self.total("zero") >= 35:
            self.check_the_greatest()

    def check_the_greatest(self) -> None:
        """35 and 36 arise in one way only."""
        ends = self.outermost().values()
        doubles = sorted(tile for tile in ends if tile in ("44", "55", "66"))
        (fourth,) = [tile for tile in ends if tile not in doubles]
        assert doubles == ["44", "55", "66"]
        if self.total("zero") == 35:
            assert not is_double(fourth)
            assert fourth[1] == "5"
        else:
            assert fourth == "33" or fourth[1] == "6"


class TileLedger:
    """Where each tile is, and what each side has. Starts before the first event."""

    def __init__(
        self, page: Page, options: Mapping[str, Json], sides: Sequence[Sequence[Seat]], chance: Chance
    ) -> None:
        self.page, self.options, self.sides, self.chance = page, options, sides, chance
        self.players = options["players"]
        self.rounds = 0
        self.number, self.attempt = 0, 0
        self.hands: list[list[str]] = []
        self.boneyard: list[str] = []
        self.layout = Layout(page.hub)
        self.scores = [0] * len(sides)
        self.waiting = 0
        """Points that nobody has claimed yet."""
        self.due: set[str] | None = {"match_started"}
        """The kinds that may come next, where that is known."""

    def enter(self, event: Event) -> None:
        assert self.due is None or event.kind in self.due
        self.due = None
        getattr(self, f"_{event.kind}")(event)
        if self.hands:
            self._check()

    def compare(self, title: Title, state: State) -> None:
        for seat in range(self.players):
            assert sorted(held.tile for held in title.view(state, seat).hand) == sorted(self.hands[seat])
        assert title.scores(state) == tuple(self.scores)

    def _check(self) -> None:
        everywhere = [*chain(*self.hands), *self.boneyard, *self.layout.tiles()]
        assert sorted(everywhere) == TILES
        assert sum(map(pips, everywhere)) == 168
        self.layout.check()

    def _match_started(self, event: Event) -> None:
        self.due = {"dealt"}

    def _dealt(self, event: Event) -> None:
        told, size = event.payload, self.page.hands[self.players]
        assert (told["round"], told["attempt"]) == (self.number + (self.attempt == 0), self.attempt)
        assert told["scores"] == self.scores
        self.number = told["round"]
        self.hands = [list(event.secret[str(seat)]) for seat in range(self.players)]
        self.boneyard = list(event.secret["club"])
        self.layout = Layout(self.page.hub)
        assert [*chain(*self.hands), *self.boneyard] == list(self.chance.deal(self.number, self.attempt))
        assert {len(hand) for hand in self.hands} == {size}
        assert len(self.boneyard) == 28 - size * self.players

    def _redealt(self, event: Event) -> None:
        told = event.payload
        assert (told["round"], told["attempt"]) == (self.number, self.attempt)
        assert not self.layout.line, "a deal is void before its first tile lies"
        assert 0 <= told["seat"] < self.players
        assert told["tile"] is None or told["tile"] in self.hands[told["seat"]]
        self.attempt += 1
        self.due = {"dealt"}

    def _drew(self, event: Event) -> None:
        hand, taken = self._hand(event), event.secret[str(event.seat)]
        wanted = self.layout.wanted()
        assert len(taken) == event.payload["count"] > 0
        assert taken == self.boneyard[: len(taken)]
        assert not fits([*hand, *taken[:-1]], wanted), "no draw with a tile that fits"
        hand += taken
        del self.boneyard[: len(taken)]
        assert len(self.boneyard) == event.payload["boneyard"] >= self.page.reserve
        assert fits(taken, wanted) or len(self.boneyard) == self.page.reserve, "the draw goes on until a tile fits"

    def _passed(self, event: Event) -> None:
        assert not fits(self._hand(event), self.layout.wanted())
        assert len(self.boneyard) <= self.page.reserve

    def _played(self, event: Event) -> None:
        told, hand = event.payload, self._hand(event)
        assert not self.waiting, "points are claimed or burnt before the next tile"
        for tile, end in told["tiles"]:
            hand.remove(tile)
            self.layout.lay(tile, end)
        wanted = {end: int(face) for end, face in self.layout.wanted().items()}
        assert told["ends"] == wanted
        assert list(told["ends"]) == [end for end in "LRUD" if end in wanted]
        total = self.layout.total(self.options.get("hub_count", "zero")) if self.page.hub else 0
        assert told["sum"] == total
        self._score(event, total if total % 5 == 0 else 0)
        if len(told["tiles"]) > 1:
            assert self.page.several
            assert all(is_double(tile) for tile, _ in told["tiles"])
            assert told["points"] > 0

    def _score(self, event: Event, worth: int) -> None:
        """Opening tiles may bring nothing; in strict Muggins nothing is written before it is claimed."""
        told = event.payload
        if self.options.get("muggins") == "strict":
            assert told["points"] == 0
            self.waiting = worth
        else:
            opening = told["tiles"][0][1] is None
            assert told["points"] in ((0, worth) if opening else (worth,))
        self._write(event, told["points"])

    def _claimed(self, event: Event) -> None:
        assert event.payload["points"] == self.waiting > 0
        self._write(event, self.waiting)
        self.waiting = 0

    def _burnt(self, event: Event) -> None:
        assert event.payload["points"] == self.waiting > 0
        self._write(event, 0)
        self.waiting = 0

    def _write(self, event: Event, points: int) -> None:
        (side,) = [side for side, seats in enumerate(self.sides) if event.seat in seats]
        self.scores[side] += points
        assert event.payload["scores"] == self.scores

    def _round_ended(self, event: Event) -> None:
        told = event.payload
        assert not self.waiting
        assert told["round"] == self.number
        assert told["hands"] == self.hands
        if told["how"] == "out":
            assert not self.hands[told["seat"]]
        if told["how"] == "blocked":
            drawable = self.boneyard[: max(0, len(self.boneyard) - self.page.reserve)]
            assert not fits([*chain(*self.hands), *drawable], self.layout.wanted())
        self.scores = [score + written for score, written in zip(self.scores, told["written"], strict=True)]
        assert told["scores"] == self.scores
        self.rounds += 1
        self.attempt = 0
        self.due = set() if told["leader"] is None else {"dealt"}

    def _hand(self, event: Event) -> list[str]:
        assert event.seat is not None
        return self.hands[event.seat]


# Dice.


class DiceLedger:
    """The turn, the throws and the totals of dice Thousand. Starts before the first event."""

    KEYS = {
        "match_started": ["first_seat"],
        "turn_started": ["round", "totals", "opened"],
        "threw": ["dice"],
        "kept": ["dice", "value", "turn_points", "next_dice", "bonus"],
        "bust": ["lost"],
        "banked": ["points", "totals", "opened"],
        "turn_ended": [],
    }

    def __init__(self, options: Mapping[str, Json], chance: Chance) -> None:
        self.players, self.five, self.chance = options["players"], options["five_of_a_kind"], chance
        self.totals, self.opened = [0] * self.players, [False] * self.players
        self.epoch = 0
        self.due = {"match_started"}
        self.winner: Seat | None = None

    @property
    def rounds(self) -> int:
        return (self.epoch - 1) // self.players

    def enter(self, event: Event) -> None:
        assert event.kind in self.due
        assert list(event.payload) == self.KEYS[event.kind]
        assert not event.secret
        assert event.seat == (None if event.kind == "match_started" else self._whose(event))
        getattr(self, f"_{event.kind}")(**event.payload)

    def compare(self, title: Title, state: State) -> None:
        assert title.scores(state) == tuple(self.totals)
        outcome = title.outcome(state)
        assert (outcome.winners if outcome else None) == (None if self.winner is None else (self.winner,))

    def _whose(self, event: Event) -> Seat:
        turns = self.epoch if event.kind == "turn_started" else self.epoch - 1
        return (self.first + turns) % self.players

    @property
    def _seat(self) -> Seat:
        return (self.first + self.epoch - 1) % self.players

    def _match_started(self, first_seat: Seat) -> None:
        assert first_seat == self.chance.lot(1, self.players)
        self.first = first_seat
        self.due = {"turn_started"}

    def _turn_started(self, round: int, totals: list[int], opened: list[bool]) -> None:
        assert (totals, opened) == (self.totals, self.opened)
        assert round == self.epoch // self.players + 1
        self.epoch += 1
        self.throws, self.points, self.next_dice = 0, 0, 5
        self.due = {"threw", "turn_ended"}

    def _threw(self, dice: list[int]) -> None:
        self.dice = tuple(dice)
        assert self.dice == self.chance.dice(self.epoch, self.throws, self.next_dice)
        self.throws += 1
        if self.dice == ONES:
            self._win()
        else:
            self.due = {"kept", "turn_ended"} if slow_selections(self.dice, self.five) else {"bust"}

    def _kept(self, dice: list[int], value: int, turn_points: int, next_dice: int, bonus: str | None) -> None:
        rest = Counter(self.dice) - Counter(dice)
        assert Counter(dice) <= Counter(self.dice)
        assert dice == sorted(dice)
        assert value == slow_value(tuple(dice), len(self.dice), self.five)
        assert turn_points == self.points + value
        if not rest:
            assert (next_dice, bonus) == (5, "hot")
        elif list(rest.values()) == [2] and set(rest) <= {2, 3, 4, 6}:
            assert (next_dice, bonus) == (5, "double")
        else:
            assert (next_dice, bonus) == (rest.total(), None)
        self.points, self.next_dice = turn_points, next_dice
        enough = turn_points >= (25 if self.opened[self._seat] else 75)
        self.due = {"threw", "banked"} if enough else {"threw", "turn_ended"}

    def _bust(self, lost: int) -> None:
        assert lost == self.points
        self.due = {"turn_started"}

    def _turn_ended(self) -> None:
        self.due = {"turn_started"}

    def _banked(self, points: int, totals: list[int], opened: list[bool]) -> None:
        assert points == self.points
        self.totals[self._seat] += points
        self.opened[self._seat] = True
        assert (totals, opened) == (self.totals, self.opened)
        self.due = {"turn_started"}
        if totals[self._seat] >= 1000:
            self._win()

    def _win(self) -> None:
        self.winner = self._seat
        self.due = set()


# A slow scorer, written from the rules page alone: splits are searched, nothing is kept in tables of the title.


ONES = (1, 1, 1, 1, 1)


@cache
def slow_value(dice: Dice, thrown: int, five: int) -> int | None:
    """The value of a selection (ascending) from a throw of `thrown` dice, None when it is not valid.

    `five` tells how often five equal dice are worth three of them.
    """
    if not dice:
        return 0
    found = []
    for part, points in _slow_parts(dice, thrown, five):
        rest = list(dice)
        for face in part:
            rest.remove(face)
        value = slow_value(tuple(rest), thrown, five)
        if value is not None:
            found.append(points + value)
    return max(found, default=None)


def _slow_parts(dice: Dice, thrown: int, five: int) -> Iterator[tuple[Dice, int]]:
    face = dice[0]
    three = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}[face]
    if face == 1:
        yield (1,), 100
    if face == 5:
        yield (5,), 50
    for size, factor in ((3, 1), (4, 2), (5, five)):
        if dice.count(face) >= size:
            yield (face,) * size, three * factor
    if thrown == 5 and dice == (1, 2, 3, 4, 5):
        yield dice, 125
    if thrown == 5 and dice == (2, 3, 4, 5, 6):
        yield dice, 250


def slow_selections(throw: Dice, five: int) -> dict[Dice, int]:
    """Every valid selection of a throw (ascending) and its value."""
    found = {}
    for mask in range(1, 2 ** len(throw)):
        dice = tuple(sorted(face for at, face in enumerate(throw) if mask >> at & 1))
        value = slow_value(dice, len(throw), five)
        if value is not None:
            found[dice] = value
    return found
