"""Sub-keys and sealing."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidTag

from club import keys
from games import engine

VECTORS = json.loads((Path(engine.__file__).parent / "examples/fairness-vectors.json").read_text())["vectors"]


@pytest.mark.parametrize("vector", [vector for vector in VECTORS if vector["kind"] == "hkdf"], ids=lambda v: v["id"])
def test_the_published_vector(vector):
    assert keys.derive(bytes.fromhex(vector["ikm"]), vector["info"]).hex() == vector["expect"]


@pytest.mark.parametrize("master", [b"", b"short", bytes(33)])
def test_a_master_key_of_another_size_is_refused(master):
    with pytest.raises(ValueError, match="32 bytes"):
        keys.derive(master, "room-code")


def test_what_is_sealed_opens_for_its_own_purpose_and_matter_only():
    sealed = keys.seal("fairness-root", b"secret", b"one")
    assert b"secret" not in sealed
    assert keys.unseal("fairness-root", sealed, b"one") == b"secret"
    for purpose, about in (("complaint-identity", b"one"), ("fairness-root", b"other")):
        with pytest.raises(InvalidTag):
            keys.unseal(purpose, sealed, about)
    assert keys.seal("fairness-root", b"secret", b"one") != sealed


def test_processes_that_start_together_make_one_key(tmp_path):
    path = tmp_path / "var" / "master.key"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: keys._create(path), range(8)))
    assert len(bytes.fromhex(path.read_text())) == keys.SIZE
    assert path.stat().st_mode & 0o077 == 0
    assert list(path.parent.iterdir()) == [path]
