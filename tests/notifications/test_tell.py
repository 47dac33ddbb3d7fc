"""What is written down to be told: in the caller's transaction, once, in one query."""

from __future__ import annotations

import socket
import threading
import time
from datetime import timedelta

import pytest
from celery import Celery
from django.db import connection, transaction

from club.members import services as members
from club.members.models import Member
from club.members.tokens import Claim
from notifications import sending, services, when
from notifications.models import Channel, DeadAddress, Delivery, Notice
from notifications.services import Telling, cancel, tell, tell_all
from tests.notifications.conftest import queued, written

DAY = timedelta(days=1)


class Broker:
    """Stands in for the Celery app and keeps what was sent to the worker."""

    def __init__(self) -> None:
        self.sent: list[tuple] = []

    def send_task(self, name: str, args: list, **options: object) -> None:
        self.sent.append((name, *args))


@pytest.fixture
def broker(monkeypatch) -> Broker:
    broker = Broker()
    monkeypatch.setattr(services, "current_app", broker)
    return broker


def test_a_telling_is_a_notice_and_a_delivery_due_at_once(member):
    notice = written(member, thread="17", facts={"match": "17"})
    delivery = notice.deliveries.get()
    assert (delivery.channel, delivery.state, delivery.tries) == ("email", "queued", 0)
    assert delivery.next_try_at == notice.send_at <= when.now()
    stored = Notice.objects.get()
    assert (stored.facts, stored.thread, stored.cancelled_at) == ({"match": "17"}, "17", None)


def test_told_ahead_it_is_due_later(member):
    later = when.now() + DAY
    assert queued(member, send_at=later, due_at=later + DAY).next_try_at == later
    assert sending.claim() is None


@pytest.mark.parametrize("due", [None, DAY])
def test_the_same_telling_twice_is_one(member, due):
    due_at = due and when.now() + due
    assert tell(member, "turn", about="turn:1", due_at=due_at)
    assert tell(member, "turn", about="turn:1", due_at=due_at) is None
    assert Delivery.objects.count() == 1


def test_a_moved_deadline_arms_again(member):
    due_at = when.now() + DAY
    assert tell(member, "turn", about="turn:1", due_at=due_at)
    assert tell(member, "turn", about="turn:1", due_at=due_at + DAY)
    assert Delivery.objects.count() == 2


def test_a_move_costs_one_query_for_all_it_tells_and_one_to_call_off(
    member, make_member, broker, django_assert_num_queries
):
    others = [make_member() for _ in range(3)]
    with django_assert_num_queries(1):
        told = tell_all([Telling(one, "turn", "turn:1") for one in [member, *others]])
    assert [notice.member_id for notice in told] == [one.pk for one in [member, *others]]
    with django_assert_num_queries(1):
        cancel("turn:1")
    assert set(Delivery.objects.values_list("state", flat=True)) == {"cancelled"}


def test_an_unknown_kind_is_an_error(member):
    with pytest.raises(KeyError):
        tell(member, "unheard_of", about="turn:1")
    assert tell_all([]) == []


# When mail serves a member: asked when a delivery is queued and again when it is sent.


def nobody(member: Member) -> None:
    pass


def without_address(member: Member) -> None:
    Member.objects.filter(pk=member.pk).update(email="")


def unconfirmed(member: Member) -> None:
    Member.objects.filter(pk=member.pk).update(email_confirmed=False)


def gone(member: Member) -> None:
    Member.objects.filter(pk=member.pk).update(is_active=False)


def not_wanted(member: Member) -> None:
    services.switch(member, "turn", Channel.EMAIL, on=False)


def wanted_again(member: Member) -> None:
    services.switch(member, "turn", Channel.EMAIL, on=False)
    services.switch(member, "turn", Channel.EMAIL, on=True)


def dead(member: Member) -> None:
    services.bury(member, member.email, "550")


def revived(member: Member) -> None:
    services.bury(member, member.email, "550")
    services.revive(member)


def another_address_dead(member: Member) -> None:
    services.bury(member, "old@example.org", "550")


SERVED = [
    (nobody, "turn", True),
    (without_address, "turn", False),
    (unconfirmed, "turn", False),
    (gone, "turn", False),
    (gone, "vital", False),
    (not_wanted, "turn", False),
    (not_wanted, "vital", True),
    (wanted_again, "turn", True),
    (dead, "turn", False),
    (dead, "vital", False),
    (revived, "turn", True),
    (another_address_dead, "turn", True),
]


@pytest.mark.parametrize(("change", "slug", "served"), SERVED)
def test_mail_is_queued_for_whom_it_serves(member, change, slug, served):
    change(member)
    assert written(member, slug).deliveries.exists() == served


@pytest.mark.parametrize(("change", "slug", "served"), SERVED)
def test_and_sent_to_whom_it_still_serves(member, mailoutbox, change, slug, served):
    tell(member, slug, about="turn:1")
    change(member)
    assert sending.send_all() == len(mailoutbox) == served
    assert Delivery.objects.get().state == ("sent" if served else "cancelled")


def test_what_cannot_be_switched_off_is_not(member):
    with pytest.raises(KeyError):
        services.switch(member, "vital", Channel.EMAIL, on=False)


# Mail that begins to serve a member in the middle of a turn


def confirmed(member: Member) -> None:
    assert members.confirm_address(Claim(member.pk, member.email, member.email_key))


BEGINNINGS = [
    (unconfirmed, confirmed),
    (dead, services.revive),
    (not_wanted, lambda member: services.switch(member, "turn", Channel.EMAIL, on=True)),
]


@pytest.mark.parametrize(("before", "begin"), BEGINNINGS, ids=["confirmed", "revived", "wanted"])
def test_what_was_written_before_is_queued_as_long_as_its_deadline_lies_ahead(member, mailoutbox, before, begin):
    due_at = when.now() + DAY
    before(member)
    tell(member, "turn", about="turn:1", due_at=due_at, facts={"line": "Now."})
    tell(member, "turn", about="turn:2", due_at=due_at, send_at=due_at - DAY / 6, facts={"line": "Four hours."})
    tell(member, "turn", about="turn:3", due_at=due_at)
    tell(member, "turn", about="turn:4", due_at=when.now() - DAY)
    tell(member, "turn", about="turn:5")
    cancel("turn:3")
    assert not Delivery.objects.exists()
    member.refresh_from_db()
    for _ in range(2):
        begin(member)
    assert {delivery.notice.about: delivery.next_try_at for delivery in Delivery.objects.all()} == {
        "turn:1": Notice.objects.get(about="turn:1").send_at,
        "turn:2": due_at - DAY / 6,
    }
    assert sending.send_all() == 1
    assert "Now." in mailoutbox[0].body


def test_what_was_read_on_the_site_is_not_mailed_afterwards(member):
    unconfirmed(member)
    due_at = when.now() + DAY
    tell(member, "turn", about="turn:1", due_at=due_at)
    tell(member, "turn", about="turn:2", due_at=due_at, send_at=due_at - DAY / 6)
    services.mark_read(member)
    confirmed(member)
    assert Delivery.objects.get().notice.about == "turn:2"


# Calling off


def test_calling_off_stops_what_is_unsent_and_nothing_else(member, mailoutbox):
    sent = written(member)
    sending.send_all()
    waiting = written(member, "vital", send_at=when.now() + DAY)
    another = written(member, about="turn:2", send_at=when.now() + DAY)
    cancel("turn:1")
    for notice in (sent, waiting, another):
        notice.refresh_from_db()
    assert (sent.cancelled_at, another.cancelled_at) == (None, None)
    assert waiting.cancelled_at is not None
    states = [notice.deliveries.get().state for notice in (sent, waiting, another)]
    assert states == ["sent", "cancelled", "queued"]


@pytest.mark.django_db(transaction=True)
def test_calling_off_never_waits_for_a_row_somebody_holds(make_member):
    tell(make_member(), "turn", about="turn:1")
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Delivery.objects.select_for_update().get()
            held.set()
            done.wait(10)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    began = time.monotonic()
    cancel("turn:1")
    took = time.monotonic() - began
    done.set()
    holder.join()
    # The lock timeout is 3 s: a call that waits would fail or take that long.
    assert took < 2
    assert Delivery.objects.get().state == "queued"


# The worker hears of it after the commit, or not at all (G-07, P16)


@pytest.mark.django_db(transaction=True)
class TestPing:
    def test_the_worker_is_told_after_the_commit(self, make_member, broker):
        member = make_member()
        with transaction.atomic():
            delivery = queued(member)
            assert broker.sent == []
        assert broker.sent == [("notifications.tasks.send_now", delivery.pk)]

    def test_what_is_due_later_needs_no_ping(self, make_member, broker):
        tell(make_member(), "turn", about="turn:1", send_at=when.now() + DAY)
        assert broker.sent == []

    def test_a_rolled_back_request_tells_nothing(self, make_member, broker):
        member = make_member()

        def request() -> None:
            with transaction.atomic():
                tell(member, "turn", about="turn:1")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            request()
        assert (broker.sent, Notice.objects.count(), Delivery.objects.count()) == ([], 0, 0)

    def test_a_ping_that_fails_leaves_the_row_to_the_sweep(self, make_member, monkeypatch, mailoutbox, tmp_path):
        away = Celery(broker=f"redis+socket://{tmp_path}/none", set_as_current=False)
        away.conf.broker_transport_options = {"max_retries": 0}
        monkeypatch.setattr(services, "current_app", away)
        tell(make_member(), "turn", about="turn:1")
        assert sending.send_all() == 1


@pytest.mark.parametrize("away", ["gone", "frozen"])
def test_nobody_waits_for_a_redis_that_is_away(settings, monkeypatch, tmp_path, away):
    """P16, with the settings of the club: without them a ping tries for six seconds, or for ever."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        frozen = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        app = Celery(broker=frozen if away == "frozen" else f"redis+socket://{tmp_path}/none", set_as_current=False)
        app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
        monkeypatch.setattr(services, "current_app", app)
        ping = threading.Thread(target=services._ping, args=([1, 2, 3, 4],), daemon=True)
        ping.start()
        # One try for all of them, and no second one.
        ping.join(2.5)
        assert not ping.is_alive()


class TestGuestSignsIn:
    def test_what_was_still_to_tell_the_guest_is_told_to_the_account(self, member, make_member, mailoutbox):
        guest = make_member(email="", email_confirmed=False, is_guest=True)
        due_at = when.now() + DAY
        tell(guest, "turn", about="turn:1", thread="17", due_at=due_at, facts={"line": "Moved over."})
        tell(guest, "turn", about="turn:0", thread="17", due_at=when.now() - DAY)
        tell(guest, "turn", about="turn:2", thread="18", due_at=due_at)
        services.hand_over(guest, member, ["17"])
        assert [notice.about for notice in member.notices.all()] == ["turn:1"]
        assert guest.notices.get(about="turn:2").cancelled_at is None
        assert guest.notices.get(about="turn:1").cancelled_at is not None
        assert sending.send_all() == 1
        assert "Moved over." in mailoutbox[0].body


def test_burying_an_address_again_keeps_one_flag(member):
    services.bury(member, member.email, "550")
    services.bury(member, member.email, "550 5.1.1")
    assert DeadAddress.objects.get().why == "550 5.1.1"
