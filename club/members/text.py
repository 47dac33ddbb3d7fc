"""What people may write, and how it is kept: names, and longer text (reliability.md C38-C48).

What is only invisible or disturbing is taken out (direction overrides, zero width, towers of marks); what cannot be
meant honestly is refused with `BadText`. The text stays as typed otherwise, in NFC.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from club.members.folding import fold, skeleton

NAME_GRAPHEMES = 24
NAME_BYTES = 96
MARKS = 4
"""The most combining marks on one base."""

REASONS: dict[str, Promise] = {
    "empty": _("Please write something: this is empty."),
    "long": _("This is too long. Please shorten it."),
    "control": _("There is a character in it that cannot be shown. Please type it anew instead of pasting it."),
    "mixed": _("Please keep to one alphabet in a name: letters of two look too much alike."),
    "mail": _("A name cannot contain the sign @."),
    "reserved": _("This name sounds like somebody who works for the club. Please choose another one."),
    "taken": _("This name is taken, or looks like one that is. Please choose another one."),
}

_ZWJ = "\u200d"
_VARIANTS = "\ufe0e\ufe0f"
_TONES = range(0x1F3FB, 0x1F400)
_FLAGS = range(0x1F1E6, 0x1F200)
# Blank, though Unicode does not call them format characters: fillers, the grapheme joiner, the empty braille cell.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_BREAKS = str.maketrans({"\u2028": "\n", "\u2029": "\n", "\t": " "})

_GLANCE = str.maketrans("l345", "ieas")

# A name that begins or ends with one of these speaks for the club.
_STAFF = "admin moderator админ администратор модератор yönetici moderatör inzibatçı idarəçi"
# These do only as a word of their own.
_CLUB = (
    "moder модер club klub klubu kulüp kulübü клуб клуба staff персонал support поддержка destek dəstək "
    "system система sistem root official resmi rəsmi bot бот robot робот"
)


class BadText(ValueError):
    """A text that is not taken. `reason` is a key of REASONS, `message` a sentence for whoever wrote it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    @property
    def message(self) -> Promise:
        return REASONS[self.reason]


def clean_name(text: str) -> str:
    """A name as it will be shown: one line, one alphabet, at most 24 graphemes, not one that speaks for the club.

    Whether it is free is for the database to say. Raises BadText.
    """
    name = clean_line(text, graphemes=NAME_GRAPHEMES, bytes=NAME_BYTES)
    if "@" in fold(name):  # or a name could be taken for a mail address at sign-in
        raise BadText("mail")
    if not any(unicodedata.category(c)[0] in "LN" or _is_picture(c) for c in name):
        raise BadText("empty")
    if len(_alphabets(name)) > 1:
        raise BadText("mixed")
    if _speaks_for_club(name):
        raise BadText("reserved")
    if len(name) > 64 or len(fold(name)) > 128 or len(skeleton(name)) > 255:
        raise BadText("long")
    return name


def clean_line(text: str, *, graphemes: int, bytes: int) -> str:
    """One line, without blanks at its ends or doubled ones. Raises BadText."""
    if any(unicodedata.category(c) in {"Cc", "Zl", "Zp"} for c in text):
        raise BadText("control")
    return _measured(" ".join(_tidy(text).split()), graphemes, bytes)


def clean_text(text: str, *, graphemes: int, bytes: int) -> str:
    """Text of several lines: line ends become LF, at most one empty line in a row. Raises BadText."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").translate(_BREAKS)
    if any(unicodedata.category(c) == "Cc" and c != "\n" for c in lines):
        raise BadText("control")
    tidy = "\n".join(line.rstrip() for line in _tidy(lines).split("\n"))
    return _measured(re.sub(r"\n{3,}", "\n\n", tidy).strip(), graphemes, bytes)


def count_graphemes(text: str) -> int:
    """How many signs a reader sees: a base with its marks, a joined emoji or a flag is one.

    A short form of UAX #29, enough for tidied text in NFC.
    """
    count, joined, flag = 0, False, False
    for c in text:
        if c == _ZWJ:
            joined = True
            continue
        half = ord(c) in _FLAGS and not flag
        if not (joined or (flag and ord(c) in _FLAGS) or _extends(c)):
            count += 1
        joined, flag = False, half
    return count


def _measured(text: str, graphemes: int, bytes: int) -> str:
    if not text:
        raise BadText("empty")
    if len(text.encode()) > bytes or count_graphemes(text) > graphemes:
        raise BadText("long")
    return text


def _tidy(text: str) -> str:
    """NFC without what is not seen, and with at most MARKS marks on one base. Raises BadText on a lone surrogate."""
    if any(unicodedata.category(c) == "Cs" for c in text):
        raise BadText("control")
    kept: list[str] = []
    room = 0  # how many marks the last base still takes
    apart = unicodedata.normalize("NFD", text)
    for i, c in enumerate(apart):
        if unicodedata.category(c)[0] == "M" and c not in _VARIANTS and c not in _BLANK:
            if room:
                kept.append(c)
                room -= 1
        elif _is_seen(c, kept, apart[i + 1 : i + 2]):
            kept.append(c)
            room = 0 if c.isspace() else MARKS
    return unicodedata.normalize("NFC", "".join(kept))


def _is_seen(c: str, before: list[str], after: str) -> bool:
    """Whether `c` shows by itself, or belongs to the emoji around it."""
    last = before[-1] if before else ""
    if c == _ZWJ:
        return bool(after) and _is_picture(after) and bool(last) and (_is_picture(last) or last in _VARIANTS)
    if c in _VARIANTS:
        return bool(last) and (_is_picture(last) or last in "#*0123456789")
    return c not in _BLANK and unicodedata.category(c) != "Cf"


def _is_picture(c: str) -> bool:
    return unicodedata.category(c) == "So" or 0x1F000 <= ord(c) < 0x1FB00


def _extends(c: str) -> bool:
    return unicodedata.category(c)[0] == "M" or ord(c) in _TONES


def _alphabets(name: str) -> set[str]:
    """The scripts of the letters, as Unicode names them; what is written together in Japanese or Korean is one."""
    letters = [c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) in {"Lu", "Ll", "Lt", "Lo"}]
    scripts = {unicodedata.name(c, "UNKNOWN").split()[0].split("-")[0] for c in letters}
    together = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL"}
    return scripts - together | {"EAST"} if scripts & together else scripts


def _speaks_for_club(name: str) -> bool:
    folded = fold(name)
    for reading in (_reading(name), _reading(folded), _reading(re.sub(r"\d", "", folded))):
        words = re.findall(r"[^\W_]+", reading)
        whole = "".join(words)
        if whole.startswith(_reserved(_STAFF)) or whole.endswith(_reserved(_STAFF)):
            return True
        if not set(_reserved(_CLUB)).isdisjoint([*words, whole]):
            return True
    return False


@cache
def _reserved(words: str) -> tuple[str, ...]:
    return tuple({_reading(word) for word in words.split()})


def _reading(name: str) -> str:
    """How a name reads at a glance: 4DMlN is admin."""
    bare = (c for c in unicodedata.normalize("NFD", skeleton(name)) if unicodedata.category(c)[0] != "M")
    return "".join(bare).translate(_GLANCE)
