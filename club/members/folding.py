"""One folding for names and mail addresses (settled.md), and the skeleton of names that look alike (UTS #39)."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

_DOTS = str.maketrans({"İ": "i", "I": "i", "ı": "i"})
# A dotted capital written as I + U+0307 composes only in NFC of the pair; after folding the mark is left over an i.
_COMBINING_DOT = "\u0307"
_UNSEEN = dict.fromkeys([0x200C, 0x200D, 0xFE0E, 0xFE0F])


def fold(text: str) -> str:
    """The key under which a name is unique: NFKC, then İ I ı become i, then casefold.

    For comparing only: shown names are never re-cased.
    """
    composed = unicodedata.normalize("NFKC", text)
    folded = composed.translate(_DOTS).replace("i" + _COMBINING_DOT, "i").casefold()
    return unicodedata.normalize("NFKC", folded)


def skeleton(text: str) -> str:
    """What two names that look alike have in common: Cyrillic and Latin А, ə and ә, capital I and small l, m and rn.

    It keeps to what is seen, so it is taken from the name as typed and not from the folded one.
    """
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text)).translate(_UNSEEN)
    # Once more after the casefold: a letter may look like another only when it is small.
    return apart.translate(_lookalikes()).casefold().translate(_lookalikes()).replace("rn", "m")


@cache
def _lookalikes() -> dict[int, str]:
    lines = Path(__file__).with_name("lookalikes.txt").read_text(encoding="utf-8").splitlines()
    return {ord(letter): line[0] for line in lines if not line.startswith("#") for letter in line}
