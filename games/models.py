"""What is stored of playing. The numbered events are the match; every other row here is a summary of them."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint

MEMBER = settings.AUTH_USER_MODEL


class Table(models.Model):
    """An open invitation: title, options, pace, seats. A started table has a Match with the same id."""

    class Status(models.TextChoices):
        OPEN = "open"
        STARTED = "started"
        CLOSED = "closed"
        """Left by everybody, or nobody came in time."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=32)
    ruleset = models.CharField(max_length=40)
    size = models.PositiveSmallIntegerField()
    """How many seats."""
    options = models.JSONField()
    """Every option of the rules page with its value, fixed for good when the table opens."""
    pace = models.CharField(max_length=8, default="day")
    turn_seconds = models.PositiveIntegerField()
    lapses_in_a_row = models.PositiveSmallIntegerField(default=2)
    lapses_in_match = models.PositiveSmallIntegerField(default=3)
    is_private = models.BooleanField(default=False)
    code_hash = models.BinaryField(null=True)
    """HMAC of the room code of a private table; the code itself is not stored (security.md 4)."""
    code_try = models.PositiveSmallIntegerField(default=0)
    opener = models.ForeignKey(MEMBER, on_delete=models.PROTECT, related_name="opened_tables")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    chain_length = models.PositiveIntegerField()
    """N of fairness.md: how many epochs the match may have."""
    opened_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["code_hash"], condition=Q(status="open"), name="table_code_once"),
        ]
        indexes: ClassVar = [
            Index(fields=["expires_at"], condition=Q(status="open"), name="table_open"),
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.id}"


class Root(models.Model):
    """The sealed root of a table's key chain. No admin page, no export, no log (fairness.md 7)."""

    table = models.OneToOneField(Table, on_delete=models.PROTECT, primary_key=True)
    sealed = models.BinaryField()


class SetupLine(models.Model):
    """What happened at a table before the first event, as lines of the log chain (fairness.md 6)."""

    pk = models.CompositePrimaryKey("table_id", "index")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="setup_lines")
    index = models.PositiveIntegerField()
    line = models.BinaryField()
    digest = models.BinaryField()


class Seat(models.Model):
    """A numbered place at a table, and what the club knows of its member's attendance."""

    class Left(models.TextChoices):
        RESIGNED = "resigned"
        FORFEITED = "forfeited"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    member = models.ForeignKey(MEMBER, on_delete=models.PROTECT, related_name="seats")
    """Stays the member of this seat even when a bot plays it."""
    left = models.CharField(max_length=9, choices=Left.choices, blank=True)
    lapses_in_a_row = models.PositiveSmallIntegerField(default=0)
    lapses_in_match = models.PositiveSmallIntegerField(default=0)
    lapsed_at = models.DateTimeField(null=True)
    """The last lapse that counted."""
    taken_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            UniqueConstraint(fields=["table", "number"], name="seat_number_once"),
            UniqueConstraint(fields=["table", "member"], name="seat_member_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.table_id}"


class Match(models.Model):
    """One contest from the first deal or throw to final places: the summary of its events."""

    class Status(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        VOIDED = "voided"

    table = models.OneToOneField(Table, on_delete=models.PROTECT, primary_key=True, related_name="match")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.RUNNING)
    number = models.PositiveIntegerField(default=0)
    """Of the last event."""
    opening = models.PositiveIntegerField(default=0)
    """Of the event that opened the running round; a position is folded from there."""
    to_act = models.JSONField(default=list)
    scores = models.JSONField(default=list)
    outcome = models.JSONField(null=True)
    transcript = models.BinaryField()
    setup_length = models.PositiveIntegerField()
    """How many set-up lines stand before event 1 in the log chain."""
    head = models.BinaryField()
    """Digest of the last line of the chain."""
    settled_outage = models.PositiveBigIntegerField(default=0)
    """The last outage whose lost time was given back here."""
    started_at = models.DateTimeField()
    moved_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [Index(fields=["-ended_at"], condition=Q(ended_at__isnull=False), name="match_ended")]

    def __str__(self) -> str:
        return f"match {self.pk} at {self.number}"

    @property
    def is_over(self) -> bool:
        return self.ended_at is not None


class Event(models.Model):
    """A numbered fact, stored for ever. Only `games.store` writes here; a trigger refuses changes."""

    pk = models.CompositePrimaryKey("match_id", "number")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="events")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=24)
    seat = models.PositiveSmallIntegerField(null=True)
    payload = models.JSONField()
    secret = models.JSONField()
    at = models.DateTimeField()
    line = models.BinaryField()
    """The exact bytes of the public part; digests are made of these, never of a parsed form."""
    digest = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"


class Turn(models.Model):
    """The time one seat is obliged to act. `due_at` decides, whatever job notices it."""

    class How(models.TextChoices):
        MOVE = "move"
        LAPSE = "lapse"
        LEFT = "left"
        END = "end"

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="turns")
    seat = models.PositiveSmallIntegerField()
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()
    promised_at = models.DateTimeField()
    """What `due_at` was before anything was granted; nothing may bring a deadline nearer than that."""
    closed_at = models.DateTimeField(null=True)
    how = models.CharField(max_length=5, choices=How.choices, blank=True)

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["match", "seat"], condition=Q(closed_at__isnull=True), name="turn_open_once"),
            CheckConstraint(condition=Q(due_at__gte=F("promised_at")), name="turn_never_shortened"),
        ]
        indexes: ClassVar = [Index(fields=["due_at"], condition=Q(closed_at__isnull=True), name="turn_due")]

    def __str__(self) -> str:
        return f"turn {self.pk} of seat {self.seat}"


class Receipt(models.Model):
    """The stored answer to an accepted move, so that the same request sent again plays nothing twice."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="receipts")
    seat = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=64)
    body = models.BinaryField()
    """SHA-256 of what was asked for; the same key with another body is refused."""
    number = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [UniqueConstraint(fields=["match", "seat", "key"], name="receipt_key_once")]

    def __str__(self) -> str:
        return f"receipt of {self.match_id} at {self.number}"


class Heartbeat(models.Model):
    """One row: when the club last proved that a move can be made (reliability.md 3)."""

    beat_at = models.DateTimeField()
    halted_at = models.DateTimeField(null=True)
    """Set by the breaker; a person clears it."""
    halted_why = models.CharField(max_length=80, blank=True)
    resumed_at = models.DateTimeField(null=True)
    """When a person last let turns expire again: what was due before that moment they have seen."""

    def __str__(self) -> str:
        return f"beat {self.beat_at}"


class Outage(models.Model):
    """A gap in the heartbeat. Lapses that touch it, or the ten minutes after it, count for nothing."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    """When every deadline it touched had been moved. Until then nothing expires."""

    def __str__(self) -> str:
        return f"outage {self.began_at} to {self.ended_at}"
