"""Sub-keys of the club's one master key, and sealing with them (security.md 4)."""

from __future__ import annotations

import os
import secrets
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

SIZE = 32

_NONCE = 12


@cache
def subkey(purpose: str) -> bytes:
    """The club's 32 bytes for one purpose."""
    return derive(_master(), purpose)


def derive(master: bytes, purpose: str) -> bytes:
    """32 bytes from a master key, by HKDF-SHA256 with salt `club/v1` (fairness.md 4, "sub-key"). Raises ValueError."""
    if len(master) != SIZE:
        raise ValueError(f"a master key has {SIZE} bytes")
    return HKDF(algorithm=SHA256(), length=SIZE, salt=b"club/v1", info=purpose.encode("ascii")).derive(master)


def seal(purpose: str, secret: bytes, about: bytes) -> bytes:
    """`secret` under authenticated encryption (AES-256-GCM); it opens only for the same purpose and `about`."""
    nonce = secrets.token_bytes(_NONCE)
    return nonce + AESGCM(subkey(purpose)).encrypt(nonce, secret, about)


def unseal(purpose: str, sealed: bytes, about: bytes) -> bytes:
    """What `seal` was given. Raises cryptography's InvalidTag when purpose, bytes or `about` differ."""
    return AESGCM(subkey(purpose)).decrypt(sealed[:_NONCE], sealed[_NONCE:], about)


def _master() -> bytes:
    if given := os.environ.get("CLUB_MASTER_KEY"):
        return bytes.fromhex(given)
    path = Path(settings.MASTER_KEY_FILE)
    if not path.exists():
        _create(path)
    return bytes.fromhex(path.read_text().strip())


def _create(path: Path) -> None:
    """Make the key once, whole or not at all, even when two processes start together."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_hex(SIZE))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
