"""Simulated links: a delay, jitter, and owners who are slow to answer pings."""

from __future__ import annotations

from random import Random

from kotatsu.connections.round_trip import MAX_AGE_S, RoundTripEstimate

OPENED_AT = 100.0
"""When, on the clock of a simulated race, its players were told of what they react to."""


class Link:
    """A connection with a symmetric delay and one-way jitter. Its owner may be slow to answer pings."""

    def __init__(self, round_trip: float, jitter: float = 0.0, seed: int = 0) -> None:
        self.round_trip = round_trip
        self.jitter = jitter
        self.rng = Random(seed)

    def one_way(self) -> float:
        return self.round_trip / 2 + self.rng.uniform(0, self.jitter)

    def answers_after(self, now: float) -> float:
        """How long the client sits on a ping it got at ``now``."""
        return 0.0

    def measured(self) -> float:
        """What the server makes of half a minute of pings."""
        estimate = RoundTripEstimate()
        for number in range(15):
            sent = OPENED_AT - MAX_AGE_S + 2 * number
            there = self.one_way()
            took = there + self.answers_after(sent + there) + self.one_way()
            estimate.at_most(took, sent + took)
        return estimate.seconds(OPENED_AT)


class SometimesLate(Link):
    """Answers every second ping half a second late."""

    def answers_after(self, now: float) -> float:
        return 0.5 if int(now / 2) % 2 else 0.0


class LateBeforePressing(Link):
    """Answers late from ten seconds before it presses."""

    def answers_after(self, now: float) -> float:
        return 0.5 if now > OPENED_AT - 10 else 0.0


class AlwaysLate(Link):
    def answers_after(self, now: float) -> float:
        return 0.5
