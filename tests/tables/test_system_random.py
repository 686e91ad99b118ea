"""The chance tables draw from."""

from __future__ import annotations

from collections import Counter

import pytest

from kotatsu.tables.system_random import BufferedSystemRandom

DRAWS = 20_000
"""More than one fetch of the system's randomness gives."""


@pytest.mark.parametrize("bits", [1, 3, 8, 31, 32, 33, 200])
def test_every_bit_is_drawn_as_often_as_not(bits: int) -> None:
    luck = BufferedSystemRandom()
    ones = [0] * bits
    for _ in range(DRAWS):
        drawn = luck.getrandbits(bits)
        assert 0 <= drawn < 1 << bits
        for bit in range(bits):
            ones[bit] += drawn >> bit & 1
    assert all(abs(count - DRAWS / 2) < 6 * (DRAWS / 4) ** 0.5 for count in ones)


def test_choices_are_even() -> None:
    luck = BufferedSystemRandom()
    drawn = Counter(luck.choice("abcdefghijk") for _ in range(DRAWS))
    assert len(drawn) == 11
    assert all(abs(count - DRAWS / 11) < 6 * (DRAWS / 11) ** 0.5 for count in drawn.values())


def test_nothing_is_drawn_twice() -> None:
    luck, other = BufferedSystemRandom(), BufferedSystemRandom()
    drawn = [rng.getrandbits(30) << 30 | rng.getrandbits(30) for rng in (luck, other) for _ in range(DRAWS)]
    assert len(set(drawn)) == len(drawn)


def test_nonsense_is_refused_as_ever() -> None:
    with pytest.raises(ValueError, match="non-negative"):
        BufferedSystemRandom().getrandbits(-1)
    assert BufferedSystemRandom().getrandbits(0) == 0
