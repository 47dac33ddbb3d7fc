"""A reader of match records that knows the rules pages and nothing of the engine: the oracle for self-play.

It is written from match-record.md, the rules pages and the lapse rules of time.md alone, slowly and plainly, so that
a mistake in the engine cannot hide in code the two share: nothing here imports the club.
"""

from __future__ import annotations

from tests.records.allfives import AllFivesReader
from tests.records.kozel import KozelReader
from tests.records.match import Reader, Record
from tests.records.telefon import TelefonReader
from tests.records.telefon365 import Telefon365Reader
from tests.records.thousand import ThousandReader

READERS: dict[str, type[Reader]] = {
    "allfives": AllFivesReader,
    "kozel": KozelReader,
    "telefon": TelefonReader,
    "telefon365": Telefon365Reader,
    "thousand": ThousandReader,
}


def check(record: Record) -> None:
    """Replay a finished match and check every number in it.

    Raises AssertionError at the first wrong fact, naming the event's number and the fact.
    """
    if record.get("title") not in READERS:
        raise AssertionError(f"the record: title is {record.get('title')!r}, which no rules page knows")
    READERS[record["title"]](record).read()
