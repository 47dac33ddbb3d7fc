"""The ways out of the club, and what can go wrong on them."""

from __future__ import annotations


class Unreachable(Exception):
    """The way itself is shut: no other message would get through now either."""


class Later(Exception):
    """This message did not get through; another try may."""


class Refused(Exception):
    """This message will never get through. `for_good`: nothing sent to this address will."""

    def __init__(self, why: str, *, for_good: bool) -> None:
        super().__init__(why)
        self.for_good = for_good
