"""What to tell whom (Notice), each try to tell it (Delivery), and what a member wants to be told (Preference)."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Index, Q, UniqueConstraint

MEMBER = settings.AUTH_USER_MODEL


class Channel(models.TextChoices):
    """The ways a notice leaves the club. The inbox on the site is no channel: it shows the notices themselves."""

    EMAIL = "email"


class Notice(models.Model):
    """A thing to tell one member. Written with what it tells about, in the same transaction."""

    # Foreign keys here have no index of their own: another one begins with them, and the move's path writes these rows.
    member = models.ForeignKey(MEMBER, on_delete=models.CASCADE, related_name="notices", db_index=False)
    kind = models.CharField(max_length=32)
    about = models.CharField(max_length=64)
    """What it tells about, such as "turn:123"; `services.cancel` finds it by this."""
    thread = models.CharField(max_length=64, blank=True)
    """Messages of one thread, such as a match, stand together in the member's mail program."""
    facts = models.JSONField(default=dict)
    """What its kind needs to compose the letter: ids and numbers, no secrets and no sentences."""
    send_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    """The deadline it was written for. A moved deadline makes another notice."""
    created_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(
                fields=["member", "kind", "about", "due_at"], name="notice_told_once", nulls_distinct=False
            ),
        ]
        indexes: ClassVar = [
            Index(fields=["about"], name="notice_about"),
            Index(fields=["member", "-send_at"], name="notice_inbox"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} about {self.about}"


class Delivery(models.Model):
    """A notice on its way over one channel."""

    class State(models.TextChoices):
        QUEUED = "queued"
        SENT = "sent"
        """The mail server accepted it."""
        FAILED = "failed"
        CANCELLED = "cancelled"
        """Called off before it was sent, or the member wants none of it any more."""
        STALE = "stale"
        """No longer true when it was about to be sent."""

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    channel = models.CharField(max_length=8, choices=Channel.choices)
    state = models.CharField(max_length=9, choices=State.choices, default=State.QUEUED)
    tries = models.PositiveSmallIntegerField(default=0)
    """Also tells whose claim is the latest: a worker that slept through its lease finds another number."""
    next_try_at = models.DateTimeField()
    """When it is due; while a worker holds it, when the claim ends."""
    sent_at = models.DateTimeField(null=True)
    why = models.CharField(max_length=40, blank=True)
    """Why the last try failed: a status code or a word of ours, never a server's sentence, which may hold anything."""
    message_id = models.UUIDField(default=uuid.uuid4)
    """The same in every try, so that a mail program can drop a double."""

    class Meta:
        constraints: ClassVar = [UniqueConstraint(fields=["notice", "channel"], name="delivery_channel_once")]
        indexes: ClassVar = [Index(fields=["next_try_at"], condition=Q(state="queued"), name="delivery_due")]

    def __str__(self) -> str:
        return f"delivery {self.pk} by {self.channel}: {self.state}"


class Preference(models.Model):
    """Whether a member wants one kind over one channel. Without a row: yes."""

    member = models.ForeignKey(MEMBER, on_delete=models.CASCADE, related_name="preferences", db_index=False)
    kind = models.CharField(max_length=32)
    channel = models.CharField(max_length=8, choices=Channel.choices)
    on = models.BooleanField()

    class Meta:
        constraints: ClassVar = [UniqueConstraint(fields=["member", "kind", "channel"], name="preference_once")]

    def __str__(self) -> str:
        return f"{self.kind} by {self.channel}: {'on' if self.on else 'off'}"


class DeadAddress(models.Model):
    """An address its mail server refused for good. It gets nothing more until its owner says it works again."""

    member = models.OneToOneField(MEMBER, on_delete=models.CASCADE, primary_key=True, related_name="dead_address")
    address = models.EmailField()
    """Compared with the member's present address: a new one is not dead."""
    why = models.CharField(max_length=40)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"dead since {self.since}"
