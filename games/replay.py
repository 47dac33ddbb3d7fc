"""A match played again from its own record: the rules decide anew, and every event must come out as it stands.

The deals, throws and lots are taken from the record, everything else follows from the moves. A record of a match that
still runs is checked as far as its hands are public.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NoReturn
from uuid import UUID

from games import titles
from games.engine import chance, codec, dominoes
from games.engine import match as engine
from games.engine.contract import Event, IllegalMove, Json, Move, Seat, State, Title
from games.engine.dice import FACES
from games.engine.options import BadOption, complete

PACES = ("day", "live", "hotseat")


class Unreadable(ValueError):
    """What cannot be replayed at all, and why: `events[4].seat is not right`."""


class Differs(ValueError):
    """Where record and rules part: the number of the event (None: the whole match), the key, and what is wrong."""

    def __init__(self, number: int | None, key: str, why: str) -> None:
        super().__init__(f"event {number}, {key}: {why}" if number else f"{key}: {why}")
        self.number = number
        self.key = key


def read(data: bytes) -> dict[str, Json]:
    """The record in `data`, whose shape is checked. Raises Unreadable."""
    try:
        return codec.parse(data)
    except codec.BadRecord as error:
        raise Unreadable(f"{error.where} is not right" if error.where else _why_no_record(data)) from error


def _why_no_record(data: bytes) -> str:
    if len(data) > codec.LARGEST:
        return f"larger than {codec.LARGEST} bytes"
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return "not JSON"
    return "not an object with the keys of a match record"


def replay(record: Mapping[str, Json]) -> int:
    """Play a record again that `read` has returned; the number of the last event that was found right.

    That is the last event of all, unless the match still runs and hides its hands. Raises Unreadable and Differs.
    """
    try:
        run = _Run(record)
        run.play()
        _check_proof(record, run.events, run.lines)
    except RecursionError as error:
        raise Unreadable("events: nested too deeply") from error
    return run.index


def title_of(record: Mapping[str, Json]) -> Title:
    """The title with the rules a record was played by: today's, or older ones it still answers for.

    Raises Unreadable.
    """
    slug, ruleset = record["title"], record["ruleset"]
    if slug not in titles.slugs():
        raise Unreadable(f"title: there is no {slug} here")
    try:
        title = titles.of(ruleset)
    except KeyError:
        raise Unreadable(f"ruleset: {ruleset} is not known here") from None
    if slug != title.SLUG:
        raise Unreadable(f"ruleset: {ruleset} is not one of {slug}")
    return title


class _Hidden(Exception):
    """The next deal is still secret, so nothing after it can be decided."""


class _Missing(Exception):
    """The rules ask for a draw that the record does not have."""


class _Facts:
    """`contract.Chance` of a record: what was drawn, in the order in which its events tell it.

    Which round and attempt, or turn and throw, a draw belongs to is found by comparing the events that come of it.
    """

    def __init__(self, events: Sequence[Mapping[str, Json]], seats: int) -> None:
        self._events, self._seats = events, seats
        self._deals = iter([index for index, event in enumerate(events) if event["kind"] == "dealt"])
        self._throws = iter([index for index, event in enumerate(events) if event["kind"] == "threw"])

    def deal(self, epoch: int, attempt: int) -> tuple[str, ...]:
        index = _next_of(self._deals)
        secret = self._events[index]["secret"]
        owners = (*map(str, range(self._seats)), "club")
        if not secret.keys() >= {*owners}:
            raise _Hidden
        order = [tile for owner in owners for tile in _texts(secret[owner], f"events[{index}].secret.{owner}")]
        if sorted(order) != list(dominoes.TILES):
            raise Differs(index + 1, "secret", "not each of the 28 tiles once")
        return tuple(order)

    def dice(self, epoch: int, throw: int, count: int) -> tuple[int, ...]:
        index = _next_of(self._throws)
        dice = _faces(self._events[index]["payload"], index)
        if len(dice) != count or not set(dice) <= set(FACES):
            raise Differs(index + 1, "payload.dice", f"the rules throw {count} dice here, each from 1 to 6")
        return tuple(dice)

    def lot(self, epoch: int, seats: int) -> Seat:
        seat = self._events[0]["payload"].get("first_seat") if self._events else None
        if type(seat) is not int or not 0 <= seat < seats:
            raise Differs(1, "payload.first_seat", "the rules draw one of the seats here")
        return seat


def _next_of(drawn: Iterator[int]) -> int:
    for index in drawn:
        return index
    raise _Missing


def _texts(value: Json, place: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Unreadable(f"{place} is not right")
    return value


def _faces(payload: Mapping[str, Json], index: int) -> list[int]:
    dice = payload.get("dice")
    if not isinstance(dice, list) or not all(type(face) is int for face in dice):
        raise Unreadable(f"events[{index}].payload.dice is not right")
    return dice


@dataclass(slots=True)
class _Run:
    """The replay of one record. `index` counts the events found right; the next one stands there."""

    record: Mapping[str, Json]
    title: Title = field(init=False)
    events: list[Event] = field(init=False)
    lines: list[bytes] = field(init=False)
    facts: _Facts = field(init=False)
    state: engine.MatchState = field(init=False)
    tells_offers: bool = field(init=False)
    index: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.title = title_of(self.record)
        options = _options(self.title, self.record)
        told = self.record["events"]
        self.events = [Event(event["kind"], event["seat"], event["payload"], event["secret"]) for event in told]
        self.lines = [codec.line(event, entry["at"]) for event, entry in zip(self.events, told, strict=True)]
        self.tells_offers = any("legal" in entry for entry in told)
        self.facts = _Facts(told, options["players"])
        self.state = engine.initial(self.title, options)

    def play(self) -> None:
        _same(None, "sides", self.record["sides"], codec.plain(self.state.sides()))
        try:
            self._decide(lambda: engine.begin(self.title, self.state.options, self.facts))
            self.state = replace(self.state, bots=frozenset(self.record["bots"]))
            while self.index < len(self.events):
                self._next()
        except _Hidden:
            if any(event.kind == "match_ended" for event in self.events):
                self._wrong("secret", "hands are left out although the match is over")
        outcome = self.state.outcome and engine.outcome_payload(self.state.outcome)
        _same(None, "outcome", self.record["outcome"], outcome)

    def _next(self) -> None:
        event = self.events[self.index]
        follow = None if self.state.outcome else _FOLLOW.get(event.kind)
        if follow is None:
            self._wrong("kind", f"{_short(event.kind)} does not follow here")
        follow(self, event)

    def _after(self) -> Event | None:
        """The event behind the next one."""
        return self.events[self.index + 1] if self.index + 1 < len(self.events) else None

    # What each kind of event follows from.

    def _move(self, event: Event) -> None:
        self._play(event.seat, _move_of(event, self.index), self._by(self.index))

    def _burnt(self, event: Event) -> None:
        """Points burn by the next move, which then follows at the same instant, or because nobody claimed them."""
        if engine.window(self.state) is None:
            self._wrong("kind", "no points wait to be claimed")
        after = self._after()
        if after is not None and self._burns(after):
            self._play(after.seat, _move_of(after, self.index + 1), self._by(self.index + 1))
        else:
            self._check_unclaimed()
            self._decide(lambda: engine.unclaimed(self.state, self.facts))

    def _burns(self, after: Event) -> bool:
        seat = after.seat
        if after.kind not in engine.OFFERED or seat not in self.state.to_act() or self._at(1) != self._at(0):
            return False
        assert seat is not None
        return _move_of(after, self.index + 1) in self.title.legal_moves(self.state.position, seat)

    def _redealt(self, event: Event) -> None:
        """A tile that was led and voided the deal; without one, deals are void before anybody moves."""
        seat, tile = event.payload.get("seat"), event.payload.get("tile")
        if type(seat) is not int or not isinstance(tile, str):
            self._wrong("kind", "the rules void no deal here")
        self._play(seat, tile, "")

    def _lapsed(self, event: Event) -> None:
        seat, after = event.seat, self._after()
        if seat is None or seat not in self.state.to_act() - self.state.bots:
            self._wrong("seat", "this seat has no turn that could lapse")
        counts = event.payload.get("in_match") != self.state.absences[seat].in_match
        # The limits are the table's, and in no record: a seat was forfeited where the record says so.
        limit = 1 if after is not None and after.kind == engine.FORFEITED else len(self.events) + 1
        limits = engine.Limits(limit, limit)
        self._decide(lambda: engine.lapse(self.state, seat, self.facts, limits, counts))

    def _resigned(self, event: Event) -> None:
        seat = event.seat
        if seat is None or seat >= self.state.options["players"] or seat in self.state.left | self.state.bots:
            self._wrong("seat", "no member sits there who could resign")
        self._decide(lambda: engine.leave(self.state, seat, engine.RESIGNED))

    def _voided(self, event: Event) -> None:
        reason = event.payload.get("reason")
        if not isinstance(reason, str):
            raise Unreadable(f"events[{self.index}].payload.reason is not right")
        self._decide(lambda: engine.void(self.state, reason))

    def _deadline_moved(self, event: Event) -> None:
        """A fact of the clock: it follows from nothing, and changes no position."""
        if event.payload.keys() != {"seat", "due_at", "why"}:
            raise Unreadable(f"events[{self.index}].payload is not right")
        self._check_number()
        _same(self.index + 1, "seat", event.seat, event.payload["seat"])
        self.index += 1

    # Deciding again.

    def _play(self, seat: Seat | None, move: Move, by: str) -> None:
        if seat is None or seat not in self.state.to_act():
            self._wrong("seat", "this seat is not to act")
        self._check_time(seat, move)
        self._decide(lambda: engine.step(self.state, seat, move, self.facts, by))

    def _by(self, index: int) -> str:
        """Who made the move of an event, when it was not the member."""
        by = self.events[index].payload.get("by", "")
        if by not in ("", "forced", "bot"):
            raise Differs(index + 1, "payload.by", f"{_short(by)} makes no move here")
        return str(by)

    def _decide(self, step: Callable[[], engine.Step]) -> None:
        """Take a step of the match, whose events must be the next ones of the record."""
        try:
            state, events = step()
        except IllegalMove:
            self._wrong("kind", "the rules do not allow this move here")
        except _Missing:
            self._wrong("kind", "the rules draw something here that the record does not have")
        position = self.state.position
        for event in events:
            self._compare(event, position)
            position = self.title.evolve(position, event)
            self.index += 1
        self.state = state

    # Comparing.

    def _compare(self, event: Event, position: State) -> None:
        """The next event of the record with what the rules say, which happens in `position`."""
        if self.index == len(self.events):
            self._wrong("kind", f"the record ends, but {_short(event.kind)} follows")
        number, told = self._check_number(), self.events[self.index]
        if self.lines[self.index] != codec.line(event, self._at(0)):
            _tell_apart(number, told, event)
        _same(number, "secret", _sorted(told.secret), _sorted(event.secret))
        self._check_mover(event, position)
        self._check_offer(event, position)

    def _check_number(self) -> int:
        number = self.index + 1
        _same(number, "number", self.record["events"][self.index]["number"], number)
        return number

    def _check_mover(self, event: Event, position: State) -> None:
        """Whether a move was really forced, and whether bots and members move in their own seats."""
        by, seat = event.payload.get("by"), event.seat
        if not engine.is_move(event) or by == "club":
            return
        assert seat is not None
        if by == "forced":
            right = self.title.forced_move(position, seat) == _move_of(event, self.index)
        else:
            right = (by == "bot") == (seat in self.state.bots)
        if not right:
            self._wrong("payload.by", f"{_short(by)} is not who makes this move")

    def _check_offer(self, event: Event, position: State) -> None:
        """Whether all moves that were offered are told, where a record tells them."""
        if not self.tells_offers:
            return
        told = self.record["events"][self.index].get("legal", _NOTHING)
        moved = event.seat if event.kind in engine.OFFERED else None
        legal = _NOTHING if moved is None else sorted(self.title.legal_moves(position, moved))
        _same(self.index + 1, "legal", told, legal)

    def _check_time(self, seat: Seat, move: Move) -> None:
        """Whether a move keeps to the claim window. Times are cut to whole seconds, so it may have come a bit later."""
        if engine.window(self.state) is None:
            return
        waited = self._waited()
        if not any(engine.may_act(self.state, seat, move, waited + part) for part in (0, 0.5)):
            self._wrong("at", "this move comes too early or too late")

    def _check_unclaimed(self) -> None:
        window = engine.window(self.state)
        if window is not None and self._waited() < engine.lasts(window):
            self._wrong("at", "the time to claim is not over")

    def _waited(self) -> float:
        """The seconds between the last event and the next one, which must be told while points wait."""
        before, now = self._at(-1), self._at(0)
        if before is None or now is None:
            self._wrong("at", "must be told where points wait to be claimed")
        try:
            return (datetime.fromisoformat(now) - datetime.fromisoformat(before)).total_seconds()
        except ValueError as error:
            raise Unreadable(f"events[{self.index}].at is not right") from error

    def _at(self, offset: int) -> str | None:
        """When the next event happened, or the one so many places behind it."""
        at: str | None = self.record["events"][self.index + offset]["at"]
        return at

    def _wrong(self, key: str, why: str) -> NoReturn:
        raise Differs(self.index + 1, key, why)


_FOLLOW: Mapping[str, Callable[[_Run, Event], None]] = {
    **dict.fromkeys((*engine.OFFERED, "claimed"), _Run._move),
    "redealt": _Run._redealt,
    "burnt": _Run._burnt,
    "lapsed": _Run._lapsed,
    "resigned": _Run._resigned,
    "voided": _Run._voided,
    "deadline_moved": _Run._deadline_moved,
}
"""How a stretch of events begins; all others follow from these."""

_WORDS = {"drew": "draw", "passed": "pass", "threw": "throw", "banked": "bank", "claimed": engine.CLAIM}


def _move_of(event: Event, index: int) -> Move:
    """The move that an event tells. Raises Unreadable."""
    if event.kind == "played":
        tiles = event.payload.get("tiles")
        if not isinstance(tiles, list) or not tiles or not all(map(_is_placement, tiles)):
            raise Unreadable(f"events[{index}].payload.tiles is not right")
        return "+".join(sorted(dominoes.write_placement(tile, end) for tile, end in tiles))
    if event.kind == "kept":
        return " ".join(["keep", *map(str, _faces(event.payload, index))])
    return _WORDS[event.kind]


def _is_placement(value: Json) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return isinstance(value[0], str) and (value[1] is None or isinstance(value[1], str))


def _options(title: Title, record: Mapping[str, Json]) -> dict[str, Json]:
    """The options of a record in the order of the rules page; all of them must be there. Raises Unreadable."""
    seats, options = len(record["seats"]), record["options"]
    if seats not in title.SEATS:
        raise Unreadable("seats is not right")
    if record["pace"] not in PACES:
        raise Unreadable("pace is not right")
    if not {*record["bots"]} <= {*range(seats)}:
        raise Unreadable("bots is not right")
    try:
        full = complete(title.OPTIONS, seats, options, live=record["pace"] == "live")
    except BadOption as error:
        raise Unreadable(f"options.{error}") from error
    for name in full:
        if name not in options:
            raise Unreadable(f"options.{name} is missing")
    return full


_NOTHING = object()


def _tell_apart(number: int, told: Event, right: Event) -> NoReturn:
    """Name the first key in which two events differ."""
    _same(number, "kind", told.kind, right.kind)
    _same(number, "seat", told.seat, right.seat)
    for key in (*right.payload, *told.payload):
        _same(number, f"payload.{key}", told.payload.get(key, _NOTHING), right.payload.get(key, _NOTHING))
    raise Differs(number, "payload", "the keys stand in another order")


def _same(number: int | None, key: str, told: object, right: object) -> None:
    """Compare as JSON is written: 1 is not true, and the order of keys counts. Raises Differs."""
    if _shown(told) != _shown(right):
        raise Differs(number, key, f"the record says {_short(told)}, the rules say {_short(right)}")


def _shown(value: object) -> str:
    return "nothing" if value is _NOTHING else json.dumps(value, ensure_ascii=False)


def _sorted(facts: Mapping[str, Json]) -> dict[str, Json]:
    """In one order: the database keeps secrets and options in its own."""
    return {key: facts[key] for key in sorted(facts)}


def _short(value: object, most: int = 200) -> str:
    shown = _shown(value)
    return shown if len(shown) <= most else f"{shown[:most]}..."


# The chain of the log (fairness.md 6)


def _check_proof(record: Mapping[str, Json], events: Sequence[Event], lines: Sequence[bytes]) -> None:
    """That the fairness part tells the same match, and that its chain holds. Raises Differs."""
    proof, match = record["fairness"], UUID(record["match"]).bytes
    for number, (text, line) in enumerate(zip(proof["log"], lines, strict=False), start=1):
        if text.encode() != line:
            raise Differs(number, "fairness.log", "the line does not tell the event")
    _same(None, "fairness.log", len(proof["log"]), len(lines))
    *_, head = chance.digests(match, [text.encode() for text in (*proof["setup"], *proof["log"])])
    _same(None, "fairness.head", proof["head"], head.hex())
    seeds = [None if seed is None else bytes.fromhex(seed) for seed in proof["seeds"]]
    transcript = chance.transcript(match, record["ruleset"], seeds)
    _same(None, "fairness.transcript", proof["transcript"], transcript.hex())
    _check_setup(record, seeds, transcript)
    reveal = proof["reveal"] or {"epoch": 0, "key": proof["commitment"]}
    _same(None, "fairness.reveal.epoch", reveal["epoch"], codec.revealed_epoch(events, proof["length"]))
    bottom = chance.descend(match, reveal["epoch"], bytes.fromhex(reveal["key"]))
    _same(None, "fairness.commitment", proof["commitment"], bottom.hex())


def _check_setup(record: Mapping[str, Json], seeds: Sequence[bytes | None], transcript: bytes) -> None:
    """The first line seals the table, the last one tells the seeds, those between who sat down with which."""
    proof, match = record["fairness"], record["match"]
    first, *between, last = proof["setup"] if len(proof["setup"]) > 1 else (*proof["setup"], "")
    commit = codec.commit_line(match, record["ruleset"], record["options"], proof["length"], proof["commitment"])
    if json.dumps(_parsed(first), sort_keys=True) != json.dumps(json.loads(commit), sort_keys=True):
        raise Differs(None, "fairness.setup[0]", "the line does not tell the table")
    joined: dict[Json, Json] = {}
    for index, line in enumerate(map(_parsed, between), start=1):
        if not isinstance(line, dict) or line.get("t") not in ("join", "leave"):
            raise Differs(None, f"fairness.setup[{index}]", "nobody sits down or gets up in this line")
        if line["t"] == "join":
            joined[repr(line.get("seat"))] = line.get("c")
    for seat, seed in enumerate(seeds):
        sealed = None if seed is None else chance.commitment(UUID(match).bytes, seat, seed).hex()
        _same(None, f"fairness.setup: c of seat {seat}", joined.get(repr(seat), _NOTHING), sealed)
    _same(None, "fairness.setup", last, codec.start_line(seeds, transcript).decode())


def _parsed(text: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
