"""The people of the club. Guests are members too: the same row, without a password."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models

from club.members.folding import fold


class MemberManager(BaseUserManager["Member"]):
    def get_by_natural_key(self, username: str | None) -> Member:
        return self.get(name_key=fold(username or ""))


class Member(AbstractBaseUser, PermissionsMixin):
    """A person: signed up, or a guest who keeps the row when signing up."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=64)
    """As typed; shown so, never re-cased."""
    name_key = models.CharField(max_length=128, unique=True, editable=False)
    email = models.EmailField(blank=True)
    email_key = models.CharField(max_length=320, unique=True, null=True, editable=False)
    is_guest = models.BooleanField(default=False)
    is_moderator = models.BooleanField(default=False)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    language = models.CharField(max_length=2, default="en")
    time_zone = models.CharField(max_length=64, default="UTC")
    zone_chosen = models.BooleanField(default=False)
    """False while the zone is what the browser said; the member may correct it."""
    joined_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[MemberManager] = MemberManager()

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=~models.Q(name=""), name="member_has_name")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args, **kwargs) -> None:
        self.name_key = fold(self.name)
        self.email_key = fold(self.email) if self.email else None
        if (fields := kwargs.get("update_fields")) is not None:
            kwargs["update_fields"] = {*fields, "name_key", "email_key"}
        super().save(*args, **kwargs)
