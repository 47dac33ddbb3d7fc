"""From queued to the end of it, against a real mail server: each once, whatever the server says (P10, B2, B9, B19)."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection, transaction

from notifications import sending, services, tasks, when
from notifications.channels import email
from notifications.kinds import Letter
from notifications.models import DeadAddress, Delivery, Notice
from notifications.services import cancel, tell
from tests.notifications.conftest import HANG, claimed, compose, free_port, queued

HOUR = timedelta(hours=1)


def due_again() -> None:
    """Let the waiting time of every queued delivery pass."""
    Delivery.objects.filter(state="queued").update(next_try_at=when.now() - timedelta(seconds=1))


def the_delivery() -> Delivery:
    return Delivery.objects.get()


def wait_of(delivery: Delivery) -> float:
    """Minutes until the next try."""
    return (delivery.next_try_at - when.now()).total_seconds() / 60


def test_a_mail_arrives_and_is_marked(member, office):
    tell(member, "turn", about="turn:1")
    assert tasks.send_due() == 1
    assert office.addresses == [member.email]
    delivery = the_delivery()
    assert (delivery.state, delivery.tries, delivery.why) == ("sent", 1, "")
    assert delivery.sent_at is not None
    assert abs(delivery.sent_at - when.now()) < timedelta(seconds=10)
    assert tasks.send_due() == 0


def test_one_delivery_can_be_sent_at_once_and_only_once(member, office):
    delivery = queued(member)
    assert tasks.send_now(delivery.pk) is True
    assert tasks.send_now(delivery.pk) is False
    assert len(office.got) == 1


def test_what_is_not_due_is_not_sent_even_when_pinged(member, office):
    delivery = queued(member, send_at=when.now() + HOUR)
    assert tasks.send_now(delivery.pk) is False
    assert tasks.send_due() == 0


def test_a_row_that_is_gone_is_no_error(member):
    assert tasks.send_now(10**12) is False


def test_what_is_due_is_found_by_the_index_however_many_wait(db):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    plan = sending.due().explain()
    assert "delivery_due" in plan
    assert "Index Cond: (next_try_at <= statement_timestamp())" in plan


# Once each


@pytest.mark.django_db(transaction=True)
def test_two_senders_send_each_mail_once(make_member, office):
    members = [make_member() for _ in range(40)]
    pks = [queued(one).pk for one in members]
    start = threading.Barrier(3)

    def work(task: Callable[[], object]) -> threading.Thread:
        def run() -> None:
            start.wait()
            task()
            connection.close()

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    workers = [work(tasks.send_due), work(tasks.send_due), work(lambda: [tasks.send_now(pk) for pk in pks])]
    for worker in workers:
        worker.join()
    assert office.addresses == sorted(one.email for one in members)
    assert set(Delivery.objects.values_list("state", "tries")) == {("sent", 1)}


def test_a_row_somebody_claimed_is_left_alone_until_the_lease_ends(member, office):
    """A worker that died in the middle: nobody knows whether the server had the mail."""
    tell(member, "turn", about="turn:1")
    claimed()
    assert sending.claim() is None
    assert 4.9 < wait_of(the_delivery()) <= 5
    due_again()
    assert tasks.send_due() == 1
    assert the_delivery().tries == 2


def test_a_worker_that_slept_through_its_lease_leaves_the_row_to_the_next(member, office):
    tell(member, "turn", about="turn:1")
    asleep = claimed()
    due_again()
    awake = claimed()
    with email.Post() as post:
        assert sending._send(asleep, post) is False
        assert office.got == []
        assert sending._send(awake, post) is True
    assert len(office.got) == 1


@pytest.mark.django_db(transaction=True)
def test_a_row_somebody_holds_does_not_keep_the_others_waiting(make_member, office):
    first, second = queued(make_member()), queued(make_member())
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Delivery.objects.select_for_update().get(pk=first.pk)
            held.set()
            done.wait(10)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    began = time.monotonic()
    assert tasks.send_due() == 1
    assert time.monotonic() - began < 2
    done.set()
    holder.join()
    assert office.addresses == [second.notice.member.email]


def test_a_second_try_bears_the_same_message_id(member, office):
    tell(member, "turn", about="turn:1")
    assert tasks.send_due() == 1
    # The server said 250, and the mark was lost with the worker.
    Delivery.objects.update(state="queued", next_try_at=when.now() - HOUR)
    assert tasks.send_due() == 1
    first, second = (mail["Message-ID"] for _, mail in office.got)
    assert first == second
    assert first


# Still true?


def test_what_is_no_longer_true_is_dropped(member, office):
    tell(member, "turn", about="turn:1", facts={"still": False})
    assert tasks.send_due() == 0
    assert the_delivery().state == "stale"


def test_what_was_called_off_is_not_sent(member, office):
    tell(member, "turn", about="turn:1")
    cancel("turn:1")
    assert tasks.send_due() == 0
    assert office.got == []


def test_what_is_called_off_while_it_waits_for_another_try_stays_called_off(member, office):
    office.at_rcpt[member.email] = "450 later"
    tell(member, "turn", about="turn:1")
    tasks.send_due()
    cancel("turn:1")
    due_again()
    assert tasks.send_due() == 0
    assert (the_delivery().state, office.got) == ("cancelled", [])


def test_a_failure_does_not_bring_back_what_was_called_off_meanwhile(member, office):
    """The move comes while the mail is on its way, and then the server says no."""
    tell(member, "turn", about="turn:1")
    delivery = claimed()
    cancel("turn:1")
    sending._put_off(delivery, "450")
    assert the_delivery().state == "cancelled"


def test_a_moved_deadline_sends_the_reminder_of_the_new_one_alone(member, office, monkeypatch, kind):
    """D-09: at the old time nothing, at the new one a reminder that says the new deadline."""
    was, now_due = when.now() + 4 * HOUR, when.now() + 28 * HOUR
    deadline = {"turn:1": now_due}
    monkeypatch.setattr("notifications.kinds._kinds", {"turn": type(kind)("turn", "", _on_time(deadline), compose)})
    tell(member, "turn", about="turn:1", send_at=was - 4 * HOUR, due_at=was)
    tell(member, "turn", about="turn:1", send_at=now_due - 4 * HOUR, due_at=now_due)
    assert tasks.send_due() == 0
    due_again()
    assert tasks.send_due() == 1
    assert when.local_time(now_due, member) in office.got[0][1].get_body(("plain",)).get_content()
    assert sorted(Delivery.objects.values_list("state", flat=True)) == ["sent", "stale"]


def _on_time(deadline: dict) -> Callable[[Notice], bool]:
    return lambda notice: deadline[notice.about] == notice.due_at


def test_a_deleted_member_gets_nothing_and_the_worker_ends_quietly(member, office, caplog):
    """D-06."""
    delivery = queued(member)
    member.delete()
    assert tasks.send_now(delivery.pk) is False
    assert tasks.send_due() == 0
    assert (office.got, caplog.records) == ([], [])


# What the server may say


@pytest.mark.parametrize("answer", ["421 closing", "450 try again", "451 local error", "452 full"])
@pytest.mark.parametrize("where", ["at_rcpt", "at_data"])
def test_a_4xx_is_tried_again_and_the_others_arrive(member, make_member, office, answer, where):
    getattr(office, where)[member.email] = answer
    tell(member, "turn", about="turn:1")
    others = [make_member() for _ in range(3)]
    for other in others:
        tell(other, "turn", about="turn:1")
    assert tasks.send_due() == 3
    assert office.addresses == sorted(other.email for other in others)
    waiting = Delivery.objects.get(state="queued")
    assert (waiting.tries, waiting.why) == (1, answer[:3])
    assert 0.9 < wait_of(waiting) <= 1
    getattr(office, where).clear()
    due_again()
    assert tasks.send_due() == 1
    assert not DeadAddress.objects.exists()


def test_tries_grow_apart_and_end_within_six_hours(member, office):
    office.at_rcpt[member.email] = "450 later"
    tell(member, "turn", about="turn:1")
    waits = []
    while the_delivery().state == "queued":
        due_again()
        tasks.send_due()
        waits.append(round(wait_of(the_delivery())))
    assert waits[:8] == [1, 5, 15, 60, 60, 60, 60, 60]
    assert sum(waits[:8]) <= 360
    assert (the_delivery().state, the_delivery().tries, the_delivery().why) == ("failed", 9, "450")
    assert not DeadAddress.objects.exists()


@pytest.mark.parametrize(
    ("where", "answer", "why", "is_dead"),
    [
        ("at_rcpt", "550 no such user", "550", True),
        ("at_rcpt", "550 5.1.1 no such user", "550 5.1.1", True),
        ("at_rcpt", "553 5.2.1 disabled", "553 5.2.1", True),
        ("at_data", "550 5.1.1 no such user", "550 5.1.1", True),
        # The server will not have us: that says nothing about the address.
        ("at_rcpt", "550 5.7.1 your host is not welcome", "550 5.7.1", False),
        ("at_data", "554 looks like spam", "554", False),
    ],
)
def test_a_5xx_ends_it_and_flags_the_address(member, make_member, office, where, answer, why, is_dead):
    getattr(office, where)[member.email] = answer
    tell(member, "turn", about="turn:1")
    other = make_member()
    tell(other, "turn", about="turn:1")
    assert tasks.send_due() == 1
    assert office.addresses == [other.email]
    refused = Delivery.objects.get(notice__member=member)
    assert (refused.state, refused.tries, refused.why) == ("failed", 1, why)
    assert list(DeadAddress.objects.values_list("member", "address", "why")) == (
        [(member.pk, member.email, why)] if is_dead else []
    )


def test_a_server_that_hangs_on_one_address_does_not_keep_the_others(member, make_member, office):
    office.at_rcpt[member.email] = HANG
    other = make_member()
    tell(member, "turn", about="turn:1")
    tell(other, "turn", about="turn:1")
    began = time.monotonic()
    assert tasks.send_due() == 1
    assert time.monotonic() - began < 4
    assert office.addresses == [other.email]
    assert Delivery.objects.get(state="queued").why == "SMTPServerDisconnected"


@pytest.mark.parametrize("banner", [None, b"", b"421 too busy\r\n", b"554 go away\r\n"])
def test_a_server_that_does_not_let_us_in_costs_one_try_a_run(db, make_member, settings, banner):
    """Nobody there, silence instead of a banner, or a refusal at the door: the rest waits for the next tick."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", free_port(), 1
    for _ in range(3):
        tell(make_member(), "turn", about="turn:1")
    listener = None if banner is None else socket.create_server(("127.0.0.1", settings.EMAIL_PORT))
    if listener is not None:
        threading.Thread(target=_answer_once, args=(listener, banner), daemon=True).start()
    began = time.monotonic()
    assert tasks.send_due() == 0
    assert time.monotonic() - began < 3
    if listener is not None:
        listener.close()
    assert sorted(Delivery.objects.values_list("state", "tries")) == [("queued", 0), ("queued", 0), ("queued", 1)]
    assert not DeadAddress.objects.exists()


def _answer_once(listener: socket.socket, banner: bytes) -> None:
    caller, _ = listener.accept()
    with caller:
        caller.sendall(banner)
        caller.recv(1)


def test_one_unreachable_server_is_one_try_for_a_ping_too(member, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    delivery = queued(member)
    assert tasks.send_now(delivery.pk) is False
    assert (the_delivery().state, the_delivery().why) == ("queued", "ConnectionRefusedError")


@pytest.mark.parametrize("address", ["a@b\r\nBcc: all@example.org", "a@" + "x" * 250])
def test_an_address_no_mail_can_go_to_is_flagged_and_the_others_arrive(member, make_member, office, address):
    type(member).objects.filter(pk=member.pk).update(email=address)
    other = make_member()
    tell(member, "turn", about="turn:1")
    tell(other, "turn", about="turn:1")
    assert tasks.send_due() == 1
    assert office.addresses == [other.email]
    assert Delivery.objects.get(notice__member=member).state == "failed"
    assert DeadAddress.objects.get().member == member


def test_a_letter_that_cannot_be_written_ends_after_its_tries_and_the_others_arrive(member, make_member, office):
    """B21."""
    tell(member, "turn", about="turn:1", facts={"broken": True})
    other = make_member()
    tell(other, "turn", about="turn:1")
    assert tasks.send_due() == 1
    broken = Delivery.objects.get(notice__member=member)
    assert (broken.state, broken.why) == ("queued", "RuntimeError")
    for _ in range(10):
        due_again()
        tasks.send_due()
    assert Delivery.objects.get(notice__member=member).state == "failed"


def test_a_row_that_kills_its_worker_is_counted_and_comes_to_an_end(member, office, monkeypatch):
    def killed(*_: object) -> Letter:
        raise SystemExit

    monkeypatch.setattr("tests.notifications.conftest.compose", killed)
    tell(member, "turn", about="turn:1", facts={"broken": True})
    for _ in range(9):
        sending.claim()
        due_again()
    assert tasks.send_due() == 0
    assert the_delivery().state == "failed"


def test_no_address_no_token_and_no_server_sentence_is_logged(member, office, caplog):
    office.at_rcpt[member.email] = f"550 {member.email} is unknown here"
    tell(member, "turn", about="turn:1")
    tasks.send_due()
    assert caplog.records
    assert member.email not in caplog.text
    assert "/e/u/" not in caplog.text
    assert "unknown here" not in caplog.text + the_delivery().why


def test_a_test_mail_goes_out_once_in_a_while(member, office):
    assert services.send_test(member) is True
    assert services.send_test(member) is False
    assert tasks.send_due() == 1
    assert office.addresses == [member.email]
