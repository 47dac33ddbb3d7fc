"""Fixtures for tables and matches."""

from __future__ import annotations

from functools import partial

import pytest

from games import services
from games.engine.options import complete


@pytest.fixture
def live_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables here also take the choices of live tables."""
    monkeypatch.setattr(services, "complete", partial(complete, live=True))
