"""What the four domino titles share (domino-common.md), written out of the page."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from tests.records.match import Facts, Reader, Record

TILES = sorted(f"{low}{high}" for low in range(7) for high in range(low, 7))
ROUND_LIMITS = (None, 1, 3, 5)
ENDS = "LRUD"
"""The order in which the club tries the ends for somebody absent (time.md 2)."""

HUB_COUNTS = ("until_first_side_arm", "until_both_side_arms", "zero")


def pips(tile: str) -> int:
    return int(tile[0]) + int(tile[1])


def is_double(tile: str) -> bool:
    return tile[0] == tile[1]


def weight(tile: str) -> tuple[int, int]:
    """domino-common.md 2: heavier by pips, then by the larger half."""
    return pips(tile), max(int(tile[0]), int(tile[1]))


def up5(number: int) -> int:
    return number if number % 5 == 0 else number + 5 - number % 5


def near5(number: int) -> int:
    return number - number % 5 + (5 if number % 5 > 2 else 0)


def points_of(total: int) -> int:
    return total if total > 0 and total % 5 == 0 else 0


def holder(hands: list[list[str]], tile: str) -> int | None:
    return next((seat for seat, hand in enumerate(hands) if tile in hand), None)


def first_held(hands: list[list[str]], wanted: Iterable[str]) -> tuple[int, str] | None:
    """Who holds the first of the wanted tiles that is in any hand, and that tile."""
    for tile in wanted:
        seat = holder(hands, tile)
        if seat is not None:
            return seat, tile
    return None


def lowest(totals: list[int]) -> int | None:
    """The side that is lowest alone."""
    best = min(totals)
    return totals.index(best) if totals.count(best) == 1 else None


class Layout:
    """domino-common.md 5 to 7: a line of tiles, each with its left half first, and two arms, hub outwards.

    `hub` is the face of the double from which the arms grow; there is only one double of a face.
    """

    def __init__(self, branches: bool = True) -> None:
        self.branches = branches
        self.line: list[str] = []
        self.hub: str | None = None
        self.arms: dict[str, list[str]] = {"U": [], "D": []}

    def copy(self) -> Layout:
        other = Layout(self.branches)
        other.line = list(self.line)
        other.hub = self.hub
        other.arms = {end: list(tiles) for end, tiles in self.arms.items()}
        return other

    def tiles(self) -> list[str]:
        """Everything on the table, each tile with its smaller half first."""
        laid = self.line + self.arms["U"] + self.arms["D"]
        return ["".join(sorted(tile)) for tile in laid]

    def ends(self) -> dict[str, str]:
        """Every playable end and the face it wants (section 6)."""
        wanted = {"L": self.line[0][0], "R": self.line[-1][1]}
        if self.hub is not None:
            for end, arm in self.arms.items():
                wanted[end] = arm[-1][1] if arm else self.hub
        return wanted

    def placements(self, hand: list[str]) -> list[str]:
        wanted = self.ends()
        return [f"{tile}@{end}" for tile in hand for end, face in wanted.items() if face in tile]

    def fits(self, tiles: Iterable[str]) -> bool:
        wanted = "".join(self.ends().values())
        return any(tile[0] in wanted or tile[1] in wanted for tile in tiles)

    def put(self, tile: str, end: str | None) -> None:
        """Lay a tile; the half that touches is forced. ValueError: it does not fit; KeyError: no such end."""
        if end is None:
            if self.line:
                raise ValueError(f"{tile} opens a table that is not empty")
            self.line = [tile]
            return
        face = self.ends()[end]
        if face not in tile:
            raise ValueError(f"{tile} does not fit {end}, which wants {face}")
        # As it lies: the touching half first.
        turned = tile if tile[0] == face else tile[::-1]
        if end == "L":
            self.line.insert(0, turned[::-1])
            self.close(1)
        elif end == "R":
            self.line.append(turned)
            self.close(len(self.line) - 2)
        else:
            self.arms[end].append(turned)

    def close(self, place: int) -> None:
        """The first double with a neighbour on both sides along the line is the hub."""
        covered = 0 < place < len(self.line) - 1
        if self.branches and self.hub is None and covered and is_double(self.line[place]):
            self.hub = self.line[place][0]

    def total(self, hub_count: str) -> int:
        """The sum of the counted open ends (section 7)."""
        if len(self.line) == 1:
            return pips(self.line[0])
        counted = [(self.line[0], self.line[0][0]), (self.line[-1], self.line[-1][1])]
        counted += [(arm[-1], arm[-1][1]) for arm in self.arms.values() if arm]
        total = sum(2 * int(face) if is_double(tile) else int(face) for tile, face in counted)
        return total + self.hub_adds(hub_count)

    def hub_adds(self, hub_count: str) -> int:
        if self.hub is None or hub_count == "zero":
            return 0
        empty = [arm for arm in self.arms.values() if not arm]
        needed = {"until_first_side_arm": 2, "until_both_side_arms": 1}[hub_count]
        return 2 * int(self.hub) if len(empty) >= needed else 0

    def wrong(self) -> str | None:
        """What section 8 says can never be on a table, if it is."""
        chains = [self.line]
        chains += [[self.hub * 2, *arm] for arm in self.arms.values() if arm and self.hub is not None]
        for chain in chains:
            for one, other in pairwise(chain):
                if one[1] != other[0]:
                    return f"{one} and {other} touch with different halves"
                if is_double(one) and is_double(other):
                    return f"the doubles {one} and {other} touch"
        return None


class DominoReader(Reader):
    """Deals, draws, passes, placements and the end of a hand; the titles say what differs."""

    BRANCHES = True
    RESERVE = 0
    HAND = {2: 7, 3: 7, 4: 7}

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self.round = 1
        self.attempt = 0
        self.leader: int | None = None
        self.carried = 0
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.boneyard: list[str] = []
        self.layout = Layout(self.BRANCHES)
        self.void: tuple[str, int] | None = None
        """The rule that voids this deal, and the seat it fires for."""
        self.opened = 0
        self.last = 0
        """Who made the last placement."""
        self.last_tile = ""
        self.drawn: str | None = None
        """A tile just drawn that fits."""
        self.ending: str | None = None
        self.reached: list[int] = []
        """The sides that have reached the target, in the order in which they did."""
        self.best: list[int] = []
        """Who has won, once the match is over by its rules."""

    # What differs

    @abstractmethod
    def first_opening(self) -> tuple[int, str | None]:
        """Who opens the first hand, and the tile if it is forced."""

    def voids(self) -> tuple[str, int] | None:
        """The rule and the seat by which the deal is void before the opening."""
        return None

    def vetoes(self, tile: str) -> bool:
        """Whether leading this tile voids the deal."""
        return False

    def sets(self, hand: list[str]) -> list[str]:
        """Moves of several tiles."""
        return []

    @abstractmethod
    def sum_now(self) -> int:
        """The sum of the open ends."""

    @abstractmethod
    def points_for(self, total: int, opening: bool) -> int:
        """What the move that has just been made is worth."""

    def ends_at_once(self, total: int) -> str | None:
        """Whether the points of the last move have ended everything, and how."""
        return None

    def goes_out(self) -> str:
        return "out"

    def boneyard_helps(self) -> bool:
        return bool(self.boneyard)

    def value(self, hand: list[str]) -> int:
        return sum(pips(tile) for tile in hand)

    @abstractmethod
    def count(self, how: str, seat: int, totals: list[int]) -> tuple[int | None, list[int], int]:
        """Who wins a hand that was played out or blocked, what is written for each side, and what is carried on."""

    @abstractmethod
    def next_leader(self, how: str, winner: int | None, values: list[int]) -> int:
        """Who opens the next hand."""

    @abstractmethod
    def why_over(self) -> str | None:
        """After a hand has been written: the reason if the match is over; `best` holds the winners then."""

    # Deals

    def on_match_started(self, event: Facts, payload: Facts) -> None:
        self.tells({"first_seat": None})
        self.due = "dealt"

    def on_dealt(self, event: Facts, payload: Facts) -> None:
        told = {"round": self.round, "attempt": self.attempt, "leader": self.leader}
        self.tells({**told, "scores": self.scores, "carried": self.carried})
        secret, seats = event["secret"], [str(seat) for seat in range(self.players)]
        self.same("the keys of secret", sorted(secret), sorted([*seats, "club"]))
        self.hands = [list(secret[seat]) for seat in seats]
        self.boneyard = list(secret["club"])
        size = self.HAND[self.players]
        self.same("the sizes of the hands", [len(hand) for hand in self.hands], [size] * self.players)
        self.same("the size of the boneyard", len(self.boneyard), 28 - size * self.players)
        self.layout = Layout(self.BRANCHES)
        self.ending, self.drawn = None, None
        self.everywhere_once()
        self.void = self.voids()
        self.due = "redealt" if self.void else None
        if self.void is None:
            self.turn = self.first_opening()[0] if self.leader is None else self.leader
            self.opened = self.turn

    def on_redealt(self, event: Facts, payload: Facts) -> None:
        told = {"round": self.round, "attempt": self.attempt}
        if self.void is not None:
            rule, seat = self.void
            self.tells({**told, "rule": rule, "seat": seat, "tile": None})
        else:
            self.led_and_vetoed(told, payload["tile"])
        self.attempt += 1
        self.due = "dealt"

    def led_and_vetoed(self, told: Facts, tile: Any) -> None:
        self.must(not self.layout.line, "the hand has been opened")
        self.must(not self.paused, "the match is paused")
        self.must(tile in self.offered(), f"{tile} could not be led")
        self.must(self.vetoes(tile), f"{tile} may be led: no rule voids this deal")
        self.tells({**told, "rule": "R3", "seat": self.turn, "tile": tile})
        if self.lapsed is not None:
            self.same("the tile the club leads", tile, self.cautious())
        elif self.turn is not None:
            self.lapses[self.turn] = (0, self.lapses[self.turn][1])

    def everywhere_once(self) -> None:
        held = [tile for hand in self.hands for tile in hand]
        found = sorted(held + self.boneyard + self.layout.tiles())
        self.must(found == TILES, f"the 28 tiles are not everywhere once: {' '.join(found)}")

    # Moves

    def acting_hand(self) -> list[str]:
        self.must(self.turn is not None, "nobody is to act")
        return self.hands[self.turn or 0]

    def drawable(self) -> int:
        return max(0, len(self.boneyard) - self.RESERVE)

    def offered(self) -> list[str]:
        """Every legal move of the seat to act, as strings in order."""
        hand = self.acting_hand()
        if not self.layout.line:
            forced = self.first_opening()[1] if self.leader is None else None
            return sorted(hand) if forced is None else [forced]
        plays = self.layout.placements(hand)
        if plays:
            return sorted(plays + self.sets(hand))
        return ["draw"] if self.drawable() else ["pass"]

    def beside(self) -> list[str]:
        """What was offered beside the moves of the turn."""
        return []

    def moved(self, event: Facts, move: str) -> None:
        """Check that this seat could make this move and was offered the right ones."""
        self.same("seat", event["seat"], self.turn)
        offered = self.offered()
        self.must(move in offered, f"{move} is not legal; legal are {offered}")
        if "legal" in event:
            self.same("legal", event["legal"], sorted(offered + self.beside()))
        if self.by() == "forced":
            forced = move in ("draw", "pass") or not self.layout.line or move[:2] == self.drawn
            self.must(forced and len(offered) == 1, f"{move} was not forced; legal are {offered}")
        if self.by() == "club":
            self.same("the move of the club", move, self.cautious())

    def cautious(self) -> str:
        """time.md 2: draw or pass, else the heaviest legal tile on the first end in the order L R U D."""
        single = [move for move in self.offered() if "+" not in move]
        heaviest = max(single, key=lambda move: weight(move) if move[0].isdigit() else (0, 0))
        return min((move for move in single if move[:2] == heaviest[:2]), key=lambda move: ENDS.find(move[-1]))

    def on_played(self, event: Facts, payload: Facts) -> None:
        laid = [(tile, end) for tile, end in payload["tiles"]]
        self.moved(event, "+".join(tile if end is None else f"{tile}@{end}" for tile, end in laid))
        opening = not self.layout.line
        if opening:
            self.must(not self.vetoes(laid[0][0]), "rule R3 voids this deal")
        for tile, end in laid:
            self.acting_hand().remove(tile)
            self.layout.put(tile, end)
        self.last, self.last_tile, self.drawn = event["seat"], laid[-1][0], None
        total = self.sum_now()
        points = self.score_move(total, opening)
        ends = {end: int(face) for end, face in self.layout.ends().items()}
        self.tells(
            {"tiles": payload["tiles"], "sum": total, "points": points, "scores": self.scores, "ends": ends},
        )
        self.same("what is wrong on the table", self.layout.wrong(), None)
        self.everywhere_once()
        self.turn = (self.last + 1) % self.players
        self.settle(self.ends_at_once(total))

    def score_move(self, total: int, opening: bool) -> int:
        points = self.points_for(total, opening)
        self.write(self.side_of(self.last), points)
        return points

    def write(self, side: int, points: int) -> None:
        """Add to a score; a new list, so that what was read before stays as it was."""
        self.scores = [score + points if at == side else score for at, score in enumerate(self.scores)]
        target = self.options["target"]
        if self.scores[side] >= target and side not in self.reached:
            self.reached.append(side)

    def on_drew(self, event: Facts, payload: Facts) -> None:
        self.moved(event, "draw")
        seat = event["seat"]
        self.same("the keys of secret", list(event["secret"]), [str(seat)])
        run: list[str] = []
        for tile in self.boneyard[: self.drawable()]:
            run.append(tile)
            if self.layout.fits([tile]):
                break
        self.same("secret", event["secret"], {str(seat): run})
        del self.boneyard[: len(run)]
        self.hands[seat] = self.hands[seat] + run
        self.tells({"count": len(run), "boneyard": len(self.boneyard)})
        self.drawn = run[-1] if self.layout.fits(run) else None
        self.everywhere_once()
        self.settle(None)

    def on_passed(self, event: Facts, payload: Facts) -> None:
        self.moved(event, "pass")
        self.tells({})
        self.turn = (event["seat"] + 1) % self.players

    # The end of a hand

    def settle(self, at_once: str | None) -> None:
        """domino-common.md 9, steps 5 to 9: what comes after a move or a draw."""
        self.ending = at_once or self.played_out()
        self.due = "round_ended" if self.ending else None

    def played_out(self) -> str | None:
        if not self.hands[self.last]:
            return self.goes_out()
        return "blocked" if self.blocked() else None

    def blocked(self) -> bool:
        held = [tile for hand in self.hands for tile in hand]
        return not self.layout.fits(held) and not self.boneyard_helps()

    def on_round_ended(self, event: Facts, payload: Facts) -> None:
        how, seat = str(self.ending), self.ended_by()
        values = [self.value(hand) for hand in self.hands]
        winner, written = self.write_hand(how, seat, values)
        self.leader = None if self.over else self.next_leader(how, winner, values)
        told = [sorted(hand) for hand in payload["hands"]]
        self.same("hands", told, [sorted(hand) for hand in self.hands])
        facts = {"round": self.round, "how": how, "seat": seat, "winner": winner, "hands": payload["hands"]}
        after = {"carried": self.carried, "scores": self.scores, "leader": self.leader}
        self.tells({**facts, "values": values, "written": written, **after})
        self.round, self.attempt = self.round + 1, 0
        self.due = "match_ended" if self.over else "dealt"

    def write_hand(self, how: str, seat: int, values: list[int]) -> tuple[int | None, list[int]]:
        """Write what the hand brought, and see whether the match is over: who won the hand, what was written."""
        if how not in ("out", "blocked"):
            winner = self.side_of(seat)
            self.over, self.best = how, [winner]
            return winner, [0] * len(self.sides)
        totals = [sum(values[partner] for partner in seats) for seats in self.sides]
        wins, written, self.carried = self.count(how, seat, totals)
        for side, points in enumerate(written):
            self.write(side, points)
        self.over = self.why_over() or self.limit_reached()
        return wins, written

    def ended_by(self) -> int:
        return self.last

    def limit_reached(self) -> str | None:
        """domino-common.md 18."""
        if self.round != self.options["round_limit"]:
            return None
        best = min(self.scores) if self.LOW_WINS else max(self.scores)
        self.best = [side for side, score in enumerate(self.scores) if score == best]
        return "round_limit"

    def highest_at_target(self) -> str | None:
        """The highest score at the target or above wins; equal: who reached the target first."""
        if not self.reached:
            return None
        best = max(self.scores)
        self.best = [next(side for side in self.reached if self.scores[side] == best)]
        return "target"

    def victors(self) -> list[int]:
        return self.best
