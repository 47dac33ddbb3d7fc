"""Deals, dice and lots that any member can check: the arithmetic of protocol `club/v1` (fairness.md 4 and 5).

A match has a secret chain of keys. `S_0`, the commitment, is shown before anyone sits down; `S_e` is the key of
epoch `e` (a round of dominoes or a turn at dice); `S_N` is the root. The transcript `T` binds the seeds of all seats.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import count

from games.engine.contract import Seat
from games.engine.dominoes import TILES

PROTOCOL = "club/v1"

LENGTH = 1024
"""How many epochs the chain of a match holds (`N`)."""

SIZE = 32
"""Bytes of a key, a seed, a digest and a block."""


class Key(bytes):
    """Secret bytes that do not show themselves: error reports print local variables, logs print objects."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<key>"

    __str__ = __repr__


class ChainExhausted(Exception):
    """A match asked for an epoch beyond its chain. The club voids it without blame (fairness.md 3)."""

    def __init__(self, epoch: int, length: int) -> None:
        super().__init__(f"epoch {epoch} of a chain of {length}")
        self.epoch = epoch
        self.length = length


def sha(data: bytes) -> bytes:
    """SHA-256: 32 bytes."""
    return hashlib.sha256(data).digest()


def mac(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA256 (RFC 2104): 32 bytes."""
    return hmac.digest(key, data, "sha256")


def u32(number: int) -> bytes:
    """Four bytes, the most significant first."""
    return number.to_bytes(4, "big")


@cache
def tag(name: str) -> bytes:
    """What stands before everything hashed, so that no value of one purpose is a value of another."""
    return f"{PROTOCOL}/{name}".encode("ascii") + b"\0"


def chain(match: bytes, root: bytes, length: int) -> list[Key]:
    """`[S_0, ..., S_length]` of a match: `match` has 16 bytes, `root` 32. Raises ValueError for other sizes."""
    _sized(match, 16)
    _sized(root, SIZE)
    # A whole chain is walked for every deal, so this loop is spelled out.
    head, sha256, key = tag("chain") + match, hashlib.sha256, root
    keys = [Key(root)]
    for epoch in range(length, 0, -1):
        key = sha256(head + epoch.to_bytes(4, "big") + key).digest()
        keys.append(Key(key))
    return keys[::-1]


def descend(match: bytes, epoch: int, key: bytes, to: int = 0) -> Key:
    """From `S_epoch` down to `S_to`. A revealed key is right when this reaches the commitment."""
    key = Key(key)
    for upper in range(epoch, to, -1):
        key = _below(match, upper, key)
    return key


def key_at(match: bytes, root: bytes, length: int, epoch: int) -> Key:
    """`S_epoch`, to be revealed once the epoch is over; epoch 0 gives the commitment.

    Raises ChainExhausted beyond the chain, ValueError below it.
    """
    if epoch < 0:
        raise ValueError("epochs count from 0")
    if epoch > length:
        raise ChainExhausted(epoch, length)
    return descend(match, length, _sized(root, SIZE), epoch)


def commitment(match: bytes, seat: Seat, seed: bytes) -> bytes:
    """What is shown of a seat's seed before the match starts. Raises ValueError unless the seed has 32 bytes."""
    return sha(tag("client") + match + bytes([seat]) + _sized(seed, SIZE))


def transcript(match: bytes, ruleset: str, seeds: Sequence[bytes | None]) -> bytes:
    """`T` of a match. `seeds`: 32 bytes for each seat, None where the seat gave none. Raises ValueError for others."""
    name = ruleset.encode("ascii")
    head = tag("match") + match + bytes([len(name)]) + name + bytes([len(seeds)])
    return sha(head + b"".join(bytes(1 + SIZE) if seed is None else b"\1" + _sized(seed, SIZE) for seed in seeds))


def block(key: bytes, transcript: bytes, label: str, a: int, b: int, index: int) -> bytes:
    """32 bytes of the stream `(label; a, b)`."""
    return mac(key, tag(label) + transcript + u32(a) + u32(b) + u32(index))


def stream(key: bytes, transcript: bytes, label: str, a: int, b: int) -> Iterator[int]:
    """The endless bytes of the stream `(label; a, b)` under `key`."""
    for index in count():
        yield from block(key, transcript, label, a, b, index)


def uniform(numbers: Iterator[int], choices: int) -> int:
    """A number below `choices` (1 to 256), each equally likely. Raises ValueError for other counts.

    Bytes beyond the last full multiple are dropped: a bare remainder would favour the small numbers.
    """
    if not 1 <= choices <= 256:
        raise ValueError(f"no draw among {choices}")
    if choices == 1:
        return 0
    bound = 256 - 256 % choices
    while (number := next(numbers)) >= bound:
        pass
    return number % choices


def deal(key: bytes, transcript: bytes, epoch: int, attempt: int) -> tuple[int, ...]:
    """The 28 tile numbers in their order: hands first, seat by seat, then the boneyard."""
    numbers = stream(key, transcript, "deal", epoch, attempt)
    order = list(range(28))
    for i in range(27, 0, -1):
        j = uniform(numbers, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def dice(key: bytes, transcript: bytes, epoch: int, throw: int, count: int) -> tuple[int, ...]:
    """`count` faces in the order thrown."""
    numbers = stream(key, transcript, "dice", epoch, throw)
    return tuple([uniform(numbers, 6) + 1 for _ in range(count)])


def lot(key: bytes, transcript: bytes, epoch: int, seats: int) -> Seat:
    """One of the seats, drawn by lot."""
    return uniform(stream(key, transcript, "lot", epoch, 0), seats)


def link(match: bytes, index: int, previous: bytes, line: bytes) -> bytes:
    """The digest of a line of the log (fairness.md 6); set-up lines and events are counted together from 0."""
    return sha(tag("event") + match + u32(index) + previous + sha(line))


def digests(match: bytes, lines: Iterable[bytes]) -> Iterator[bytes]:
    """The digest after each line of a whole log, set-up lines first. The last one is the head."""
    digest = bytes(SIZE)
    for index, line in enumerate(lines):
        digest = link(match, index, digest, line)
        yield digest


class SealedChance:
    """`contract.Chance` of one match, drawn under its own chain.

    `unseal` reads the root; it is called at the first draw only, because most moves draw nothing. The object lives as
    long as one decision, or one match in a simulation. Draws raise ChainExhausted beyond the `length` of the chain.
    """

    __slots__ = ("_keys", "_length", "_match", "_transcript", "_unseal")

    def __init__(self, match: bytes, length: int, unseal: Callable[[], Key], transcript: bytes) -> None:
        self._match = match
        self._length = length
        self._unseal = unseal
        self._transcript = transcript
        self._keys: list[Key] = []

    def deal(self, epoch: int, attempt: int) -> tuple[str, ...]:
        """The 28 tiles in their order: hands first, seat by seat, then the boneyard."""
        return tuple([TILES[number] for number in deal(self._key(epoch), self._transcript, epoch, attempt)])

    def dice(self, epoch: int, throw: int, count: int) -> tuple[int, ...]:
        """`count` faces, in the order thrown; `throw` counts from 0 within the turn."""
        return dice(self._key(epoch), self._transcript, epoch, throw, count)

    def lot(self, epoch: int, seats: int) -> Seat:
        """A seat drawn by lot."""
        return lot(self._key(epoch), self._transcript, epoch, seats)

    def _key(self, epoch: int) -> Key:
        # S_0 is public: what is drawn under it could be foreseen.
        if epoch < 1:
            raise ValueError("epochs count from 1")
        if epoch > self._length:
            raise ChainExhausted(epoch, self._length)
        if not self._keys:
            self._keys = chain(self._match, self._unseal(), self._length)
        return self._keys[epoch]


def _below(match: bytes, epoch: int, key: Key) -> Key:
    """`S_(epoch-1)` from `S_epoch`."""
    return Key(sha(tag("chain") + match + u32(epoch) + key))


def _sized(data: bytes, size: int) -> bytes:
    if len(data) != size:
        raise ValueError(f"{size} bytes wanted, {len(data)} given")
    return data
