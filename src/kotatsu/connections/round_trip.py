"""How long one connection takes there and back, from what the server itself measured."""

from __future__ import annotations

from collections import deque

MEMORY_S = 30.0
"""How long a measured round trip counts. Longer than a client would care to look slow for one press."""


class RoundTripEstimate:
    """The shortest round trip that was proved lately.

    A client can answer a ping late, but never early: every answer proves that the round trip is *at most* so long.

    Args:
        memory_s: how many seconds a proof counts.
    """

    __slots__ = ("_memory_s", "_proofs")

    def __init__(self, memory_s: float = MEMORY_S) -> None:
        self._memory_s = memory_s
        self._proofs: deque[tuple[float, float]] = deque()

    def at_most(self, seconds: float, now: float) -> None:
        """Something proves at ``now`` that the round trip is no longer than ``seconds``: an answered ping, say."""
        while self._proofs and self._proofs[-1][1] >= seconds:
            self._proofs.pop()
        self._proofs.append((now, max(0.0, seconds)))

    def seconds(self, now: float) -> float:
        """The shortest of the recent proofs; 0 without any, for what is not measured is not allowed for."""
        while self._proofs and self._proofs[0][0] < now - self._memory_s:
            self._proofs.popleft()
        return self._proofs[0][1] if self._proofs else 0.0
