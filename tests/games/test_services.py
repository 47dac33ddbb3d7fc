"""Tables, moves, lapses and leaving, through the services and against the real database."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from cryptography.exceptions import InvalidTag
from django.db import DatabaseError, connection, transaction

from club.demo.matches import play, seated
from games import clock, codes, selectors, services, store, titles
from games.engine import chance
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
from games.models import Event, Heartbeat, Match, Outage, Seat, SetupLine, Table, Turn
from games.tasks import breaker, expire_tables, sweep
from notifications import kinds
from notifications.models import Notice
from tests import records as reader
from tests.factories import GuestFactory, MemberFactory

pytestmark = pytest.mark.django_db


def open_table(member=None, **given) -> Table:
    given = {"title": "kozel", "size": 2, "options": {}} | given
    return services.open_table(member=member or MemberFactory(), **given)


def match_of(title: str = "thousand", size: int = 2, **options) -> Match:
    return seated([MemberFactory() for _ in range(size)], title, **options)


def acting(match: Match) -> Seat:
    match.refresh_from_db()
    return Seat.objects.select_related("member").get(table_id=match.pk, number=match.to_act[0])


def first_move(match: Match, seat: Seat) -> str:
    return selectors.match_page(match, seat).offers[0].move


def send(match: Match, seat: Seat, move: str | None = None, **given):
    move = move or first_move(match, seat)
    given = {"seen": match.number, "key": str(uuid4())} | given
    return services.play_move(match_id=match.pk, member=seat.member, move=move, **given)


def pass_time(match: Match, hours: float) -> None:
    """Let every open deadline come `hours` nearer."""
    for turn in match.turns.filter(closed_at__isnull=True):
        ago = timedelta(hours=hours)
        Turn.objects.filter(pk=turn.pk).update(
            opened_at=turn.opened_at - ago, due_at=turn.due_at - ago, promised_at=turn.promised_at - ago
        )


@pytest.fixture
def beating():
    clock.beat()


class TestTables:
    def test_whoever_opens_sits_at_the_first_seat_and_every_option_has_its_value(self):
        table = open_table(title="kozel", size=4, options={"bald": True})
        assert [seat.number for seat in table.seats.all()] == [0]
        assert table.options == {
            "players": 4,
            "teams": True,
            "target": 101,
            "entry_13": False,
            "bald": True,
            "blank_double_rank": "lowest",
            "round_limit": None,
        }

    @pytest.mark.parametrize(
        "wrong",
        [
            {"title": "chess"},
            {"size": 5},
            {"size": 1},
            {"options": {"bald": 1}},
            {"options": {"bald": "on"}},
            {"options": {"teams": True}},
            {"options": {"target": 365}},
            {"options": {"unknown": True}},
            {"turn_hours": 13},
        ],
    )
    def test_what_is_not_offered_is_refused(self, wrong):
        with pytest.raises(Malformed):
            open_table(**wrong)
        assert not Table.objects.exists()

    def test_the_match_starts_with_the_last_seat_under_the_same_id(self):
        table = open_table(size=3)
        services.take_seat(member=MemberFactory(), table_id=table.id, number=2)
        assert not Match.objects.exists()
        services.take_seat(member=GuestFactory(), table_id=table.id)
        match = Match.objects.get(pk=table.id)
        assert [event.kind for event in match.events.order_by("number")][:2] == ["match_started", "dealt"]
        assert match.turns.filter(closed_at__isnull=True).count() == 1

    def test_a_taken_seat_and_a_full_table_are_refused_and_sitting_twice_is_not(self):
        member = MemberFactory()
        table = open_table(member, size=3)
        with pytest.raises(Taken):
            services.take_seat(member=MemberFactory(), table_id=table.id, number=0)
        assert services.take_seat(member=member, table_id=table.id) == table
        for _ in range(2):
            services.take_seat(member=MemberFactory(), table_id=table.id)
        with pytest.raises(NotFound):
            services.take_seat(member=MemberFactory(), table_id=table.id)

    def test_leaving_frees_the_seat_and_the_last_one_closes_the_table(self):
        one, other = MemberFactory(), MemberFactory()
        table = open_table(one, size=3)
        services.take_seat(member=other, table_id=table.id)
        services.leave_table(member=one, table_id=table.id)
        services.leave_table(member=other, table_id=table.id)
        table.refresh_from_db()
        assert table.status == Table.Status.CLOSED
        with pytest.raises(NotFound):
            services.take_seat(member=one, table_id=table.id)

    def test_nobody_leaves_a_started_match_by_the_table_door(self):
        match = match_of()
        seat = acting(match)
        with pytest.raises(Over):
            services.leave_table(member=seat.member, table_id=match.pk)

    def test_an_unanswered_table_expires_and_tells_who_waited(self):
        member = MemberFactory()
        table = open_table(member)
        assert expire_tables() == 0
        Table.objects.filter(pk=table.pk).update(expires_at=clock.now() - timedelta(seconds=1))
        assert expire_tables() == 1
        assert expire_tables() == 0
        assert Notice.objects.filter(member=member, kind="table_expired").count() == 1

    def test_the_set_up_lines_are_a_chain_that_the_events_go_on(self):
        match = match_of(size=3)
        lines = [bytes(line.line) for line in SetupLine.objects.filter(table_id=match.pk).order_by("index")]
        events = store.load(match.pk)
        lines += [numbered.line for numbered in events]
        assert [*chance.digests(match.pk.bytes, lines)][-1] == events[-1].digest == bytes(match.head)


class TestCodes:
    def test_a_code_is_forgiven_its_case_blanks_and_look_alikes(self):
        table = open_table(is_private=True)
        code = codes.code_for(table.id, table.code_try)
        assert len(code) == 8
        assert set(code) <= set(codes.ALPHABET)
        typed = " ".join(code.replace("1", "ı").replace("0", "o")).lower()
        assert services.join_by_code(member=MemberFactory(), typed=typed) == table

    @pytest.mark.parametrize(
        ("typed", "read"),
        [
            ("iİıIlL00", "11111100"),
            ("oO-oO oO oo", "00000000"),
            ("ABCD EFGH", "ABCDEFGH"),
            ("abcdefgu", None),
            ("ABCDEFG", None),
            ("ABCDEFGHJ", None),
            ("абвгдежз", None),
            ("A" * 10_000, None),
            ("\x00" * 8, None),
        ],
    )
    def test_reading(self, typed, read):
        assert codes.read_code(typed) == read

    def test_wrong_expired_and_full_answer_alike(self):
        expired, full = open_table(is_private=True), open_table(is_private=True)
        Table.objects.filter(pk=expired.pk).update(expires_at=clock.now())
        services.join_by_code(member=MemberFactory(), typed=selectors.room_code(full))
        answers = set()
        for typed in ("ZZZZ-ZZZZ", "nonsense", selectors.room_code(expired), selectors.room_code(full)):
            with pytest.raises(WrongCode) as refusal:
                services.join_by_code(member=MemberFactory(), typed=typed)
            answers.add((refusal.value.status, refusal.value.code, str(refusal.value.detail)))
        assert len(answers) == 1

    def test_only_the_hmac_is_stored(self):
        table = open_table(is_private=True)
        code = codes.code_for(table.id, table.code_try)
        with connection.cursor() as cursor:
            cursor.execute("SELECT t::text FROM games_table AS t")
            assert code not in str(cursor.fetchall())


class TestMoves:
    def test_a_move_is_told_by_its_number(self):
        match = match_of()
        before = match.number
        assert send(match, acting(match), "throw").number > before

    def test_the_same_key_is_answered_from_store_and_another_body_is_refused(self):
        match = match_of()
        seat, seen = acting(match), match.number
        first = send(match, seat, "throw", key="a-key-of-mine")
        again = send(match, seat, "throw", key="a-key-of-mine", seen=seen)
        assert (again.number, again.again) == (first.number, True)
        with pytest.raises(KeyReused):
            send(match, seat, "bank", key="a-key-of-mine", seen=seen)

    def test_a_refused_key_may_be_used_again(self):
        match = match_of()
        seat = acting(match)
        with pytest.raises(AgainstRules):
            send(match, seat, "bank", key="a-key-of-mine")
        assert send(match, seat, "throw", key="a-key-of-mine").number

    @pytest.mark.parametrize("seen", [-1, 1])
    def test_a_board_from_the_past_or_the_future_is_refused(self, seen):
        match = match_of()
        seat = acting(match)
        with pytest.raises(Stale):
            send(match, seat, "throw", seen=match.number + seen)

    def test_refusals_change_nothing(self):
        match = match_of("kozel", 3)
        seat = acting(match)
        other = Seat.objects.exclude(pk=seat.pk).filter(table_id=match.pk).first()
        before = [*Event.objects.values_list("number", flat=True)], match.turns.count(), Notice.objects.count()
        for refusal, sent in (
            (NotYourTurn, {"seat": other, "move": "draw"}),
            (AgainstRules, {"seat": seat, "move": "pass"}),
            (AgainstRules, {"seat": seat, "move": "77@L"}),
            (AgainstRules, {"seat": seat, "move": "x" * 5000}),
        ):
            with pytest.raises(refusal):
                send(match, **sent)
        assert before == (
            [*Event.objects.values_list("number", flat=True)],
            match.turns.count(),
            Notice.objects.count(),
        )

    def test_strangers_find_nothing(self):
        match = match_of()
        stranger = Seat(member=MemberFactory())
        with pytest.raises(NotFound):
            send(match, stranger, "throw")
        with pytest.raises(NotFound):
            services.play_move(match_id=uuid4(), member=stranger.member, move="throw", seen=1, key="12345678")

    def test_after_the_end_everything_is_over(self):
        match = play(match_of("kozel", round_limit=1))
        for seat in Seat.objects.filter(table_id=match.pk).select_related("member"):
            with pytest.raises(Over):
                send(match, seat, "draw")
            with pytest.raises(Over):
                services.resign(match_id=match.pk, member=seat.member)

    @pytest.mark.parametrize(("title", "size"), [(s, n) for s in titles.slugs() for n in titles.get(s).SEATS])
    def test_a_whole_match_leaves_a_record_that_holds(self, title, size):
        match = play(match_of(title, size))
        record = selectors.record(match, None)
        reader.check(record)
        assert match.outcome == {**record["outcome"]}
        assert match.turns.filter(closed_at__isnull=True).count() == 0
        assert record["fairness"]["reveal"]["epoch"] == match.table.chain_length

    def test_one_turn_holds_all_throws_and_has_one_deadline(self):
        match = match_of("thousand")
        seat = acting(match)
        turn = match.turns.get(closed_at__isnull=True)
        send(match, seat, "throw")
        match.refresh_from_db()
        if match.to_act == [seat.number]:
            send(match, seat)
            assert match.turns.get(closed_at__isnull=True) == turn
        else:
            turn.refresh_from_db()
            assert turn.how == Turn.How.MOVE

    def test_the_deadline_is_a_day_of_seconds(self):
        turn = match_of().turns.get()
        assert turn.due_at - turn.opened_at == timedelta(seconds=86_400)
        assert turn.promised_at == turn.due_at


class TestLapses:
    def lapse(self, match: Match) -> Seat:
        seat = acting(match)
        pass_time(match, 24.01)
        # One bad evening is one miss; these lapses are days apart.
        Seat.objects.filter(table_id=match.pk, lapsed_at__isnull=False).update(
            lapsed_at=clock.now() - timedelta(hours=23)
        )
        clock.beat()
        assert sweep() == 1
        match.refresh_from_db()
        return seat

    def test_the_club_plays_and_tells_how_many_are_left(self, beating):
        match = match_of("kozel", 3)
        seat = self.lapse(match)
        seat.refresh_from_db()
        assert (seat.lapses_in_a_row, seat.lapses_in_match, seat.left) == (1, 1, "")
        events = [(event.kind, event.payload.get("by")) for event in match.events.order_by("number")]
        assert ("lapsed", None) in events
        assert any(by == "club" for _kind, by in events)
        assert Notice.objects.filter(member=seat.member, kind="lapsed").count() == 1
        assert match.turns.filter(how=Turn.How.LAPSE).count() == 1

    def test_the_second_in_a_row_forfeits(self, beating):
        match = match_of("kozel", 2)
        late = self.lapse(match)
        while not match.is_over:
            if acting(match).number == late.number:
                self.lapse(match)
            else:
                send(match, acting(match))
                match.refresh_from_db()
        late.refresh_from_db()
        assert late.left == Seat.Left.FORFEITED
        assert match.outcome["reason"] == "forfeited"
        assert match.outcome["winners"] == [1 - late.number]
        assert Notice.objects.filter(kind="match_ended").count() == 2

    def test_among_three_a_bot_takes_the_seat_and_the_match_goes_on(self, beating):
        # No match of Kozel is over before two rounds of turns, while a lucky throw may end one of Thousand.
        match = match_of("kozel", 3)
        late = self.lapse(match)
        while acting(match).number != late.number:
            send(match, acting(match))
        self.lapse(match)
        assert not match.is_over
        assert match.events.filter(kind="bot_seated", seat=late.number).count() == 1
        assert match.to_act != [late.number]
        match = play(match)
        assert late.number not in match.outcome["winners"]
        reader_seats = match.events.filter(payload__by="bot").values_list("seat", flat=True)
        assert set(reader_seats) == {late.number}

    def test_several_in_six_hours_count_once(self, beating):
        one = match_of("thousand", 2)
        seat = acting(one)
        other = seated([seat.member, MemberFactory()], "thousand")
        while acting(other).member != seat.member:
            send(other, acting(other))
        pass_time(one, 24.01)
        pass_time(other, 24.01)
        assert sweep() == 2
        counted = Seat.objects.filter(member=seat.member).values_list("lapses_in_match", flat=True)
        assert sorted(counted) == [0, 1]

    def test_before_the_grace_is_over_nothing_lapses(self, beating):
        match = match_of()
        pass_time(match, 24)
        assert sweep() == 0

    def test_a_late_move_finds_the_lapse_played(self, beating):
        match = match_of()
        seat, seen = acting(match), match.number
        pass_time(match, 24.01)
        clock.beat()
        with pytest.raises(Lapsed):
            send(match, seat, "throw", seen=seen)
        match.refresh_from_db()
        assert match.events.filter(kind="lapsed").count() == 1
        with pytest.raises(Stale):
            send(match, seat, "throw", seen=seen)

    def test_a_late_move_stands_while_expiry_is_halted(self):
        match = match_of()
        seat = acting(match)
        pass_time(match, 30)
        assert send(match, seat, "throw").number

    def test_the_breaker_stops_before_the_first_expiry_and_a_person_resumes(self, beating):
        for _ in range(breaker() + 1):
            pass_time(match_of(), 25)
        assert sweep() == 0
        assert not Event.objects.filter(kind="lapsed").exists()
        clock.beat()
        assert sweep() == 0
        assert clock.resume()
        assert not clock.resume()
        assert sweep() == breaker() + 1

    def test_after_a_resume_the_breaker_still_stands_for_what_comes_later(self, beating):
        clock.halt("by hand")
        assert clock.resume()
        for _ in range(breaker() + 1):
            match = match_of()
            Turn.objects.filter(match=match).update(opened_at=clock.now() - timedelta(days=1))
            pass_time(match, 24)
        # Due after the resume, and over with their grace.
        Turn.objects.update(promised_at=clock.now() - clock.GRACE, due_at=clock.now() - clock.GRACE)
        Heartbeat.objects.update(resumed_at=clock.now() - timedelta(minutes=1))
        assert sweep() == 0
        assert Heartbeat.objects.get().halted_at

    def test_one_turn_that_cannot_lapse_keeps_nobody_waiting(self, beating, monkeypatch):
        broken, fine = match_of(), match_of()
        pass_time(broken, 25)
        pass_time(fine, 24.5)
        expire = services.expire_turn

        def expire_turn(turn_id):
            if Turn.objects.get(pk=turn_id).match_id == broken.pk:
                raise RuntimeError("broken")
            return expire(turn_id)

        monkeypatch.setattr(services, "expire_turn", expire_turn)
        assert sweep() == 1
        assert fine.events.filter(kind="lapsed").exists()


class TestOutages:
    def silent(self, hours: float) -> None:
        """The heartbeat stopped `hours` ago and comes back now."""
        Heartbeat.objects.update_or_create(pk=1, defaults={"beat_at": clock.now() - timedelta(hours=hours)})
        clock.beat()

    @pytest.mark.parametrize(("into_the_gap", "after_the_return"), [(1, 6), (9, 9), (12.5, 12.5)])
    def test_a_gap_is_given_back_before_anything_expires(self, into_the_gap, after_the_return):
        """Worker and beat stood still for 12 h: every deadline moves by that, none comes earlier than 6 h after it."""
        match = match_of()
        pass_time(match, 24 + 12 - into_the_gap)
        self.silent(12)
        assert sweep() == 0
        left = match.turns.get().due_at - clock.now()
        assert abs(left - timedelta(hours=after_the_return)) < timedelta(seconds=10)
        assert match.events.get(kind="deadline_moved").payload["why"] == "outage"
        assert sweep() == 0
        assert match.events.filter(kind="deadline_moved").count() == 1

    def test_a_turn_opened_within_the_gap_loses_nothing_either(self):
        match = match_of()
        pass_time(match, 6)
        self.silent(12)
        sweep()
        left = match.turns.get().due_at - clock.now()
        assert abs(left - timedelta(hours=24)) < timedelta(seconds=10)

    def test_lapses_in_the_aftermath_count_for_nothing(self):
        match = match_of("kozel", 2)
        self.silent(12)
        sweep()
        seat = acting(match)
        pass_time(match, 60)
        Turn.objects.filter(match=match).update(opened_at=clock.now() - timedelta(minutes=1))
        assert sweep() == 1
        seat.refresh_from_db()
        assert (seat.lapses_in_a_row, seat.lapses_in_match) == (0, 0)

    def test_a_short_silence_is_no_outage(self):
        self.silent(0.04)
        assert not Outage.objects.exists()


class TestReminders:
    """Written with the move, and still true when they are sent (time.md 5)."""

    def test_both_are_written_with_the_turn_and_cancelled_by_the_move(self):
        match = match_of("kozel")
        seat, turn = acting(match), match.turns.get(closed_at__isnull=True)
        mine = Notice.objects.filter(about=selectors.about_turn(turn.pk))
        assert set(mine.values_list("kind", flat=True)) == {"your_turn", "low_time"}
        assert mine.get(kind="low_time").send_at == turn.due_at - timedelta(hours=4)
        send(match, seat)
        assert not mine.filter(cancelled_at__isnull=True).exists()

    def test_a_moved_deadline_arms_the_reminder_anew_and_keeps_the_first_word(self):
        match = match_of("kozel")
        turn = match.turns.get(closed_at__isnull=True)
        Heartbeat.objects.update_or_create(pk=1, defaults={"beat_at": clock.now() - timedelta(hours=1)})
        clock.beat()
        sweep()
        turn.refresh_from_db()
        still = {
            (notice.kind, notice.due_at == turn.due_at): kinds.get(notice.kind).still_true(notice)
            for notice in Notice.objects.filter(about=selectors.about_turn(turn.pk))
        }
        assert still == {("your_turn", False): True, ("low_time", False): False, ("low_time", True): True}

    def test_from_the_first_lapse_on_every_letter_says_how_many_are_left(self, beating):
        match = match_of("kozel", 2)
        late = acting(match)
        pass_time(match, 24.01)
        assert sweep() == 1
        while acting(match).number != late.number:
            send(match, acting(match))
        turn = match.turns.get(closed_at__isnull=True)
        for kind in ("your_turn", "low_time"):
            notice = Notice.objects.get(about=selectors.about_turn(turn.pk), kind=kind)
            assert "Missed turns until the seat is forfeited: 1." in kinds.get(kind).compose(notice).lines


class TestLeaving:
    def test_resigning_ends_a_match_of_two(self):
        match = match_of()
        seat = acting(match)
        services.resign(match_id=match.pk, member=seat.member)
        match.refresh_from_db()
        assert match.outcome["reason"] == "resigned"
        assert match.turns.get().how == Turn.How.LEFT

    def test_anothers_resignation_leaves_my_turn_as_it_is(self):
        match = match_of("thousand", 4)
        seat = acting(match)
        turn = match.turns.get(closed_at__isnull=True)
        leaving = Seat.objects.filter(table_id=match.pk).exclude(pk=seat.pk).first()
        services.resign(match_id=match.pk, member=leaving.member)
        assert match.turns.get(closed_at__isnull=True) == turn
        with pytest.raises(Over):
            services.resign(match_id=match.pk, member=leaving.member)


class TestStore:
    def test_the_database_refuses_to_change_or_delete_an_event(self):
        match = match_of()
        for act in (
            lambda: Event.objects.filter(match=match).update(kind="other"),
            lambda: Event.objects.filter(match=match).delete(),
            lambda: SetupLine.objects.filter(table_id=match.pk).update(line=b""),
            lambda: SetupLine.objects.filter(table_id=match.pk).delete(),
        ):
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                act()

    def test_a_stored_position_is_the_fold_of_the_whole_log(self):
        for title in titles.slugs():
            match = match_of(title, 3)
            seats = list(Seat.objects.filter(table_id=match.pk))
            for _ in range(40):
                match.refresh_from_db()
                if match.is_over:
                    break
                send(match, acting(match))
                match.refresh_from_db()
                now = store.state_of(match, seats)
                assert store.states_along(match, store.load(match.pk))[-1].position == now.position

    def test_the_root_is_sealed_and_opens_for_its_own_table_only(self):
        table, other = open_table(), open_table()
        root = store.root_of(table)
        assert chance.key_at(table.id.bytes, root, table.chain_length, 0).hex() == selectors.commitment(table)
        sealed = bytes(table.root.sealed)
        assert bytes(root) not in sealed
        other.root.sealed = sealed
        other.root.save()
        with pytest.raises(InvalidTag):
            store.root_of(other)

    def test_a_match_beyond_its_chain_is_voided_without_blame(self, monkeypatch):
        monkeypatch.setattr(chance, "LENGTH", 3)
        match = match_of("thousand", 2)
        while not match.is_over:
            send(match, acting(match))
            match.refresh_from_db()
        assert match.outcome["reason"] == "voided"
        assert match.status == Match.Status.VOIDED
        assert match.events.filter(kind="voided").get().payload == {"reason": "chain"}

    def test_secrets_of_a_running_round_stay_out_of_the_record(self):
        match = match_of("kozel", 3)
        mine = acting(match)
        record = selectors.record(match, mine.number)
        secrets = [event["secret"] for event in record["events"] if event["secret"]]
        assert all(set(secret) == {str(mine.number)} for secret in secrets)
        assert record["fairness"]["reveal"] is None
        assert all(not event["secret"] for event in selectors.record(match, None)["events"])


def test_every_line_says_what_its_row_says():
    match = play(match_of("kozel", 2, round_limit=1))
    for numbered in store.load(match.pk):
        told = json.loads(numbered.line)
        assert (told["kind"], told["seat"], told["payload"]) == (
            numbered.event.kind,
            numbered.event.seat,
            numbered.event.payload,
        )
        assert told["at"] == store.stamp(numbered.at)
