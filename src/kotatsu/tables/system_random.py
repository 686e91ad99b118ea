"""The chance tables draw from: the system's, which nobody can foresee."""

from __future__ import annotations

from array import array
from os import urandom
from random import SystemRandom

_WORD = 32
_FETCHED = 4096
"""Bytes asked for at once: a deal draws dozens of times, and each question to the system costs more than a draw."""


class BufferedSystemRandom(SystemRandom):
    """``SystemRandom`` with a stock of what it will give next."""

    def __init__(self) -> None:
        super().__init__()
        self._words = array("I")

    def getrandbits(self, k: int, /) -> int:
        """So many random bits."""
        if not 0 < k <= _WORD:
            return super().getrandbits(k)
        if not self._words:
            self._words.frombytes(urandom(_FETCHED))
        return self._words.pop() >> (_WORD - k)
