"""Room codes: eight signs of Crockford's base 32, forgiving when typed, stored as HMAC only."""

from __future__ import annotations

import hmac
import unicodedata
from uuid import UUID

from club.keys import subkey

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 8

# Look-alikes from the keyboards of our four languages (settled.md, "Look-alikes in room codes").
_ALIKE = str.maketrans(dict.fromkeys("iİıIlL", "1") | dict.fromkeys("oO", "0"))


def code_for(table: UUID, attempt: int) -> str:
    """The code of a table: derived from the club's key, so that it can be shown again without being stored."""
    digest = hmac.digest(subkey("room-code"), b"code" + table.bytes + bytes([attempt]), "sha256")
    bits = int.from_bytes(digest[:5], "big")
    return "".join(ALPHABET[bits >> shift & 31] for shift in range(35, -1, -5))


def code_hash(code: str) -> bytes:
    """What is stored of a code."""
    return hmac.digest(subkey("room-code"), b"hash" + code.encode("ascii"), "sha256")


def read_code(typed: str) -> str | None:
    """The code somebody meant: case, blanks, hyphens and look-alikes forgiven; None when it cannot be one."""
    if len(typed) > 64:
        return None
    plain = "".join(sign for sign in unicodedata.normalize("NFKC", typed) if not sign.isspace() and sign not in "-–—")
    # ASCII upper-casing only: no locale, and no letter that turns into two.
    code = "".join(sign.upper() if sign.isascii() else sign for sign in plain.translate(_ALIKE))
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None


def show_code(code: str) -> str:
    """The code as people read it aloud: two groups of four."""
    return f"{code[:4]}-{code[4:]}"
