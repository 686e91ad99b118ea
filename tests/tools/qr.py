"""Reads a QR code as a phone's camera would, from its modules; undamaged ones of level M up to version 6."""

from __future__ import annotations

from collections.abc import Iterator

FORMAT_MASK = 0x5412
LEVEL_M = 0
BYTES = 4
BLOCKS = {1: (1, 16), 2: (1, 28), 3: (1, 44), 4: (2, 32), 5: (2, 43), 6: (4, 27)}
"""For each version: in how many blocks the data lies, and how many bytes each has."""

Dark = frozenset[tuple[int, int]]
"""The dark modules as (x, y), the top left one is (0, 0)."""


def read(dark: Dark, size: int) -> str:
    """The text in a code of so many modules a side."""
    version = (size - 17) // 4
    level, mask = _format(dark)
    assert level == LEVEL_M, f"level {level} is none this reads"
    bits = [((x, y) in dark) != _inverts(mask, x, y) for x, y in _way(size)]
    blocks, length = BLOCKS[version]
    words = [_number(bits[at : at + 8]) for at in range(0, 8 * blocks * length, 8)]
    data = [word for block in range(blocks) for word in words[block::blocks]]
    stream = [bool(word >> shift & 1) for word in data for shift in range(7, -1, -1)]
    assert _number(stream[:4]) == BYTES, "it holds no bytes"
    count = _number(stream[4:12])
    return bytes(_number(stream[12 + 8 * n : 20 + 8 * n]) for n in range(count)).decode()


def _format(dark: Dark) -> tuple[int, int]:
    """The level of correction and the mask, from around the upper left corner."""
    places = [(8, y) for y in range(6)] + [(8, 7), (8, 8), (7, 8)] + [(14 - bit, 8) for bit in range(9, 15)]
    value = sum((place in dark) << bit for bit, place in enumerate(places)) ^ FORMAT_MASK
    return value >> 13, value >> 10 & 7


def _way(size: int) -> Iterator[tuple[int, int]]:
    """Where the bits lie: up and down in pairs of columns from the right, past whatever is no data."""
    for column in range(size - 1, 0, -2):
        right = column - (column <= 6)
        upwards = (right + 1) & 2 == 0
        for step in range(size):
            y = size - 1 - step if upwards else step
            for x in (right, right - 1):
                if not _is_pattern(x, y, size):
                    yield x, y


def _is_pattern(x: int, y: int, size: int) -> bool:
    far = size - 8
    finder = (x < 9 and y < 9) or (x >= far and y < 9) or (x < 9 and y >= far)
    aligning = size > 21 and abs(x - (size - 7)) <= 2 and abs(y - (size - 7)) <= 2
    return finder or aligning or x == 6 or y == 6


def _inverts(mask: int, x: int, y: int) -> bool:
    product = x * y % 2 + x * y % 3
    return (
        (x + y) % 2,
        y % 2,
        x % 3,
        (x + y) % 3,
        (x // 3 + y // 2) % 2,
        product,
        product % 2,
        ((x + y) % 2 + x * y % 3) % 2,
    )[mask] == 0


def _number(bits: list[bool]) -> int:
    return int("".join("01"[bit] for bit in bits), 2)
