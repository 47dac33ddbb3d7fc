"""A guest's seats move to an account: what goes along, what stays, and that nobody waits in a ring meanwhile."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from club.demo.matches import play, seated
from club.members import services
from club.members.models import Member
from club.moderation import services as desk
from club.moderation import stafflog
from club.stack.process import wait_until
from games import services as games
from games.models import Match, Seat
from notifications.models import Delivery, Notice
from tests.factories import GuestFactory, MemberFactory
from tests.games.test_races import at_once

pytestmark = pytest.mark.django_db


def told(member: Member, match: Match) -> set[str]:
    """The kinds of notices about open turns of this match that are still to reach the member."""
    notices = Notice.objects.filter(member=member, thread=str(match.pk), cancelled_at=None, due_at__isnull=False)
    return set(notices.values_list("kind", flat=True))


@pytest.mark.parametrize("mail", [True, False])
def test_reminders_go_with_the_seats_that_move_and_stay_with_those_that_stay(mail):
    address = {"email": "guest@example.org", "email_confirmed": True} if mail else {}
    guest, account, other = GuestFactory.create(**address), MemberFactory.create(), MemberFactory.create()
    moving = play(seated([guest, other], "kozel"), moves=0, until=guest)
    shared = play(seated([guest, account], "kozel"), moves=0, until=guest)
    assert services.merge_guest(guest.pk, account) == 1
    assert (told(guest, moving), told(account, moving)) == (set(), {"your_turn", "low_time"})
    assert (told(guest, shared), told(account, shared)) == ({"your_turn", "low_time"}, set())
    queued = Delivery.objects.filter(notice__member=guest, state=Delivery.State.QUEUED)
    assert set(queued.values_list("notice__thread", flat=True)) == ({str(shared.pk)} if mail else set())


def somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
        return cursor.fetchone() is not None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", ["gets up", "sits down again on the last seat"])
def test_a_merge_and_a_guest_at_a_table_do_not_wait_in_a_ring(monkeypatch, act):
    """The guest opened the table; the act has locked it when the merge begins."""
    guest, account, other = GuestFactory.create(), MemberFactory.create(), MemberFactory.create()
    table = games.open_table(member=guest, title="kozel", size=2 if act != "gets up" else 3, options={})
    if act != "gets up":
        Seat.objects.all().delete()
    games.take_seat(member=other, table_id=table.pk)
    begun, lock = threading.Event(), games._locked_table

    def locked(table_id):
        found = lock(table_id)
        begun.set()
        assert wait_until(somebody_waits_for_a_lock, 10)
        return found

    monkeypatch.setattr(games, "_locked_table", locked)
    doing = games.leave_table if act == "gets up" else games.take_seat
    _, left = at_once(
        lambda: doing(member=guest, table_id=table.pk),
        lambda: begun.wait(10) and services.merge_guest(guest.pk, account),
    )
    assert left == 0
    sitting = Seat.objects.filter(table=table).values_list("member", flat=True)
    assert set(sitting) == ({other.pk} if act == "gets up" else {other.pk, account.pk})


@pytest.mark.django_db(transaction=True)
def test_a_merge_and_an_answer_at_the_desk_do_not_wait_in_a_ring(monkeypatch):
    """The guest has complained and is complained of; the answer holds the staff log when the merge begins."""
    guest, account, other = GuestFactory.create(), MemberFactory.create(), MemberFactory.create()
    moderator = MemberFactory.create(is_moderator=True)
    match = seated([guest, other], "kozel")
    desk.file(match_id=match.pk, member=other, seat=0, category="rudeness", text="Rude.")
    case = desk.file(match_id=match.pk, member=guest, seat=1, category="rudeness", text="Rude.").complaint.case
    desk.claim(case_id=case.pk, moderator=moderator, version=case.version)
    begun, lock = threading.Event(), stafflog.lock

    def locked():
        lock()
        if not begun.is_set():
            begun.set()
            assert wait_until(somebody_waits_for_a_lock, 10)

    monkeypatch.setattr(stafflog, "lock", locked)
    said = {"decision": "note", "reasons": "Against the rules."}
    _, left = at_once(
        lambda: desk.answer(case_id=case.pk, moderator=moderator, version=case.version + 1, **said),
        lambda: begun.wait(10) and services.merge_guest(guest.pk, account),
    )
    assert left == 0
    case.refresh_from_db()
    assert case.status == "answered"
