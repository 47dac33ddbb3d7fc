"""`make run` as a person sees it."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable

from club.stack.process import wait_until
from tests.stack.conftest import Club


def test_the_club_opens_works_closes_and_opens_again(run: Callable[..., Club]) -> None:
    club = run(module="club.stack").opened(180)
    with urllib.request.urlopen(club.address + "/") as page:
        assert page.status == 200
        assert b"<main" in page.read()
    members = club.sql("SELECT count(*) FROM members_member")
    # The beat asks the worker every few seconds to make a move at the web server, which tells the database.
    pulse = "SELECT max(beat_at) FROM games_heartbeat"
    before = club.sql(pulse)
    assert wait_until(lambda: club.sql(pulse) != before, 120)

    assert club.end() == 0
    assert not club.everybody

    again = run(module="club.stack").opened(180)
    assert again.sql("SELECT count(*) FROM members_member") == members
    assert "Sign in with" in again.said
