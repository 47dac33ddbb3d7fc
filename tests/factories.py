"""Rows for tests. Each app appends its own."""

from __future__ import annotations

import factory
from django.contrib.auth.hashers import make_password

from club.members.models import Member

PASSWORD = "green table under a tree"


class MemberFactory(factory.django.DjangoModelFactory):
    """A member who can sign in with PASSWORD."""

    class Meta:
        model = Member
        skip_postgeneration_save = True

    name = factory.Sequence(lambda n: f"Player {n:05}")

    @factory.post_generation
    def password(self: Member, create: bool, given: str | None, **_: object) -> None:
        self.set_password(given or PASSWORD)
        if create:
            self.save()


class GuestFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Member

    name = factory.Sequence(lambda n: f"Guest {n:05}")
    password = factory.LazyFunction(lambda: make_password(None))
    is_guest = True
