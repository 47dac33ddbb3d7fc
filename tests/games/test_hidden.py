"""Two worlds that differ only in what a viewer cannot know look the same to that viewer, byte for byte (P4).

The second world is made in the stored events: every tile that still lies hidden from the viewer - in other hands and in
the boneyard - changes places at random. What is public, and what the viewer holds, stays as it is. So it goes for every
title that deals tiles.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import Client

from club.demo.matches import play, seated
from games import live, titles
from games.engine.contract import Phrase, Tiles
from games.engine.dominoes import DOUBLES, TILES
from games.models import Event, Match, Seat, Turn
from notifications import when
from notifications.models import Delivery
from notifications.tasks import send_due
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class At:
    """A table: its title, and options that differ from the usual ones."""

    title: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.title, *map(str, self.options.values())])


TABLES = [
    *(At(slug) for slug in titles.slugs() if "dealt" in titles.get(slug).OPENS),
    At("allfives", {"muggins": "strict"}),
]

RANDOM_BY_NATURE = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"'
    r'|name="key" value="[^"]*"|nonce="[^"]*"|boundary="[^"]*"|=={5,}\d+==|--=+\S+|Date: [^\n]+'
)

SEEDS = [0, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 3, 4))]
"""Two and four seats; in the long form three as well, and later in the round."""


@pytest.fixture(autouse=True)
def standing_clock(monkeypatch):
    """ "In 23 h 59 min" must not become 58 between the two worlds."""
    moment = when.now()
    monkeypatch.setattr(when, "now", lambda: moment)


def shown(response) -> tuple[int, str]:
    text = b"".join(response) if response.streaming else response.content
    return response.status_code, RANDOM_BY_NATURE.sub("~", text.decode())


def hidden_tiles(match: Match, viewer: int | None) -> list[str]:
    """What lies hidden from the viewer now: all that it did not get and nobody has laid in the running round."""
    known: set[str] = set()
    for event in Event.objects.filter(match=match, number__gte=match.opening):
        known.update(event.secret.get(str(viewer), ()))
        if event.kind == "played":
            known.update(tile for tile, _ in event.payload["tiles"])
    return [tile for tile in TILES if tile not in known]


@contextmanager
def other_world(match: Match, viewer: int | None, rng: random.Random) -> Iterator[None]:
    """The world in which the hidden tiles lie elsewhere; afterwards everything is as it was."""
    tiles = hidden_tiles(match, viewer)
    moved = tiles[:]
    while len(tiles) > 1 and moved == tiles:
        rng.shuffle(moved)
    renamed = dict(zip(tiles, moved, strict=True))
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE games_event DISABLE TRIGGER append_only")
        for event in Event.objects.filter(match=match, number__gte=match.opening).exclude(secret={}):
            secret = {who: [renamed.get(tile, tile) for tile in tiles] for who, tiles in event.secret.items()}
            Event.objects.filter(pk=event.pk).update(secret=secret)
        yield
        transaction.set_rollback(True)


def pages(match: Match) -> list[str]:
    root = f"/m/{match.pk}/"
    looking_back = [f"{root}?at={number}" for number in range(1, match.number + 1, 7)]
    return [root, f"{root}board/", f"{root}record/", *looking_back]


def api(match: Match) -> list[str]:
    return [f"/api/matches/{match.pk}", f"/api/matches/{match.pk}/since/0"]


def refused_moves(match: Match) -> list[str]:
    """A move with every tile, and several at once: who holds one, or that nobody does, must not be told."""
    ends = match.number % 4
    singles = [f"{tile}@{'LRUD'[(index + ends) % 4]}" for index, tile in enumerate(TILES)]
    pairs = [f"{one}@L+{other}@R" for one, other in pairwise(DOUBLES)]
    return [*singles, *pairs, "claim", "draw", "pass"]


def everything(match: Match, client: Client) -> dict[str, object]:
    """All that the club answers this client about the match."""
    answers: dict[str, object] = {address: shown(client.get(address)) for address in [*pages(match), *api(match)]}
    for move in refused_moves(match):
        with transaction.atomic():
            form = {"move": move, "seen": match.number, "key": "0123456789"}
            response = client.post(f"/m/{match.pk}/move/", form, headers={"accept": "application/json"})
            if response.status_code != 200:
                answers[move] = shown(response)
            transaction.set_rollback(True)
    return answers


def mails(match: Match) -> list[str]:
    """The mails about the match, as they would be sent now."""
    mail.outbox.clear()
    with transaction.atomic():
        Delivery.objects.update(state="queued", next_try_at=match.started_at)
        send_due()
        sent = [RANDOM_BY_NATURE.sub("~", message.message().as_string()) for message in mail.outbox]
        transaction.set_rollback(True)
    return sorted(sent)


def in_mid_round(table: At, seed: int) -> Match:
    """A match some moves into a later round: who opens the first one depends on every hand, so it is public."""
    members = [MemberFactory(email=f"p{seat}@{uuid4()}.example", email_confirmed=True) for seat in range(2 + seed % 3)]
    match = seated(members, table.title, **table.options)
    while round_of(match) < 2 and not match.is_over:
        match = play(match, moves=1)
    began = round_of(match)
    match = play(match, moves=3 + 2 * seed)
    # Some matches are over too soon.
    return in_mid_round(table, seed) if match.is_over or round_of(match) != began else match


def round_of(match: Match) -> int:
    return Event.objects.filter(match=match, kind="dealt").latest("number").payload["round"]


def client_of(member) -> Client:
    client = Client()
    client.force_login(member)
    return client


def viewers(match: Match) -> list[tuple[int | None, Callable[[], Client]]]:
    seats = Seat.objects.filter(table_id=match.pk).select_related("member")
    own = [(seat.number, lambda seat=seat: client_of(seat.member)) for seat in seats]
    moderator = MemberFactory(is_moderator=True)
    return [*own, (None, Client), (None, lambda: client_of(MemberFactory())), (None, lambda: client_of(moderator))]


@pytest.mark.usefixtures("live_choices")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_pages_api_and_refusals_are_the_same_in_both_worlds(table, seed):
    match, rng = in_mid_round(table, seed), random.Random(seed)
    for seat, client in viewers(match):
        viewer = client()
        here = everything(match, viewer)
        with other_world(match, seat, rng):
            there = everything(match, viewer)
        assert here == there


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("title", sorted({table.title for table in TABLES}))
def test_mails_are_the_same_in_both_worlds(title, seed):
    match, rng = in_mid_round(At(title), seed), random.Random(seed)
    turn = Turn.objects.get(match=match, closed_at__isnull=True)
    here = mails(match)
    assert len(here) >= 1, "a mail is sent about the open turn"
    with other_world(match, turn.seat, rng):
        assert mails(match) == here


def test_the_other_world_is_really_another_one():
    """The test above can fail: the page of the other seat does change."""
    match = in_mid_round(At("telefon365"), 1)
    viewer, other = Seat.objects.filter(table_id=match.pk).select_related("member")[:2]
    page = f"/m/{match.pk}/"
    seen_by_other = shown(client_of(other.member).get(page))
    with other_world(match, viewer.number, random.Random(1)):
        assert shown(client_of(other.member).get(page)) != seen_by_other


def test_a_reason_that_names_a_hidden_tile_would_be_noticed(monkeypatch):
    match = in_mid_round(At("telefon365"), 1)
    viewer = Seat.objects.filter(table_id=match.pk).select_related("member")[0]
    page, client = f"/m/{match.pk}/", client_of(viewer.member)
    monkeypatch.setattr(
        titles.get("telefon365"),
        "explain",
        lambda state, event: (Phrase("{t}", {"t": Tiles(state.hands[1])}),) if state.hands else (),
    )
    here = shown(client.get(page))
    with other_world(match, viewer.number, random.Random(1)):
        assert shown(client.get(page)) != here


def test_the_socket_carries_a_number_and_nothing_else(monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(live, "_send", lambda match_id, number: sent.append((match_id, number)))
    with django_capture_on_commit_callbacks(execute=True):
        match = in_mid_round(At("kozel"), 2)
    assert sent[-1] == (match.pk, match.number)


def test_the_hidden_tiles_of_a_finished_round_are_public_and_those_of_the_running_one_are_not():
    match = play(seated([MemberFactory(), MemberFactory()], "kozel", round_limit=3))
    running = seated([MemberFactory(), MemberFactory()], "kozel")
    for checked, expected in ((match, True), (running, False)):
        viewer = Seat.objects.filter(table_id=checked.pk).select_related("member").first()
        record = json.loads(client_of(viewer.member).get(f"/m/{checked.pk}/record/").content)
        others = [event for event in record["events"] if "club" in event["secret"]]
        assert bool(others) == expected
