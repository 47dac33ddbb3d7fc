"""The people of the club. Guests are members too: the same row, without a password."""

from __future__ import annotations

import uuid
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.urls import reverse

from club.members.folding import fold, skeleton


class MemberManager(BaseUserManager["Member"]):
    def get_by_natural_key(self, username: str | None) -> Member:
        return self.get(name_key=fold(username or ""))

    def create_user(self, name: str, password: str | None = None, **fields: object) -> Member:
        """A new row; without a password nobody can sign in to it. The name is taken as it is: services clean it."""
        member = Member(name=name, **fields)
        member.set_password(password)
        member.save(using=self._db)
        return member


class Member(AbstractBaseUser, PermissionsMixin):
    """A person: signed up, or a guest who keeps the row when signing up."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=64)
    """As typed; shown so, never re-cased."""
    name_key = models.CharField(max_length=128, unique=True, editable=False)
    """The folded name: what sign-in and search compare."""
    name_skeleton = models.CharField(max_length=255, unique=True, editable=False)
    """What look-alikes of the name have in common: nobody can pass for somebody else."""
    email = models.EmailField(blank=True)
    email_key = models.CharField(max_length=320, blank=True, db_index=True, editable=False)
    email_confirmed = models.BooleanField(default=False)
    """The owner of the inbox said so; only then the address belongs to this row alone. Many may claim it before:
    refusing the second would tell strangers who has an account (reliability.md C56)."""
    is_guest = models.BooleanField(default=False)
    is_moderator = models.BooleanField(default=False)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    merged_into = models.ForeignKey("self", null=True, editable=False, on_delete=models.SET_NULL, related_name="merged")
    """The account that took over this guest's seats."""
    language = models.CharField(max_length=2, default="en")
    time_zone = models.CharField(max_length=64, default="UTC")
    zone_chosen = models.BooleanField(default=False)
    """False while the zone is what the browser said; the member may correct it."""
    joined_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[MemberManager] = MemberManager()

    USERNAME_FIELD = "name_key"
    EMAIL_FIELD = "email"

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(name=""), name="member_has_name"),
            models.UniqueConstraint(
                fields=["email_key"], condition=models.Q(email_confirmed=True), name="member_owns_address"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args, **kwargs) -> None:
        self.name_key = fold(self.name)
        self.name_skeleton = skeleton(self.name)
        self.email_key = fold(self.email)
        if (fields := kwargs.get("update_fields")) is not None:
            kwargs["update_fields"] = {*fields, "name_key", "name_skeleton", "email_key"}
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.pk])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class RecoveryToken(models.Model):
    """A link that gives a guest the seats back after a lost cookie: one use, kept only as a hash (security.md 3)."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="recovery_tokens")
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the 32 random bytes in the link, in hex."""
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
