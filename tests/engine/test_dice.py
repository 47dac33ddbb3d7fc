"""Dice as multisets."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.dice import FACES, parts, throws, without

THROWS = st.lists(st.sampled_from(FACES), min_size=1, max_size=5).map(tuple)


@pytest.mark.parametrize("count", range(6))
def test_throws_counts_every_order(count: int) -> None:
    orders = Counter(tuple(sorted(dice)) for dice in product(FACES, repeat=count))
    assert dict(throws(count)) == orders
    assert len(throws(count)) == len(orders)


@given(THROWS)
def test_parts_are_the_different_sub_multisets(dice: tuple[int, ...]) -> None:
    chosen = {
        tuple(sorted(face for at, face in enumerate(dice) if mask >> at & 1)) for mask in range(1, 2 ** len(dice))
    }
    assert parts(dice) == tuple(sorted(chosen))


@given(THROWS, st.data())
def test_without_takes_exactly_the_faces_named_and_keeps_the_order(dice: tuple[int, ...], data: st.DataObject) -> None:
    taken = data.draw(st.sampled_from(parts(dice)))
    left = without(dice, taken)
    assert Counter(left) + Counter(taken) == Counter(dice)
    rest = iter(dice)
    assert all(face in rest for face in left)


@pytest.mark.parametrize(("dice", "taken"), [((1, 2), (3,)), ((1, 2), (1, 1)), ((), (6,))])
def test_without_refuses_what_is_not_there(dice: tuple[int, ...], taken: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not in list"):
        without(dice, taken)
