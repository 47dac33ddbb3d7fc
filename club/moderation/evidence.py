"""What is complained of, copied at the moment of filing: nothing done afterwards changes or deletes it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from club.afterwords.models import Afterword
from games.models import Match, Seat
from games.store import stamp


def collect(match: Match, accused: Seat) -> dict[str, Any]:
    """The accused's name and words, and the place in the match: the log itself cannot be changed up to this head."""
    words = Afterword.objects.filter(match=match, author_seat=accused.number)
    return {
        "seat": accused.number,
        "name": accused.member.name,
        "title": match.table.title,
        "status": match.status,
        "number": match.number,
        "head": bytes(match.head).hex(),
        "words": [
            {
                "to": word.reader_seat,
                "phrase": word.phrase,
                "text": word.text,
                "at": stamp(word.written_at),
                "taken_back": word.withdrawn_at is not None,
            }
            for word in words
        ],
    }


def sha256(evidence: dict[str, Any]) -> bytes:
    """The digest of evidence: keys in order, no blanks, UTF-8, so that it can be made again from the stored form."""
    text = json.dumps(evidence, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()
