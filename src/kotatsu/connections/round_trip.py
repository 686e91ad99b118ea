"""The round-trip time of one connection, from the server's own measurements."""

from __future__ import annotations

from collections import deque

MAX_AGE_S = 30.0
"""Seconds for which a measured round trip counts. Chosen by hand: longer than a cheating client would want to
play with slow answers for the sake of one press, and 15 pings at the rate of one every two seconds."""


class RoundTripEstimate:
    """The shortest round trip measured recently.

    A client can answer a ping late, but never early: every answer proves that the round trip is *at most* so
    long. ``now`` is a time in seconds of one monotonic clock.

    Args:
        max_age_s: for how many seconds a measurement counts.
    """

    __slots__ = ("_max_age_s", "_upper_bounds")

    def __init__(self, max_age_s: float = MAX_AGE_S) -> None:
        self._max_age_s = max_age_s
        self._upper_bounds: deque[tuple[float, float]] = deque()

    def at_most(self, seconds: float, now: float) -> None:
        """Record that the round trip took at most ``seconds`` at ``now``, as an answered ping proves."""
        while self._upper_bounds and self._upper_bounds[-1][1] >= seconds:
            self._upper_bounds.pop()
        self._upper_bounds.append((now, max(0.0, seconds)))

    def seconds(self, now: float) -> float:
        """Return the shortest recent round trip in seconds; 0 if nothing was measured."""
        while self._upper_bounds and self._upper_bounds[0][0] < now - self._max_age_s:
            self._upper_bounds.popleft()
        return self._upper_bounds[0][1] if self._upper_bounds else 0.0
