"""What every match record has, whatever its title (match-record.md, "Events of every match"; time.md 2)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NoReturn

Record = dict[str, Any]
Facts = dict[str, Any]

NOBODY = frozenset(
    {"match_started", "dealt", "redealt", "round_ended", "match_ended", "voided", "paused", "resumed", "pace_changed"}
)
"""Kinds in which nobody acted: their own seat is null."""

MOVES = frozenset({"played", "drew", "passed", "threw", "kept", "banked"})
"""Kinds that carry what was offered."""

FOLLOWING = frozenset({"match_started", "dealt", "round_ended", "match_ended", "bot_seated", "turn_started", "bust"})
"""Kinds that come only where what was told before calls for them."""

ANSWERS = MOVES | {"forfeited", "redealt", "turn_ended", "burnt", "voided"}
"""Kinds that may follow a lapse."""

UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What comes of a fact that is of another shape than the page says."""

WHY_MOVED = ("leave", "night", "extension", "outage", "refused_forfeit")


class Reader(ABC):
    """Walks through the events; `on_<kind>` of a subclass checks each and says in `due` what must come next."""

    OPTIONS: dict[str, tuple[Any, ...]]
    """Every option of the rules page and its values; `players` and `teams` are known here."""
    LOW_WINS = False

    def __init__(self, record: Record) -> None:
        self.record = record
        self.events: list[Facts] = record["events"]
        self.options: Facts = record["options"]
        self.players = len(record["seats"])
        self.sides: list[list[int]] = record["sides"]
        self.pace = record["pace"]
        self.with_legal = any("legal" in event for event in self.events)
        self.event: Facts = {}
        self.scores = [0] * len(self.sides)
        self.turn: int | None = None
        self.due: str | None = "match_started"
        """The kind that must come next; None where somebody is to act."""
        self.over: str | None = None
        """The reason why the match is over."""
        self.bots: set[int] = set(record.get("bots", []))
        """Seats that a bot plays now."""
        self.without_member = set(self.bots)
        self.left: set[int] = set()
        self.lapses = [(0, 0)] * self.players
        self.lapsed: int | None = None
        """The seat whose lapse the next event must answer."""
        self.paused = False

    # Saying what is wrong

    def fail(self, what: str) -> NoReturn:
        where = f"event {self.event.get('number')} ({self.event.get('kind')})" if self.event else "the record"
        raise AssertionError(f"{where}: {what}")

    def must(self, condition: object, what: str) -> None:
        if not condition:
            self.fail(what)

    def same(self, what: str, told: Any, right: Any) -> None:
        if told != right:
            self.fail(f"{what} is {told!r}, must be {right!r}")

    def tells(self, right: Facts) -> None:
        """The payload says exactly this, whoever played."""
        told = {key: value for key, value in self.event["payload"].items() if key != "by"}
        for key, value in right.items():
            self.must(key in told, f"{key} is missing")
            self.same(key, told[key], value)
        self.same("the payload's keys", sorted(told), sorted(right))

    # The whole record

    def read(self) -> None:
        try:
            self.head()
            for number, event in enumerate(self.events, 1):
                self.event = event
                self.same("number", event["number"], number)
                self.tell(event)
        except UNREADABLE as error:
            self.fail(f"it cannot be read: {error!r}")
        self.event = {}
        self.same("what must still come", self.due, "nothing")
        self.same("the outcome", self.record["outcome"], self.events[-1]["payload"])

    def head(self) -> None:
        self.same("format", self.record["format"], "club-match/1")
        self.must(self.record["ruleset"].startswith(self.record["title"] + "/"), "ruleset is of another title")
        self.must(self.pace in ("day", "live", "hotseat"), f"pace is {self.pace!r}")
        self.same("option players", self.options.get("players"), self.players)
        allowed = {"players": (2, 3, 4), **self.OPTIONS}
        if self.players != 4:
            allowed.pop("teams", None)
        self.same("the options", sorted(self.options), sorted(allowed))
        for name, values in allowed.items():
            value = self.options[name]
            self.must((type(value), value) in [(type(right), right) for right in values], f"option {name} is {value!r}")
        self.same("sides", self.sides, self.right_sides())
        self.must(all(seat in range(self.players) for seat in self.bots), "bots names a seat that is not there")

    def right_sides(self) -> list[list[int]]:
        if self.players == 4 and self.options.get("teams", False):
            return [[0, 2], [1, 3]]
        return [[seat] for seat in range(self.players)]

    def side_of(self, seat: int) -> int:
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    # One event

    def tell(self, event: Facts) -> None:
        """Check one event and take it in."""
        self.event = event
        kind = event["kind"]
        handler = getattr(self, f"on_{kind}", None)
        if handler is None:
            self.fail("this title has no such kind")
        self.in_order(kind)
        self.acting(kind, event)
        handler(event, event["payload"])
        if kind == "lapsed":
            self.lapsed = event["seat"]
        elif kind != "burnt":
            self.lapsed = None

    def in_order(self, kind: str) -> None:
        if kind == "voided":
            self.must(self.over in (None, "voided"), "the match is over already")
            return
        if self.due is not None:
            self.must(kind == self.due, f"{self.due} must come next")
        else:
            self.must(kind not in FOLLOWING, "nothing before calls for it")
        self.must(self.lapsed is None or kind in ANSWERS, "a lapse must be answered first")

    def acting(self, kind: str, event: Facts) -> None:
        """Who acted, for whom, and what may stand beside the payload."""
        seat, payload = event["seat"], event["payload"]
        if kind in NOBODY:
            self.same("seat", seat, None)
        elif kind != "deadline_moved":
            self.must(type(seat) is int and seat in range(self.players), f"seat is {seat!r}")
        if kind not in ("dealt", "drew"):
            self.same("secret", event["secret"], {})
        self.same("whether legal stands here", "legal" in event, self.with_legal and kind in MOVES)
        if self.lapsed is not None and kind in MOVES:
            self.same("by, after a lapse,", payload.get("by"), "club")
        if kind in MOVES or kind == "claimed":
            self.played_by(seat, payload)
        else:
            self.must("by" not in payload, "by stands where no move is")

    def played_by(self, seat: int, payload: Facts) -> None:
        self.must(not self.paused, "the match is paused")
        if "by" not in payload:
            self.must(seat not in self.bots, "by is missing: a bot has this seat")
            self.lapses[seat] = (0, self.lapses[seat][1])
            return
        by = payload["by"]
        self.must(by in ("club", "bot", "forced"), f"by is {by!r}")
        self.must(by != "bot" or seat in self.bots, "by is 'bot', but a member has this seat")
        self.must(by != "club" or self.lapsed == seat, "by is 'club', but the seat did not lapse")

    def by(self) -> str | None:
        return self.event["payload"].get("by")

    # Lapses, leaving, clocks

    def on_lapsed(self, event: Facts, payload: Facts) -> None:
        seat = event["seat"]
        self.must(seat == self.turn, "the seat was not to act")
        self.must(seat not in self.bots, "a bot cannot lapse")
        in_a_row, in_match = self.lapses[seat]
        counted = (in_a_row + 1, in_match + 1)
        told = (payload["in_a_row"], payload["in_match"])
        self.must(told in (counted, (in_a_row, in_match)), f"the lapses are {told}, must be {counted} or not counted")
        self.tells({"seat": seat, "in_a_row": told[0], "in_match": told[1]})
        self.lapses[seat] = told

    def on_resigned(self, event: Facts, payload: Facts) -> None:
        seat = event["seat"]
        self.tells({"seat": seat})
        self.must(seat not in self.without_member, "no member has this seat")
        self.left.add(seat)
        self.without_member.add(seat)
        if len(self.staying()) > 1:
            self.due = "bot_seated"
            return
        self.over = event["kind"] if self.staying() else "voided"
        self.due = "match_ended"

    def on_forfeited(self, event: Facts, payload: Facts) -> None:
        self.same("seat", event["seat"], self.lapsed)
        self.on_resigned(event, payload)

    def on_bot_seated(self, event: Facts, payload: Facts) -> None:
        seat = event["seat"]
        self.tells({"seat": seat})
        self.must(seat in self.left - self.bots, "nobody left this seat just now")
        self.bots.add(seat)
        self.due = None

    def staying(self) -> list[int]:
        """The sides that still have a member."""
        return [side for side, seats in enumerate(self.sides) if not set(seats) <= self.without_member]

    def on_paused(self, event: Facts, payload: Facts) -> None:
        self.tells({"reason": payload["reason"]})
        self.must(not self.paused, "it is paused already")
        self.paused = True

    def on_resumed(self, event: Facts, payload: Facts) -> None:
        self.tells({"reason": payload["reason"]})
        self.must(self.paused, "it was not paused")
        self.paused = False

    def on_pace_changed(self, event: Facts, payload: Facts) -> None:
        self.tells({"pace": payload["pace"]})
        self.must(payload["pace"] in ("day", "live", "hotseat"), f"pace is {payload['pace']!r}")
        self.pace = payload["pace"]

    def on_deadline_moved(self, event: Facts, payload: Facts) -> None:
        self.tells({"seat": payload["seat"], "due_at": payload["due_at"], "why": payload["why"]})
        self.must(payload["seat"] in range(self.players), f"seat is {payload['seat']!r}")
        self.must(event["seat"] in (None, payload["seat"]), "the event's seat is another")
        self.must(payload["why"] in WHY_MOVED, f"why is {payload['why']!r}")

    def on_voided(self, event: Facts, payload: Facts) -> None:
        self.tells({"reason": payload["reason"]})
        self.over = "voided"
        self.due = "match_ended"

    # The end

    def on_match_ended(self, event: Facts, payload: Facts) -> None:
        winners, places = self.ranking()
        self.tells({"winners": winners, "places": places, "scores": self.scores, "reason": self.over})
        self.due = "nothing"

    def ranking(self) -> tuple[list[int], list[int]]:
        """The winning sides, and the place of each side."""
        if self.over == "voided":
            return [], []
        gone = [set(seats) <= self.left for seats in self.sides]
        points = [score if self.LOW_WINS else -score for score in self.scores]
        if self.over in ("resigned", "forfeited"):
            staying = self.staying()
            ranked = places([(side not in staying, gone[side], points[side]) for side in range(len(points))])
            return staying, ranked
        victors = self.victors()
        by_rule = places([(side not in victors, points[side]) for side in range(len(points))])
        ranked = places([(gone[side], by_rule[side]) for side in range(len(points))])
        return [side for side, place in enumerate(ranked) if place == 1], ranked

    @abstractmethod
    def victors(self) -> list[int]:
        """The sides that win by the rules of the title."""


def places(keys: Sequence[Any]) -> list[int]:
    """The place of each key, the smallest first; equal ones share the number."""
    return [1 + sum(other < key for other in keys) for key in keys]
