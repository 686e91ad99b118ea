"""The source of randomness of all tables: the operating system's, which nobody can predict."""

from __future__ import annotations

from array import array
from os import urandom
from random import SystemRandom

_WORD_BITS = 32
_BUFFER_BYTES = 4096
"""Random bytes read at once: a deal draws dozens of times, and a system call costs more than a draw. Chosen
by hand: 1,024 draws, one memory page."""


class BufferedSystemRandom(SystemRandom):
    """``SystemRandom`` that reads random bytes from the operating system in larger portions."""

    def __init__(self) -> None:
        super().__init__()
        self._words = array("I")

    def getrandbits(self, k: int, /) -> int:
        """Return an integer of ``k`` random bits, as ``random.getrandbits`` does."""
        if not 0 < k <= _WORD_BITS:
            return super().getrandbits(k)
        if not self._words:
            self._words.frombytes(urandom(_BUFFER_BYTES))
        return self._words.pop() >> (_WORD_BITS - k)
