"""Everything that changes a table or a match. One transaction each; refusals change nothing (architecture.md 6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from club.members.models import Member
from games import clock, codes, live, signals, store, titles
from games.engine import chance, codec
from games.engine import match as engine
from games.engine.contract import Event, IllegalMove, Json
from games.engine.options import BadOption, complete
from games.errors import (
    AgainstRules,
    KeyReused,
    Lapsed,
    Malformed,
    NotFound,
    NotYourTurn,
    Over,
    Stale,
    Taken,
    WrongCode,
)
from games.models import Match, Outage, Receipt, Seat, Table, Turn

TURN_HOURS = (12, 24, 48, 72)
OPEN_FOR = timedelta(days=7)
CODE_FOR = timedelta(hours=24)
"""How long an open table, and a room code, wait for people."""

ONE_MISS = timedelta(hours=6)
"""Several lapses of one member in this time are one bad evening, and count once (time.md 2)."""


# Tables


@transaction.atomic
def open_table(
    *,
    member: Member,
    title: str,
    size: int,
    options: Mapping[str, Json],
    turn_hours: int = 24,
    is_private: bool = False,
) -> Table:
    """Open a table and sit down at its first seat. Raises Malformed for what is not offered."""
    rules, full = _offered(title, size, options, turn_hours)
    moment = clock.now()
    table = Table.objects.create(
        title=title,
        ruleset=rules.RULESET,
        size=size,
        options=full,
        turn_seconds=turn_hours * 3600,
        is_private=is_private,
        opener=member,
        chain_length=chance.LENGTH,
        opened_at=moment,
        expires_at=moment + (CODE_FOR if is_private else OPEN_FOR),
    )
    if is_private:
        _give_code(table)
    commitment = store.new_root(table)
    store.add_setup_line(table, codec.commit_line(str(table.id), rules.RULESET, full, table.chain_length, commitment))
    _sit(table, member, 0, moment)
    return table


def _offered(title: str, size: int, options: Mapping[str, Json], turn_hours: int):
    try:
        rules = titles.get(title)
        full = complete(rules.OPTIONS, size, options)
    except (KeyError, BadOption) as error:
        raise Malformed from error
    if size not in rules.SEATS or turn_hours not in TURN_HOURS:
        raise Malformed
    return rules, full


def _give_code(table: Table) -> None:
    for attempt in range(256):
        digest = codes.code_hash(codes.code_for(table.id, attempt))
        if not Table.objects.filter(code_hash=digest, status=Table.Status.OPEN).exists():
            table.code_hash, table.code_try = digest, attempt
            table.save(update_fields=["code_hash", "code_try"])
            return
    raise RuntimeError("no free room code")


def take_seat(*, member: Member, table_id: UUID, number: int | None = None) -> Table:
    """Sit down at an open table; the doors have asked before whether the member may know of it.

    The match starts with the last seat. Sitting there already is no error. Raises NotFound, Taken.
    """
    with transaction.atomic():
        table = _locked_table(table_id)
        if table.seats.filter(member=member).exists():
            return table
        if table.status != Table.Status.OPEN or table.expires_at <= clock.now():
            raise NotFound
        _sit(table, member, _free_number(table, number), clock.now())
        if table.seats.count() == table.size:
            _start(table)
    return table


def join_by_code(*, member: Member, typed: str) -> Table:
    """Sit down at the private table that has this code. Raises WrongCode, whatever was wrong."""
    table = table_by_code(typed)
    if table is None:
        raise WrongCode
    try:
        return take_seat(member=member, table_id=table.id)
    except (NotFound, Taken) as error:
        raise WrongCode from error


def table_by_code(typed: str) -> Table | None:
    """The open table of a typed room code."""
    code = codes.read_code(typed)
    if code is None:
        return None
    open_now = Table.objects.filter(status=Table.Status.OPEN, expires_at__gt=clock.now())
    return open_now.filter(code_hash=codes.code_hash(code)).first()


@transaction.atomic
def leave_table(*, member: Member, table_id: UUID) -> None:
    """Get up before the start; the last one to leave closes the table. Raises NotFound, Over once it has started."""
    table = _locked_table(table_id)
    seat = table.seats.filter(member=member).first()
    if seat is None:
        raise NotFound
    if table.status != Table.Status.OPEN:
        raise Over
    seat.delete()
    store.add_setup_line(table, codec.leave_line(seat.number))
    if not table.seats.exists():
        _close(table)


@transaction.atomic
def expire_table(table_id: UUID) -> bool:
    """Close a table nobody completed in time, and tell those who waited. Returns whether it was closed now."""
    table = Table.objects.select_for_update(skip_locked=True).filter(pk=table_id, status=Table.Status.OPEN).first()
    if table is None or table.expires_at > clock.now():
        return False
    _close(table)
    signals.table_expired.send(Table, table=table)
    return True


def _close(table: Table) -> None:
    table.status = Table.Status.CLOSED
    table.save(update_fields=["status"])


def _locked_table(table_id: UUID) -> Table:
    table = Table.objects.select_for_update().filter(pk=table_id).first()
    if table is None:
        raise NotFound
    return table


def _free_number(table: Table, wanted: int | None) -> int:
    taken = set(table.seats.values_list("number", flat=True))
    free = [number for number in range(table.size) if number not in taken]
    if wanted is None and free:
        return free[0]
    if wanted not in free:
        raise Taken
    return wanted


def _sit(table: Table, member: Member, number: int, moment: datetime) -> None:
    Seat.objects.create(table=table, number=number, member=member, taken_at=moment)
    store.add_setup_line(table, codec.join_line(number, None))


def _start(table: Table) -> Match:
    """All seats are taken: fix the transcript and play the opening events."""
    seeds: list[bytes | None] = [None] * table.size
    transcript = chance.transcript(table.id.bytes, table.ruleset, seeds)
    lines, head = store.add_setup_line(table, codec.start_line(seeds, transcript))
    table.status = Table.Status.STARTED
    table.save(update_fields=["status"])
    moment = clock.now()
    match = Match(table=table, transcript=transcript, setup_length=lines, head=head, started_at=moment, moved_at=moment)
    match.save(force_insert=True)
    seats = list(table.seats.select_related("member").order_by("number"))
    run = _Run(match, seats, [], moment, engine.initial(titles.of(table.ruleset), table.options))
    run.take(engine.begin(run.state.title, table.options, run.draws))
    run.commit(None, Turn.How.MOVE)
    return match


# Moves


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer to a move: the number of the last event it led to. `again` when it had been accepted before."""

    number: int
    again: bool = False


def play_move(*, match_id: UUID, member: Member, move: str, seen: int, key: str) -> Accepted:
    """Play a member's move. At most once for each `key`, and only on the board with last event `seen`.

    Raises NotFound (not a seat of this match), Stale and its kinds (the board has moved on), AgainstRules.
    """
    body = hashlib.sha256(f"{seen} {move}".encode()).digest()
    with transaction.atomic():
        match, moment = _locked_match(match_id)
        run = _Run.of(match, moment)
        seat = run.seat_of(member)
        if (receipt := Receipt.objects.filter(match=match, seat=seat.number, key=key).first()) is not None:
            return _repeated(receipt, match, body)
        _refuse_unless_current(match, seat, seen)
        accepted = _play_or_expire(run, seat, move)
        if accepted is not None:
            Receipt.objects.create(match=match, seat=seat.number, key=key, body=body, number=accepted.number)
    if accepted is None:
        raise Lapsed(number=match.number)
    return accepted


def _repeated(receipt: Receipt, match: Match, body: bytes) -> Accepted:
    """The stored answer to a move that is sent again. Raises KeyReused when it is another move."""
    if bytes(receipt.body) != body:
        raise KeyReused(number=match.number)
    return Accepted(receipt.number, again=True)


def _refuse_unless_current(match: Match, seat: Seat, seen: int) -> None:
    if match.is_over:
        raise Over(number=match.number)
    if seen != match.number:
        raise Stale(number=match.number)
    if seat.number not in match.to_act or seat.left:
        raise NotYourTurn(number=match.number)


def _play_or_expire(run: _Run, seat: Seat, move: str) -> Accepted | None:
    """Play the move, or let its turn lapse when it came too late; None then."""
    turn = next((turn for turn in run.turns if turn.seat == seat.number), None)
    if turn is not None and _is_past(turn, run.moment) and clock.may_expire(run.moment):
        _expire(run, turn)
        return None
    return _play(run, seat, move)


def _play(run: _Run, seat: Seat, move: str) -> Accepted:
    match = run.match
    try:
        run.take(engine.step(run.state, seat.number, move, run.draws))
    except IllegalMove as error:
        raise AgainstRules(error.reason, number=match.number) from error
    except chance.ChainExhausted:
        run.take(engine.void(run.state, "chain"))
    run.commit(seat, Turn.How.MOVE)
    return Accepted(match.number)


def resign(*, match_id: UUID, member: Member) -> Accepted:
    """Give the match up, from any board. A bot plays the seat on, or the match ends. Raises NotFound, Over."""
    with transaction.atomic():
        match, moment = _locked_match(match_id)
        run = _Run.of(match, moment)
        seat = run.seat_of(member)
        if match.is_over or seat.left:
            raise Over(number=match.number)
        run.take(engine.leave(run.state, seat.number, engine.RESIGNED))
        run.commit(seat, Turn.How.LEFT)
    return Accepted(match.number)


# The clock


@transaction.atomic
def expire_turn(turn_id: int) -> bool:
    """Let a due turn lapse. Returns whether it lapsed now: someone else may hold the match, or the turn moved on."""
    match_id = Turn.objects.filter(pk=turn_id, closed_at__isnull=True).values_list("match_id", flat=True).first()
    if match_id is None:
        return False
    rows = Match.objects.select_for_update(of=("self",), no_key=True, skip_locked=True).select_related("table")
    match = rows.filter(pk=match_id).first()
    moment = clock.now()
    if match is None or not clock.may_expire(moment):
        return False
    run = _Run.of(match, moment)
    turn = next((turn for turn in run.turns if turn.pk == turn_id), None)
    if turn is None or not _is_past(turn, moment):
        return False
    _expire(run, turn)
    return True


def _is_past(turn: Turn, moment: datetime) -> bool:
    return moment > turn.due_at + clock.GRACE


def _expire(run: _Run, turn: Turn) -> None:
    match, moment, seat = run.match, run.moment, run.seats[turn.seat]
    # Two matches of one member may lapse at once; only one of them may be the first within six hours.
    Member.objects.select_for_update(no_key=True).get(pk=seat.member_id)
    counts = not clock.blameless(turn.opened_at, moment) and not _missed_lately(seat, moment)
    limits = engine.Limits(match.table.lapses_in_a_row, match.table.lapses_in_match)
    if counts:
        seat.lapsed_at = moment
    try:
        run.take(engine.lapse(run.state, seat.number, run.draws, limits, counts))
    except chance.ChainExhausted:
        run.take(engine.void(run.state, "chain"))
    run.commit(seat, Turn.How.LAPSE)
    signals.turn_lapsed.send(Match, match=match, turn=turn, seat=seat)


def _missed_lately(seat: Seat, moment: datetime) -> bool:
    seats = Seat.objects.filter(member_id=seat.member_id)
    last = seats.aggregate(last=Max("lapsed_at"))["last"]
    return last is not None and moment - last < ONE_MISS


@transaction.atomic
def give_back(match_id: UUID, outage: Outage) -> None:
    """Move the open deadlines of a match by the time an outage took, once, with an event that says so."""
    match, moment = _locked_match(match_id)
    if match.settled_outage >= outage.pk or match.is_over:
        return
    seats, events = _seats(match), []
    for turn in match.turns.filter(closed_at__isnull=True, opened_at__lt=outage.ended_at):
        turn.due_at = clock.given_back(turn.due_at, turn.opened_at, outage)
        turn.save(update_fields=["due_at"])
        due = store.stamp(turn.due_at)
        events.append(Event("deadline_moved", turn.seat, {"seat": turn.seat, "due_at": due, "why": "outage"}))
        signals.deadline_moved.send(Match, match=match, turn=turn, seat=seats[turn.seat])
    store.append(match, titles.of(match.table.ruleset), events, moment)
    match.settled_outage = outage.pk
    match.save(update_fields=["number", "head", "settled_outage"])
    live.ping(match)


def settle(outage: Outage) -> None:
    """Mark an outage as given back everywhere; from now on turns may lapse again."""
    Outage.objects.filter(pk=outage.pk).update(settled_at=clock.ClockTimestamp())


# One run of a match under its lock


def _locked_match(match_id: UUID) -> tuple[Match, datetime]:
    """The match under its row lock, and when the request arrived: waiting for the lock alone makes nobody late."""
    rows = Match.objects.select_for_update(of=("self",), no_key=True).select_related("table")
    match = rows.annotate(arrived=clock.ClockTimestamp()).filter(pk=match_id).first()
    if match is None:
        raise NotFound
    return match, match.arrived


def _seats(match: Match) -> list[Seat]:
    return list(Seat.objects.filter(table_id=match.pk).select_related("member").order_by("number"))


class _Run:
    """What one transaction does to a match: steps are taken in memory, then everything is written at once."""

    def __init__(
        self,
        match: Match,
        seats: list[Seat],
        turns: list[Turn],
        moment: datetime,
        state: engine.MatchState | None = None,
    ) -> None:
        self.match, self.seats, self.turns, self.moment = match, seats, turns, moment
        self.draws = store.chance_of(match.table, bytes(match.transcript))
        self._state = state
        self._events: list[Event] = []
        self._going_on = set(match.to_act)
        """Seats whose turn has not been interrupted: several moves may belong to one turn."""

    @classmethod
    def of(cls, match: Match, moment: datetime) -> _Run:
        """A run of a stored match, with its seats and open turns; the position is folded when it is first needed."""
        return cls(match, _seats(match), list(match.turns.filter(closed_at__isnull=True)), moment)

    @property
    def state(self) -> engine.MatchState:
        if self._state is None:
            self._state = store.state_of(self.match, self.seats)
        return self._state

    def seat_of(self, member: Member) -> Seat:
        """The seat of a member. Raises NotFound."""
        for seat in self.seats:
            if seat.member_id == member.pk:
                return seat
        raise NotFound

    def take(self, step: engine.Step) -> None:
        self._state = step.state
        self._events += step.events
        self._going_on &= step.state.to_act()
        if any(event.kind in self.state.title.OPENS for event in step.events):
            self._going_on.clear()

    def commit(self, actor: Seat | None, how: Turn.How) -> None:
        """Play what needs nobody's choice, then write events, seats, turns and the summary, and tell.

        `how` is what closes the turn of `actor`; any other turn that is over ended with the match.
        """
        self._play_automatic()
        store.append(self.match, self.state.title, self._events, self.moment)
        self._write_seats()
        self._summarise()
        opened = self._write_turns(actor.number if actor else None, how)
        for turn in opened:
            signals.turn_opened.send(Match, match=self.match, turn=turn, seat=self.seats[turn.seat])
        if self.state.outcome:
            signals.match_ended.send(Match, match=self.match, outcome=self.state.outcome)
        live.ping(self.match)

    def _play_automatic(self) -> None:
        while (auto := engine.automatic(self.state)) is not None:
            try:
                self.take(engine.step(self.state, auto.seat, auto.move, self.draws, auto.by))
            except chance.ChainExhausted:
                self.take(engine.void(self.state, "chain"))

    def _write_seats(self) -> None:
        changed = []
        for seat, absence in zip(self.seats, self.state.absences, strict=True):
            left = seat.left or (_how_left(self._events, seat.number) if seat.number in self.state.left else "")
            figures = (absence.in_a_row, absence.in_match, left)
            if figures != (seat.lapses_in_a_row, seat.lapses_in_match, seat.left):
                seat.lapses_in_a_row, seat.lapses_in_match, seat.left = figures
                changed.append(seat)
        fields = ["lapses_in_a_row", "lapses_in_match", "left", "lapsed_at"]
        for seat in changed:
            seat.save(update_fields=fields)

    def _summarise(self) -> None:
        match, outcome = self.match, self.state.outcome
        match.to_act = sorted(self.state.to_act())
        match.scores = list(self.state.scores())
        match.moved_at = self.moment
        if outcome:
            match.outcome = engine.outcome_payload(outcome)
            match.ended_at = self.moment
            match.status = Match.Status.VOIDED if outcome.reason == engine.VOIDED else Match.Status.FINISHED
        match.save()

    def _write_turns(self, actor: int | None, how: Turn.How) -> Sequence[Turn]:
        """Close the turns that are over, open those that have begun; a bot has none."""
        acting = self.state.to_act() - self.state.bots
        closed = [turn for turn in self.turns if turn.seat not in self._going_on & acting]
        for turn in closed:
            turn.closed_at, turn.how = self.moment, how if turn.seat == actor else Turn.How.END
            turn.save(update_fields=["closed_at", "how"])
        if closed:
            signals.turns_closed.send(Match, match=self.match, turns=closed)
        due = self.moment + timedelta(seconds=self.match.table.turn_seconds)
        return [
            Turn.objects.create(match=self.match, seat=seat, opened_at=self.moment, due_at=due, promised_at=due)
            for seat in sorted(acting - self._going_on)
        ]


def _how_left(events: Iterable[Event], seat: int) -> str:
    return next(
        event.kind for event in events if event.kind in (engine.RESIGNED, engine.FORFEITED) and event.seat == seat
    )
