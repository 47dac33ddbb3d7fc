"""One folding for names and mail addresses (settled.md): what folds alike is one person's name."""

from __future__ import annotations

import unicodedata

_DOTS = str.maketrans({"İ": "i", "I": "i", "ı": "i"})
# A dotted capital written as I + U+0307 composes only in NFC of the pair; after folding the mark is left over an i.
_COMBINING_DOT = "\u0307"


def fold(text: str) -> str:
    """The key under which a name is unique: NFKC, then İ I ı become i, then casefold. Shown names are never re-cased."""
    composed = unicodedata.normalize("NFKC", text)
    folded = composed.translate(_DOTS).replace("i" + _COMBINING_DOT, "i").casefold()
    return unicodedata.normalize("NFKC", folded)
