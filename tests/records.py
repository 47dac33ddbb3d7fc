"""A reader of match records that knows the rules pages and nothing of the engine: the oracle for self-play.

It is written from match-record.md, domino-common.md, kozel.md and thousand.md alone, slowly and plainly, so that a
mistake in the engine cannot hide in code the two share. `check(record)` raises AssertionError at the first wrong fact.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

Record = dict[str, Any]

ALL_TILES = [f"{low}{high}" for low in range(7) for high in range(low, 7)]


def check(record: Record) -> None:
    """Replay a finished match of a known title and check every number in it."""
    events = record["events"]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["kind"] == "match_started"
    assert events[-1]["kind"] == "match_ended"
    assert events[-1]["payload"] == record["outcome"]
    {"kozel": KozelReader, "thousand": ThousandReader}[record["title"]](record).read()


class Reader:
    """Walks through the events; `on_<kind>` of a subclass checks each."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.options = record["options"]
        self.players = len(record["seats"])
        self.sides = record["sides"]
        self.over: str | None = None

    def read(self) -> None:
        for event in self.record["events"]:
            assert self.over is None or event["kind"] == "match_ended", "nothing follows the end"
            getattr(self, f"on_{event['kind']}")(event, event["payload"])

    def side_of(self, seat: int) -> int:
        return next(side for side, seats in enumerate(self.sides) if seat in seats)


class KozelReader(Reader):
    """Kozel, and the facts of domino-common.md section 8 after every event."""

    def on_match_started(self, event, payload):
        assert payload == {"first_seat": None}
        self.scores = [0] * len(self.sides)
        self.eggs = 0
        self.round = 0
        self.leader = None
        if self.players == 4 and self.options["teams"]:
            assert self.sides == [[0, 2], [1, 3]]
        else:
            assert self.sides == [[seat] for seat in range(self.players)]

    def on_dealt(self, event, payload):
        self.round += 1
        assert payload == {
            "round": self.round,
            "attempt": 0,
            "leader": self.leader,
            "scores": self.scores,
            "carried": self.eggs,
        }
        secret = event["secret"]
        self.hands = [list(secret[str(seat)]) for seat in range(self.players)]
        self.boneyard = list(secret["club"])
        assert [len(hand) for hand in self.hands] == [7] * self.players
        assert len(self.boneyard) == 28 - 7 * self.players
        self.line: list[str] = []
        self.drew = False
        self.turn = self.leader if self.leader is not None else self.first_opener()[0]
        self.facts()

    def first_opener(self) -> tuple[int, str]:
        held = {tile: seat for seat, hand in enumerate(self.hands) for tile in hand}
        rank = {"lowest": "00 11 22 33 44 55 66", "last": "11 22 33 44 55 66 00"}[self.options["blank_double_rank"]]
        if "11" in held:
            return held["11"], "11"
        doubles = [tile for tile in rank.split() if tile in held]
        light = sorted(held, key=lambda tile: (int(tile[0]) + int(tile[1]), int(tile[1])))
        tile = (doubles or light)[0]
        return held[tile], tile

    def legal(self) -> list[str]:
        hand = self.hands[self.turn]
        if not self.line:
            return [self.first_opener()[1]] if self.leader is None else sorted(hand)
        left, right = self.line[0][0], self.line[-1][1]
        plays = [f"{tile}@{end}" for tile in hand for end, face in (("L", left), ("R", right)) if face in tile]
        return sorted(plays) if plays else ["draw" if self.boneyard else "pass"]

    def moved(self, event, move: str):
        assert event["seat"] == self.turn
        assert move in self.legal()
        if "legal" in event:
            assert event["legal"] == self.legal()
        if self.drew and move not in ("draw", "pass"):
            assert move[:2] == self.hands[self.turn][-1], "what was drawn and fits must be played"

    def on_played(self, event, payload):
        (tile, end) = payload["tiles"][0]
        assert len(payload["tiles"]) == 1
        self.moved(event, tile if end is None else f"{tile}@{end}")
        self.hands[self.turn].remove(tile)
        if end is None:
            self.line = [tile]
        elif end == "L":
            self.line.insert(0, tile if tile[1] == self.line[0][0] else tile[::-1])
        else:
            self.line.append(tile if tile[0] == self.line[-1][1] else tile[::-1])
        ends = {"L": int(self.line[0][0]), "R": int(self.line[-1][1])}
        assert (payload["sum"], payload["points"], payload["scores"], payload["ends"]) == (0, 0, self.scores, ends)
        self.last, self.last_tile = self.turn, tile
        self.drew = False
        self.facts()
        self.ending = self.how_it_ends()
        if not self.ending:
            self.turn = (self.turn + 1) % self.players

    def on_drew(self, event, payload):
        self.moved(event, "draw")
        taken = event["secret"][str(self.turn)]
        assert taken == self.boneyard[: payload["count"]]
        ends = self.line[0][0] + self.line[-1][1]
        fitting = [tile for tile in taken if set(tile) & set(ends)]
        assert fitting in ([], taken[-1:]), "a draw stops at the first tile that fits"
        del self.boneyard[: payload["count"]]
        assert payload["boneyard"] == len(self.boneyard)
        assert fitting or not self.boneyard
        self.hands[self.turn] += taken
        self.drew = bool(fitting)
        self.ending = self.how_it_ends()
        self.facts()

    def on_passed(self, event, payload):
        self.moved(event, "pass")
        self.turn = (self.turn + 1) % self.players

    def how_it_ends(self) -> str | None:
        if not self.hands[self.last]:
            return "bald" if self.options["bald"] and self.last_tile == "00" else "out"
        ends = self.line[0][0] + self.line[-1][1]
        fits = any(set(tile) & set(ends) for hand in self.hands for tile in hand)
        return None if fits or self.boneyard else "blocked"

    def on_round_ended(self, event, payload):
        assert payload["round"] == self.round
        assert payload["how"] == self.ending
        assert payload["seat"] == self.last
        assert [sorted(hand) for hand in payload["hands"]] == [sorted(hand) for hand in self.hands]
        values = [self.value(hand) for hand in self.hands]
        assert payload["values"] == values
        totals = [sum(values[seat] for seat in seats) for seats in self.sides]
        winner, written = self.count(totals)
        assert payload["winner"] == winner
        assert payload["written"] == written
        self.scores = [score + penalty for score, penalty in zip(self.scores, written, strict=True)]
        assert payload["scores"] == self.scores
        self.over = self.why_over()
        self.winner = winner
        self.leader = None if self.over else self.next_leader(winner, values)
        assert payload["leader"] == self.leader
        assert payload["carried"] == self.eggs

    @staticmethod
    def value(hand: list[str]) -> int:
        special = {("00",): 25, ("66",): 50, ("00", "66"): 75}
        return special.get(tuple(sorted(hand)), sum(int(tile[0]) + int(tile[1]) for tile in hand))

    def count(self, totals: list[int]) -> tuple[int | None, list[int]]:
        nothing = [0] * len(totals)
        if self.ending == "bald":
            return self.side_of(self.last), nothing
        if self.ending == "out":
            winner = self.side_of(self.last)
        elif totals.count(min(totals)) > 1:
            self.eggs += sum(totals)
            return None, nothing
        else:
            winner = totals.index(min(totals))
        written = [0 if side == winner else total for side, total in enumerate(totals)]
        losers = [side for side in range(len(totals)) if side != winner]
        highest = [side for side in losers if totals[side] == max(totals[loser] for loser in losers)]
        if len(highest) == 1:
            written[highest[0]] += self.eggs
            self.eggs = 0
        if self.options["entry_13"]:
            written = [
                0 if self.scores[side] == 0 and penalty < 13 else penalty for side, penalty in enumerate(written)
            ]
        return winner, written

    def why_over(self) -> str | None:
        if self.ending == "bald":
            return "bald"
        if any(score >= 101 for score in self.scores):
            return "target"
        return "round_limit" if self.round == self.options["round_limit"] else None

    def next_leader(self, winner: int | None, values: list[int]) -> int:
        if self.ending == "out" or winner is None:
            return self.last
        partners = self.sides[winner]
        clockwise = sorted(partners, key=lambda seat: (values[seat], (seat - self.last) % self.players))
        return clockwise[0]

    def on_match_ended(self, event, payload):
        assert payload["reason"] == self.over
        assert payload["scores"] == self.scores
        keys = [(self.over == "bald" and side != self.winner, score) for side, score in enumerate(self.scores)]
        if self.over == "bald":
            keys[self.winner] = (False, -1)
        assert payload["places"] == [1 + sum(other < key for other in keys) for key in keys]
        assert payload["winners"] == [side for side, place in enumerate(payload["places"]) if place == 1]

    def facts(self) -> None:
        on_table = ["".join(sorted(tile)) for tile in self.line]
        everywhere = Counter([tile for hand in self.hands for tile in hand] + self.boneyard + on_table)
        assert everywhere == Counter(ALL_TILES), "28 tiles, every one in exactly one place"
        for one, other in zip(self.line, self.line[1:], strict=False):
            assert one[1] == other[0], "touching halves are equal"
            assert not (one[0] == one[1] and other[0] == other[1]), "two doubles are never adjacent"


class ThousandReader(Reader):
    """Dice Thousand: every throw, set-aside, bust and bank."""

    def on_match_started(self, event, payload):
        self.first = payload["first_seat"]
        self.seat = (self.first - 1) % self.players
        self.totals = [0] * self.players
        self.opened = [False] * self.players
        self.turns = 0
        self.phase = "over"
        assert self.sides == [[seat] for seat in range(self.players)]

    def on_turn_started(self, event, payload):
        assert self.phase == "over"
        self.seat = (self.seat + 1) % self.players
        self.turns += 1
        assert event["seat"] == self.seat
        assert payload == {
            "round": (self.turns - 1) // self.players + 1,
            "totals": self.totals,
            "opened": self.opened,
        }
        self.points, self.dice, self.phase = 0, 5, "roll"

    def on_threw(self, event, payload):
        assert event["seat"] == self.seat
        assert self.phase in ("roll", "decide")
        self.offered(event)
        thrown = payload["dice"]
        assert len(thrown) == self.dice
        assert all(1 <= face <= 6 for face in thrown)
        self.thrown, self.phase = thrown, "choose"
        if thrown == [1] * 5:
            self.over, self.phase = "instant", "over"

    def on_bust(self, event, payload):
        assert self.phase == "choose"
        assert not self.selections()
        assert payload == {"lost": self.points}
        self.phase = "over"

    def on_kept(self, event, payload):
        assert self.phase == "choose"
        self.offered(event)
        kept = payload["dice"]
        assert kept == sorted(kept)
        worth = self.selections()[tuple(kept)]
        rest = sorted((Counter(self.thrown) - Counter(kept)).elements())
        pair = len(rest) == 2 and rest[0] == rest[1] and rest[0] in (2, 3, 4, 6)
        self.points += worth
        self.dice = 5 if not rest or pair else len(rest)
        assert payload == {
            "dice": kept,
            "value": worth,
            "turn_points": self.points,
            "next_dice": self.dice,
            "bonus": "hot" if not rest else "double" if pair else None,
        } | ({"by": payload["by"]} if "by" in payload else {})
        self.phase = "decide"

    def on_banked(self, event, payload):
        self.offered(event)
        assert self.phase == "decide"
        assert self.points >= self.minimum()
        self.totals[self.seat] += self.points
        self.opened[self.seat] = True
        assert (payload["points"], payload["totals"], payload["opened"]) == (self.points, self.totals, self.opened)
        self.phase = "over"
        if self.totals[self.seat] >= 1000:
            self.over = "target"

    def minimum(self) -> int:
        return 25 if self.opened[self.seat] else 75

    def offered(self, event) -> None:
        if "legal" not in event:
            return
        if self.phase == "choose":
            expected = ["keep " + " ".join(map(str, selection)) for selection in self.selections()]
        else:
            expected = ["throw"] + (["bank"] if self.phase == "decide" and self.points >= self.minimum() else [])
        assert event["legal"] == sorted(expected)

    def selections(self) -> dict[tuple[int, ...], int]:
        """Every valid selection of the throw and its value, by trying all sub-multisets."""
        found = {}
        for mask in product((False, True), repeat=len(self.thrown)):
            kept = tuple(sorted(face for face, keep in zip(self.thrown, mask, strict=True) if keep))
            if kept and (worth := self.worth(kept)) is not None:
                found[kept] = worth
        return found

    def worth(self, kept: tuple[int, ...]) -> int | None:
        """thousand.md section 5: the largest total over all splits into scoring parts."""
        if not kept:
            return 0
        face, best = kept[0], []
        if len(self.thrown) == 5 and kept in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)):
            best.append(125 if face == 1 else 250)
        for count in range(1, kept.count(face) + 1):
            points = self.equal(face, count)
            rest = self.worth(kept[count:])
            if points is not None and rest is not None:
                best.append(points + rest)
        return max(best, default=None)

    def equal(self, face: int, count: int) -> int | None:
        if count < 3:
            return {1: 100, 5: 50}.get(face) if count == 1 else None
        three = 1000 if face == 1 else face * 100
        return three * {3: 1, 4: 2, 5: self.options["five_of_a_kind"]}[count]

    def on_match_ended(self, event, payload):
        assert payload["reason"] == self.over
        assert payload["scores"] == self.totals
        assert payload["winners"] == [self.seat]
        keys = [-10_000 if seat == self.seat else -total for seat, total in enumerate(self.totals)]
        assert payload["places"] == [1 + sum(other < key for other in keys) for key in keys]
