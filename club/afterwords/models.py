"""What is stored of kind words."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.functional import Promise

from club.afterwords.phrases import PHRASES
from games.models import Match

MEMBER = settings.AUTH_USER_MODEL


class Afterword(models.Model):
    """A kind word from one seat of a match to another: a ready-made phrase, own words, or both."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="afterwords", db_index=False)
    author_seat = models.PositiveSmallIntegerField()
    author = models.ForeignKey(MEMBER, on_delete=models.PROTECT, related_name="afterwords_written")
    reader_seat = models.PositiveSmallIntegerField()
    reader = models.ForeignKey(MEMBER, on_delete=models.PROTECT, related_name="afterwords_received")
    phrase = models.CharField(max_length=16, blank=True)
    """A key of PHRASES."""
    text = models.TextField(blank=True)
    written_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
    """Taken back by its author. The row stays: there is one word for each pair, and a complaint may quote it."""
    hidden_at = models.DateTimeField(null=True)
    """Hidden by a moderator; its author goes on seeing it."""

    class Meta:
        ordering: ClassVar = ["written_at"]
        constraints: ClassVar = [
            UniqueConstraint(fields=["match", "author_seat", "reader_seat"], name="afterword_pair_once"),
            CheckConstraint(condition=~Q(author_seat=F("reader_seat")), name="afterword_to_another"),
            CheckConstraint(condition=~Q(phrase="", text=""), name="afterword_says_something"),
        ]

    def __str__(self) -> str:
        return f"afterword from seat {self.author_seat} to seat {self.reader_seat}"

    @property
    def sentence(self) -> str | Promise:
        """The ready-made phrase in the language of whoever reads it."""
        return PHRASES.get(self.phrase, "")
