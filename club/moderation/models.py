"""What is stored of complaints. Nothing here but ComplaintIdentity tells who complained, and that row is sealed."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Index, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from games.models import Match

MEMBER = settings.AUTH_USER_MODEL


class Category(models.TextChoices):
    """The reasons a member may give."""

    RUDENESS = "rudeness", _("Rudeness")
    MOCKERY = "mockery", _("Mockery")
    HATE = "hate", _("Hatred of a group of people")
    THREAT = "threat", _("A threat")
    MINOR = "minor", _("A child is in danger")
    SELF_HARM = "self_harm", _("Somebody may harm themselves")
    NAME = "name", _("An offensive name")
    SPAM = "spam", _("Advertising")
    STALLING = "stalling", _("Playing for time on purpose")
    COLLUSION = "collusion", _("Secret help between players")


URGENT = frozenset({Category.THREAT, Category.MINOR, Category.SELF_HARM})
"""Answered before everything else."""


class Case(models.Model):
    """The open dossier on one member: complaints about the same member are gathered in it until a ruling ends it."""

    class Status(models.TextChoices):
        OPEN = "open"
        ANSWERED = "answered"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    accused = models.ForeignKey(MEMBER, on_delete=models.PROTECT, related_name="cases")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()
    """When the earliest of its unanswered complaints is due. Nothing pauses it."""
    version = models.PositiveIntegerField(default=1)
    """Grows with every change; a moderator who acts on an older one is shown the fresh case."""
    claimed_by = models.ForeignKey(MEMBER, null=True, on_delete=models.PROTECT, related_name="claimed_cases")
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["accused"], condition=Q(status="open"), name="case_open_once"),
            UniqueConstraint(fields=["claimed_by"], condition=Q(claimed_by__isnull=False), name="case_held_once"),
            CheckConstraint(
                condition=Q(claimed_by=None, claimed_at=None) | Q(claimed_by__isnull=False, claimed_at__isnull=False),
                name="case_claim_has_time",
            ),
        ]
        indexes: ClassVar = [Index(fields=["due_at"], condition=Q(status="open"), name="case_due")]

    def __str__(self) -> str:
        return f"case {self.pk}: {self.status}"


class Ruling(models.Model):
    """The decision that ends a case, with its reasons. The moderator stays unnamed outside the desk."""

    class Decision(models.TextChoices):
        NO_ACTION = "no_action", _("No action")
        NOTE = "note", _("A note: against the rules of the house")

    case = models.OneToOneField(Case, on_delete=models.PROTECT, related_name="ruling")
    decision = models.CharField(max_length=9, choices=Decision.choices)
    reasons = models.TextField()
    """For whoever complained, in general words."""
    author = models.ForeignKey(MEMBER, on_delete=models.PROTECT, related_name="rulings")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"ruling {self.decision}"


class Complaint(models.Model):
    """One member's charge about another seat of a shared match."""

    class State(models.TextChoices):
        RECEIVED = "received"
        MERGED = "merged"
        """It joined a case that was open; its own four hours run all the same."""
        ANSWERED = "answered"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="complaints")
    first = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="more")
    """Set when the same member complained about the same seat before: this one only adds words to that one."""
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="complaints")
    accused_seat = models.PositiveSmallIntegerField()
    category = models.CharField(max_length=9, choices=Category.choices)
    text = models.TextField()
    evidence = models.JSONField()
    """What is complained of, copied at the moment of filing (see evidence.py)."""
    evidence_sha256 = models.BinaryField()
    received_at = models.DateTimeField()
    due_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.RECEIVED)
    pseudonym = models.CharField(max_length=6, db_index=True)
    """What moderators call whoever complained: `R-` and four signs."""
    token_digest = models.CharField(max_length=64, null=True, unique=True)
    """SHA-256 of the token with which a guest reads the answer, in hex."""

    class Meta:
        ordering: ClassVar = ["received_at"]
        constraints: ClassVar = [
            CheckConstraint(
                condition=Q(state="answered", answered_at__isnull=False)
                | (~Q(state="answered") & Q(answered_at__isnull=True)),
                name="complaint_answer_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"complaint {self.pk}"


class ComplaintIdentity(models.Model):
    """Who complained: sealed, in a table of its own, with no key to the member (security.md 4)."""

    complaint = models.OneToOneField(Complaint, on_delete=models.CASCADE, primary_key=True, related_name="identity")
    sealed = models.BinaryField()

    def __str__(self) -> str:
        return "sealed"


class StaffLog(models.Model):
    """A numbered fact about the desk, chained to the one before. Only `stafflog` writes; a trigger refuses changes."""

    number = models.PositiveIntegerField(primary_key=True)
    at = models.DateTimeField()
    actor = models.ForeignKey(MEMBER, null=True, on_delete=models.PROTECT, related_name="staff_acts")
    """The moderator; nobody where a complaint was filed."""
    act = models.CharField(max_length=16)
    case = models.UUIDField(db_index=True)
    facts = models.JSONField()
    line = models.BinaryField()
    """The exact bytes of all of it; digests are made of these, never of a parsed form."""
    digest = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["number"]

    def __str__(self) -> str:
        return f"{self.number} {self.act}"
