"""The real worker: a notice written here arrives at the mail server by its hand."""

from __future__ import annotations

import pytest
from celery import current_app

from notifications.models import Delivery
from notifications.services import send_test
from tests.notifications.test_email import part

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_ping_is_enough(make_member, worker, smtp_sink):
    """No beat runs here: what arrives was sent because of the ping after the commit."""
    member = make_member(language="ru")
    assert send_test(member)
    [mail] = smtp_sink.wait_for(1)
    assert mail["To"] == member.email
    assert '<html lang="ru">' in part(mail, "html")


def test_what_was_not_pinged_is_found_by_the_tick(make_member, worker, smtp_sink, monkeypatch):
    monkeypatch.setattr("notifications.services._ping", lambda deliveries: None)
    assert send_test(make_member())
    for _ in range(2):
        # Beat may run twice; a tick may come twice (B3, B9).
        current_app.send_task("notifications.tasks.send_due")
    smtp_sink.wait_for(1)
    # There is one worker process: a double of the second tick would be here before the mail of this third one.
    assert send_test(make_member())
    current_app.send_task("notifications.tasks.send_due")
    smtp_sink.wait_for(2)
    assert len(smtp_sink.messages) == 2
    assert set(Delivery.objects.values_list("state", "tries")) <= {("sent", 1), ("queued", 1)}
