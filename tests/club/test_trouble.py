"""What a person and a program are told when the database cannot answer, or too much was sent."""

from __future__ import annotations

import pytest
from django.db import OperationalError
from django.test import Client

from club.demo.matches import seated
from games import services
from games.models import Seat
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def player():
    match = seated([MemberFactory(), MemberFactory()], "thousand")
    seat = Seat.objects.select_related("member").get(table_id=match.pk, number=match.to_act[0])
    client = Client(raise_request_exception=False)
    client.force_login(seat.member)
    return client, match


def move(match) -> dict:
    return {"move": "throw", "seen": match.number, "key": "a-key-of-mine"}


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_a_lock_held_too_long_is_503_and_may_be_tried_again(player, accept, monkeypatch):
    client, match = player

    def busy(**_):
        raise OperationalError("canceling statement due to lock timeout")

    monkeypatch.setattr(services, "play_move", busy)
    response = client.post(f"/m/{match.pk}/move/", move(match), headers={"accept": accept})
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert b"lock timeout" not in response.content
    monkeypatch.undo()
    assert client.post(f"/m/{match.pk}/move/", move(match)).status_code == 302


def test_any_other_fault_is_500_without_a_word_of_it(player, monkeypatch):
    client, match = player

    def broken(**_):
        raise RuntimeError("25 44 66")

    monkeypatch.setattr(services, "play_move", broken)
    response = client.post(f"/m/{match.pk}/move/", move(match))
    assert response.status_code == 500
    assert b"25 44 66" not in response.content


def test_a_body_that_is_too_large_is_413(player):
    client, match = player
    response = client.post(f"/m/{match.pk}/move/", move(match) | {"move": "x" * 100_000})
    assert response.status_code == 413


@pytest.mark.parametrize("seat", ["9", "-1", "01", "x", "\x00"])
def test_a_seat_that_does_not_exist_tells_nothing_of_a_private_table(seat):
    client = Client(raise_request_exception=False)
    client.force_login(MemberFactory())
    private = services.open_table(member=MemberFactory(), title="kozel", size=2, options={}, is_private=True)
    unknown = "00000000-0000-4000-8000-000000000000"
    answers = {client.post(f"/t/{table}/join/", {"seat": seat}).status_code for table in (private.id, unknown)}
    assert answers == {404}


@pytest.mark.parametrize("key", ["a" * 64 + "\n", "a" * 65, "short", "ключ-мой-длинный", ""])
def test_a_key_of_another_shape_is_malformed(player, key):
    client, match = player
    assert client.post(f"/m/{match.pk}/move/", move(match) | {"key": key}).status_code == 400
