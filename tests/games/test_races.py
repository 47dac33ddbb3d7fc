"""Things that happen at the same instant: exactly one of them wins (reliability.md P2, P5, P6, B14 to B16)."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection

from club.demo.matches import play, seated
from games import clock, services, store, titles
from games.errors import Refused
from games.models import Event, Heartbeat, Match, Receipt, Seat, Table, Turn
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Run every act in a thread of its own, let go by one barrier; the results, refusals included."""
    barrier = threading.Barrier(len(acts))

    def run(act):
        try:
            connection.ensure_connection()
            barrier.wait(timeout=30)
            return act()
        except Refused as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def two_seats(title: str = "thousand") -> Match:
    return seated([MemberFactory(), MemberFactory()], title)


def mover(match: Match):
    match.refresh_from_db()
    return Seat.objects.select_related("member").get(table_id=match.pk, number=match.to_act[0])


def a_move(match: Match, seat: Seat) -> str:
    title = titles.get(match.table.title)
    state = store.state_of(match, list(Seat.objects.filter(table_id=match.pk)))
    return title.legal_moves(state.position, seat.number)[0]


def test_fifty_copies_of_one_move_are_one_event():
    match = two_seats()
    seat, seen, key = mover(match), match.number, str(uuid4())

    def copy():
        return services.play_move(match_id=match.pk, member=seat.member, move="throw", seen=seen, key=key).number

    answers = at_once(*[copy] * 50)
    match.refresh_from_db()
    assert set(answers) == {match.number}
    assert Event.objects.filter(match=match, number__gt=seen, kind="threw").count() == 1
    assert Receipt.objects.filter(match=match).count() == 1


def test_two_tabs_with_keys_of_their_own_play_once():
    match = two_seats("kozel")
    seat, seen = mover(match), match.number
    move = a_move(match, seat)

    def tab():
        return services.play_move(match_id=match.pk, member=seat.member, move=move, seen=seen, key=str(uuid4())).number

    answers = Counter(at_once(*[tab] * 10))
    assert answers.pop("stale") == 9
    assert len(answers) == 1


def make_due(turn: Turn, ago: timedelta) -> None:
    """Let the deadline of a turn have passed `ago` before the database's clock."""
    moment = clock.now() - ago
    Turn.objects.filter(pk=turn.pk).update(promised_at=moment, due_at=moment)


def race_a_lapse(match: Match, early: float) -> Turn:
    """Move and lapse at the same instant, `early` milliseconds before the grace is over."""
    turn = match.turns.get(closed_at__isnull=True)
    seat = mover(match)
    move, seen = a_move(match, seat), match.number
    make_due(turn, clock.GRACE - timedelta(milliseconds=early))
    late = {"move": move, "seen": seen, "key": str(uuid4())}
    at_once(
        lambda: services.play_move(match_id=match.pk, member=seat.member, **late),
        lambda: services.expire_turn(turn.pk),
    )
    turn.refresh_from_db()
    return turn


@pytest.fixture
def beating():
    """A fresh heartbeat: turns may expire."""
    clock.beat()


def endless_match() -> Match:
    """A match that no number of lapses ends. In Kozel every move closes its turn."""
    match = two_seats("kozel")
    Table.objects.filter(pk=match.pk).update(lapses_in_a_row=30_000, lapses_in_match=30_000)
    return match


RACES = 1000


def test_move_against_lapse_exactly_one_closes_the_turn(beating):
    """At the edge of the grace the move's arrival decides; whichever it is, one event closes the turn."""
    match = endless_match()
    outcomes: Counter[str] = Counter()
    early = 5.0
    for race in range(RACES):
        if race % 50 == 0:
            clock.beat()
        match.refresh_from_db()
        if match.is_over:
            match = endless_match()
        before = match.number
        turn = race_a_lapse(match, early)
        after = list(store.load(match.pk, since=before))
        lapsed = [told for told in after if told.event.kind == "lapsed"]
        moved = [told for told in after if told.event.kind == "played" and "by" not in told.event.payload]
        assert len(lapsed) + len(moved) == 1
        assert turn.how == (Turn.How.LAPSE if lapsed else Turn.How.MOVE)
        outcomes["lapse" if lapsed else "move"] += 1
        # Whoever lost gets a little more time in the next race: so they stay close on any machine.
        early += 0.5 if lapsed else -0.5
    assert sum(outcomes.values()) == RACES
    assert outcomes["move"] > RACES // 20, "the races must be close, or they show nothing"
    assert outcomes["lapse"] > RACES // 20


def race_within_the_grace(match: Match) -> None:
    turn = match.turns.get(closed_at__isnull=True)
    seat = mover(match)
    sent = {"move": a_move(match, seat), "seen": match.number, "key": str(uuid4())}
    make_due(turn, timedelta(seconds=2))
    lapsed, accepted = at_once(
        lambda: services.expire_turn(turn.pk),
        lambda: services.play_move(match_id=match.pk, member=seat.member, **sent),
    )
    assert lapsed is False
    assert accepted.number > sent["seen"]


def test_a_move_within_the_grace_stands_even_if_the_sweep_runs(beating):
    match = two_seats()
    for _ in range(20):
        race_within_the_grace(match)
        match.refresh_from_db()
        if match.is_over:
            match = two_seats()


def test_two_sweeps_lapse_a_turn_once(beating):
    match = two_seats("kozel")
    turn = match.turns.get(closed_at__isnull=True)
    make_due(turn, timedelta(minutes=1))
    answers = at_once(*[lambda: services.expire_turn(turn.pk)] * 6)
    assert answers.count(True) == 1
    assert Event.objects.filter(match=match, kind="lapsed").count() == 1


def test_the_last_seat_goes_to_one_of_two():
    table = services.open_table(member=MemberFactory(), title="thousand", size=2, options={})
    one, other = MemberFactory(), MemberFactory()
    answers = at_once(
        lambda: services.take_seat(member=one, table_id=table.id),
        lambda: services.take_seat(member=other, table_id=table.id),
    )
    assert sorted(isinstance(answer, str) for answer in answers) == [False, True]
    assert Match.objects.filter(pk=table.id).count() == 1


def test_when_both_resign_the_first_one_ends_the_match():
    match = play(two_seats("kozel"), moves=3)
    seats = list(Seat.objects.filter(table_id=match.pk).select_related("member"))
    at_once(*[lambda seat=seat: services.resign(match_id=match.pk, member=seat.member) for seat in seats])
    assert Event.objects.filter(match=match, kind="match_ended").count() == 1
    assert Event.objects.filter(match=match, kind="resigned").count() == 1


def test_two_lapses_of_one_member_at_one_instant_count_once(beating):
    member = MemberFactory()
    for _ in range(5):
        turns = []
        while len(turns) < 2:
            match = seated([member, MemberFactory()], "thousand")
            if mover(match).member == member:
                turns.append(match.turns.get(closed_at__isnull=True))
        Seat.objects.filter(member=member).update(lapsed_at=None, lapses_in_match=0, lapses_in_a_row=0)
        for turn in turns:
            make_due(turn, timedelta(minutes=1))
        assert at_once(*[lambda turn=turn: services.expire_turn(turn.pk) for turn in turns]) == [True, True]
        assert sum(Seat.objects.filter(member=member).values_list("lapses_in_match", flat=True)) == 1


def test_nothing_lapses_without_a_heartbeat():
    match = two_seats()
    turn = match.turns.get(closed_at__isnull=True)
    make_due(turn, timedelta(hours=1))
    Heartbeat.objects.all().delete()
    assert services.expire_turn(turn.pk) is False
    match.refresh_from_db()
    assert Event.objects.filter(match=match, kind="lapsed").count() == 0
