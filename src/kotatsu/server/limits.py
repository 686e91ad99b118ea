"""Limits on the rate of requests and the number of connections.

``now`` is a time in seconds of the monotonic clock, which is read if it is left out.
"""

from __future__ import annotations

from collections import Counter
from time import monotonic

MAX_BUCKETS = 10_000
"""Addresses whose rate is kept at once, before those that are quiet again are dropped: a few MB. Chosen by
hand."""


class TokenBucket:
    """A token bucket: ``rate`` messages a second on average, and ``burst`` at once.

    Args:
        rate: tokens added per second.
        burst: the most tokens, and those at the beginning.
        now: the present time.
    """

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float | None = None) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._at = monotonic() if now is None else now

    def take(self, now: float | None = None) -> bool:
        """Take a token; ``False`` if there is none left, and the message is over the limit."""
        now = monotonic() if now is None else now
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def is_full(self, now: float | None = None) -> bool:
        """Whether the bucket has all its tokens again."""
        now = monotonic() if now is None else now
        return self._left + (now - self._at) * self._rate >= self._burst


class AddressRateLimit:
    """A token bucket for each address.

    Full ones are dropped when there are many, so that memory stays bounded.

    Args:
        rate: requests per second of one address on average.
        burst: and at once.
        most: how many buckets to keep before full ones are dropped.
    """

    def __init__(self, rate: float, burst: float, most: int = MAX_BUCKETS) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, address: str, now: float | None = None) -> bool:
        """Count a request of ``address``; ``False`` if it is over the limit."""
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
    """Counts the open connections of each visitor, or of each address, up to a ``limit``."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: Counter[str] = Counter()

    def enter(self, visitor: str) -> bool:
        """Count a new connection; ``False``, and not counted, if there are too many."""
        if self._open[visitor] >= self._limit:
            return False
        self._open[visitor] += 1
        return True

    def leave(self, visitor: str) -> None:
        """Count a connection that has ended."""
        self._open[visitor] -= 1
        if self._open[visitor] <= 0:
            del self._open[visitor]
