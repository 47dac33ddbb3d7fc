"""The published vectors of fairness.md 10, the primitives below them, and what must never be shown."""

from __future__ import annotations

import hashlib
import json
import pprint
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from games.engine import chance
from games.engine.chance import TILES, ChainExhausted, Key, SealedChance

VECTORS = json.loads((Path(chance.__file__).parent / "examples" / "fairness-vectors.json").read_text("utf-8"))
Vector = dict[str, Any]

MATCH = bytes.fromhex(VECTORS["inputs"]["match"])
ROOT = bytes.fromhex(VECTORS["inputs"]["root"])
TRANSCRIPT = bytes(range(32, 64))


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes taken from any stream, the dropped ones included."""
    numbers: list[int] = []
    stream = chance.stream

    def counted(*arguments: Any) -> Iterator[int]:
        for number in stream(*arguments):
            numbers.append(number)
            yield number

    monkeypatch.setattr(chance, "stream", counted)
    return numbers


DRAWN = [vector for vector in VECTORS["vectors"] if vector["kind"] != "hkdf"]
"""Sub-keys are the club's, not the engine's: tests/club/test_keys.py."""


@pytest.mark.parametrize("vector", DRAWN, ids=lambda vector: vector["id"])
def test_vector(vector: Vector, taken: list[int]) -> None:
    CHECKS[vector["kind"]](vector, taken)


def check_chain(vector: Vector, taken: list[int]) -> None:
    match, root, length = octets(vector["match"]), octets(vector["root"]), vector["length"]
    keys = chance.chain(match, root, length)
    assert len(keys) == length + 1
    for index, expected in vector["expect"].items():
        assert keys[int(index)].hex() == expected
        assert chance.key_at(match, root, length, int(index)).hex() == expected
        assert chance.descend(match, int(index), octets(expected)) == keys[0]


def check_transcript(vector: Vector, taken: list[int]) -> None:
    seeds = [seed and octets(seed) for seed in vector["seeds"]]
    assert chance.transcript(octets(vector["match"]), vector["ruleset"], seeds).hex() == vector["expect"]
    assert chance.sha(octets(vector["preimage"])).hex() == vector["expect"]


def check_block(vector: Vector, taken: list[int]) -> None:
    place = vector["label"], vector["a"], vector["b"], vector["j"]
    assert chance.block(octets(vector["key"]), octets(vector["transcript"]), *place).hex() == vector["expect"]


def check_deal(vector: Vector, taken: list[int]) -> None:
    order = chance.deal(octets(vector["key"]), octets(vector["transcript"]), vector["epoch"], vector["attempt"])
    expect = vector["expect"]
    tiles = [TILES[number] for number in order]
    assert list(order) == expect["order"]
    assert tiles == [tile for hand in expect["hands"] for tile in hand] + expect["boneyard"]
    assert len(taken) == expect["bytes_taken"]
    if "redeal" in expect:
        voids = [(rule, seat) for seat, hand in enumerate(expect["hands"]) for rule in sorted(voided_by(hand))]
        assert voids == [(void["rule"], void["seat"]) for void in expect["redeal"]]


def check_dice(vector: Vector, taken: list[int]) -> None:
    place = vector["epoch"], vector["throw"], vector["count"]
    faces = chance.dice(octets(vector["key"]), octets(vector["transcript"]), *place)
    assert list(faces) == vector["expect"]["faces"]
    assert len(taken) == vector["expect"]["bytes_taken"]


def check_lot(vector: Vector, taken: list[int]) -> None:
    seat = chance.lot(octets(vector["key"]), octets(vector["transcript"]), vector["epoch"], vector["seats"])
    assert seat == vector["expect"]["seat"]
    assert len(taken) == vector["expect"]["bytes_taken"]


def check_client(vector: Vector, taken: list[int]) -> None:
    c = chance.commitment(octets(vector["match"]), vector["seat"], octets(vector["seed"]))
    assert c.hex() == vector["expect"]


def check_log(vector: Vector, taken: list[int]) -> None:
    lines = [line.encode("utf-8") for line in vector["lines"]]
    assert [digest.hex() for digest in chance.digests(octets(vector["match"]), lines)] == vector["expect"]


def check_faces(vector: Vector, taken: list[int]) -> None:
    drawn = sealed(vector)
    seen = Counter(
        face
        for epoch in range(1, vector["epochs"] + 1)
        for throw in range(vector["throws"])
        for face in drawn.dice(epoch, throw, vector["count"])
    )
    assert [seen[face] for face in range(1, 7)] == vector["expect"]


def check_place(vector: Vector, taken: list[int]) -> None:
    places = Counter(order.index("66") for order in deals(vector))
    assert [places[place] for place in range(28)] == vector["expect"]


def check_redeals(vector: Vector, taken: list[int]) -> None:
    found: Counter[str] = Counter()
    for order in deals(vector):
        hands = [order[7 * seat : 7 * seat + 7] for seat in range(vector["seats"])]
        rules = set().union(*map(voided_by, hands))
        found.update(["deals", *(["voided"] if rules else []), *(f"by_{rule}" for rule in rules)])
    assert found == vector["expect"]


CHECKS: dict[str, Callable[[Vector, list[int]], None]] = {
    "chain": check_chain,
    "transcript": check_transcript,
    "block": check_block,
    "deal": check_deal,
    "dice": check_dice,
    "lot": check_lot,
    "client": check_client,
    "log": check_log,
    "count_faces": check_faces,
    "count_place": check_place,
    "count_redeals": check_redeals,
}


def octets(text: str) -> bytes:
    return bytes.fromhex(text)


def deals(vector: Vector) -> Iterator[tuple[str, ...]]:
    drawn = sealed(vector)
    for epoch in range(1, vector["epochs"] + 1):
        for attempt in range(vector["attempts"]):
            yield drawn.deal(epoch, attempt)


def sealed(vector: Vector) -> SealedChance:
    root = Key.fromhex(vector["root"])
    return SealedChance(octets(vector["match"]), vector["length"], lambda: root, octets(vector["transcript"]))


def voided_by(hand: Sequence[str]) -> set[str]:
    """Which of the re-deal rules R1 and R2 of Telefon 365 a dealt hand meets, written from its rules page alone."""
    doubles = [tile for tile in hand if tile[0] == tile[1]]
    suits = Counter(suit for tile in hand if tile not in doubles for suit in tile)
    return {rule for rule, met in (("R1", len(doubles) >= 5), ("R2", max(suits.values(), default=0) >= 5)) if met}


def test_sha256_of_abc() -> None:
    assert chance.sha(b"abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize(
    ("key", "data", "expected"),
    [
        (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    ],
    ids=["case 1", "case 2"],
)
def test_hmac_of_rfc_4231(key: bytes, data: bytes, expected: str) -> None:
    assert chance.mac(key, data).hex() == expected


def test_a_longer_draw_begins_with_the_shorter_one() -> None:
    """Five dice, then three: the stream of one throw does not depend on how many are asked of it."""
    assert chance.dice(ROOT, TRANSCRIPT, 9, 2, 400)[:3] == chance.dice(ROOT, TRANSCRIPT, 9, 2, 3)


def test_uniform_drops_what_would_favour_small_numbers() -> None:
    assert chance.uniform(iter([252, 255, 251]), 6) == 5
    assert chance.uniform(iter([255]), 256) == 255
    assert chance.uniform(iter([]), 1) == 0
    for choices in (0, 257):
        with pytest.raises(ValueError, match="no draw"):
            chance.uniform(iter([]), choices)


@pytest.mark.parametrize(
    "call",
    [
        lambda: chance.chain(MATCH, ROOT[1:], 3),
        lambda: chance.chain(MATCH + b"\0", ROOT, 3),
        lambda: chance.key_at(MATCH, b"", 3, 1),
        lambda: chance.key_at(MATCH, ROOT, 3, -1),
        lambda: chance.commitment(MATCH, 0, ROOT + b"\0"),
        lambda: chance.transcript(MATCH, "kozel/1", [b"", None]),
    ],
)
def test_wrong_sizes_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"wanted|count from"):
        call()


def test_a_deal_holds_every_tile_once() -> None:
    drawn = SealedChance(MATCH, 4, lambda: Key(ROOT), TRANSCRIPT)
    orders = {drawn.deal(epoch, attempt) for epoch in range(1, 5) for attempt in range(10)}
    assert len(orders) == 40
    assert all(sorted(order) == sorted(TILES) for order in orders)


def test_a_sealed_draw_is_the_published_one() -> None:
    drawn = SealedChance(MATCH, 3, lambda: Key(ROOT), TRANSCRIPT)
    # The epochs are asked in no order: the object does not depend on one.
    for epoch in (2, 3, 1):
        key = chance.key_at(MATCH, ROOT, 3, epoch)
        assert drawn.deal(epoch, 1) == tuple(TILES[number] for number in chance.deal(key, TRANSCRIPT, epoch, 1))
        assert drawn.dice(epoch, 1, 5) == chance.dice(key, TRANSCRIPT, epoch, 1, 5)
        assert drawn.lot(epoch, 4) == chance.lot(key, TRANSCRIPT, epoch, 4)


def test_the_root_is_read_once_and_only_for_a_draw() -> None:
    reads = []

    def unseal() -> Key:
        reads.append(1)
        return Key(ROOT)

    drawn = SealedChance(MATCH, 3, unseal, TRANSCRIPT)
    with pytest.raises(ChainExhausted):
        drawn.deal(4, 0)
    assert reads == []
    drawn.deal(1, 0)
    drawn.deal(2, 0)
    assert reads == [1]


@pytest.mark.parametrize(
    "draw",
    [
        lambda drawn, epoch: drawn.deal(epoch, 0),
        lambda drawn, epoch: drawn.dice(epoch, 0, 5),
        lambda drawn, epoch: drawn.lot(epoch, 4),
    ],
    ids=["deal", "dice", "lot"],
)
def test_a_chain_of_three_serves_three_epochs(draw: Callable[[SealedChance, int], object]) -> None:
    drawn = SealedChance(MATCH, 3, lambda: Key(ROOT), TRANSCRIPT)
    for epoch in (1, 2, 3):
        draw(drawn, epoch)
    with pytest.raises(ChainExhausted) as refused:
        draw(drawn, 4)
    assert (refused.value.epoch, refused.value.length) == (4, 3)
    # The commitment is public, so nothing may be drawn under it.
    with pytest.raises(ValueError, match="count from 1"):
        draw(drawn, 0)


def test_no_key_beyond_the_chain_is_revealed() -> None:
    with pytest.raises(ChainExhausted):
        chance.key_at(MATCH, ROOT, 3, 4)


def test_keys_do_not_show_themselves() -> None:
    drawn = SealedChance(MATCH, 3, lambda: Key(ROOT), TRANSCRIPT)
    drawn.deal(1, 0)
    keys = [*chance.chain(MATCH, ROOT, 3), chance.key_at(MATCH, ROOT, 3, 2)]
    for shown in (repr(drawn), str(drawn), pprint.pformat([drawn, keys]), repr(keys), *map(str, keys), f"{keys[0]}"):
        assert_tells_no_key(shown, keys)


def test_an_error_report_with_local_variables_shows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every frame between a draw and the hash may be cut short by a time limit."""

    def interrupted(*arguments: object) -> bytes:
        raise TimeoutError

    root = Key(ROOT)
    keys = chance.chain(MATCH, root, 3)
    for name in ("u32", "mac"):
        with monkeypatch.context() as patch:
            patch.setattr(chance, name, interrupted)
            with pytest.raises(TimeoutError) as error:
                SealedChance(MATCH, 3, lambda: root, TRANSCRIPT).deal(1, 0)
        frames = traceback.StackSummary.extract(traceback.walk_tb(error.value.__traceback__), capture_locals=True)
        report = "".join(frames.format())
        assert "epoch = 1" in report
        assert_tells_no_key(report, keys)


def assert_tells_no_key(shown: str, keys: Sequence[Key]) -> None:
    for key in keys:
        assert key.hex() not in shown
        assert bytes.__repr__(key)[2:-1] not in shown


def test_a_key_counts_as_its_bytes() -> None:
    assert Key(ROOT) == ROOT
    assert hashlib.sha256(Key(ROOT)).digest() == chance.sha(ROOT)
