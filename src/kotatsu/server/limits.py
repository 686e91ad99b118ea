"""How much one browser may ask for."""

from __future__ import annotations

from collections import Counter
from time import monotonic


class TokenBucket:
    """So many messages a second on average, with room for a burst."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float | None = None) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._at = monotonic() if now is None else now

    def take(self, now: float | None = None) -> bool:
        """Whether one more is within the limit."""
        now = monotonic() if now is None else now
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def is_full(self, now: float | None = None) -> bool:
        """Whether nothing was taken lately."""
        now = monotonic() if now is None else now
        return self._left + (now - self._at) * self._rate >= self._burst


class AddressRateLimit:
    """A bucket for each address. Full ones are forgotten, so that their number stays small."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, address: str, now: float | None = None) -> bool:
        """Whether one more from that address is within the limit."""
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= self._most:
                self._drop_full_buckets(now)
            bucket = self._buckets[address] = TokenBucket(self._rate, self._burst, now)
        return bucket.take(now)

    def _drop_full_buckets(self, now: float | None) -> None:
        self._buckets = {
            address: bucket for address, bucket in self._buckets.items() if not bucket.is_full(now)
        }


class ConnectionLimit:
    """How many connections each visitor, or each address, has open."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: Counter[str] = Counter()

    def enter(self, visitor: str) -> bool:
        """Count one more in, unless there are too many."""
        if self._open[visitor] >= self._limit:
            return False
        self._open[visitor] += 1
        return True

    def leave(self, visitor: str) -> None:
        """Count one out."""
        self._open[visitor] -= 1
        if self._open[visitor] <= 0:
            del self._open[visitor]
