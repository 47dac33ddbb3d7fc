"""The synthetic move: rules, lock and commit of a real one, without a match that would grow for ever."""

from __future__ import annotations

import hmac

from django.db import transaction

from club.keys import subkey
from games import clock, titles
from games.engine import chance, match
from games.engine.options import complete
from games.models import Heartbeat


def token() -> str:
    """What the probe shows at the door."""
    return subkey("heartbeat").hex()


def is_probe(shown: str) -> bool:
    return hmac.compare_digest(shown.encode(), token().encode())


@transaction.atomic
def synthetic_move() -> None:
    """Start a match in memory, play its first move by the rules, and commit the beat under a row lock."""
    Heartbeat.objects.select_for_update().filter(pk=1).first()
    for slug in titles.slugs():
        title = titles.get(slug)
        draws = chance.SealedChance(bytes(16), 1, lambda: chance.Key(bytes(chance.SIZE)), bytes(chance.SIZE))
        state = match.begin(title, complete(title.OPTIONS, title.SEATS[0], {}), draws).state
        seat = min(state.to_act())
        match.step(state, seat, title.legal_moves(state.position, seat)[0], draws)
    clock.beat()
