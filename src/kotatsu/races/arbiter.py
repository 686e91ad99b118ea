"""Who pressed first, when the first press counts (KB-20, KB-21). For any game that declares a ``Race``.

Pure: times are handed in as seconds of the server's own clock; nothing a client says about time is
an argument of anything here. A press is back-dated by half the round trip the server measured, at
most by ``LONGEST_ALLOWANCE_MS``, and the ruling waits as long as an earlier press could still arrive.

A client can answer late, but never early, so every answer proves that its round trip is *at most*
so long. The shortest proof of the last half minute counts. Hence

* answering some pings late, or all of them for a while, changes nothing;
* a press that follows the moment it refers to after 40 ms proves a round trip of 40 ms or less,
  whatever the pings said, so a script that presses at once is not back-dated either;
* a client that answers *every* ping late is believed, and wins back at most
  ``LONGEST_ALLOWANCE_MS`` minus half its true round trip. No page can do that, for the browser
  answers by itself. Whoever pressed more than the longest allowance before it still wins, and the
  receipt shows everyone what it was allowed. The operating system's own figure would expose it,
  but behind any relay that is the way to the relay, and would rob honest players of theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kotatsu.engine.contract import Seat
from kotatsu.protocol.messages import Press, Receipt

LONGEST_ALLOWANCE_MS = 150
"""KB-21: the most a press is back-dated by, in milliseconds. Chosen by hand: half of a round trip of 300 ms,
which is a slow phone on another continent; also the longest a ruling is waited for."""


class Arbiter:
    """Decides one race, from its first press on. Times are seconds of the server's clock.

    Args:
        seats: those who may press, in the order that breaks ties.
        opened_at: when they were sent what they react to.
        round_trips: seconds of each seat's connection, the shortest if it has several; fixed here so that
            no later message changes them. A seat without one (a bot) has no allowance.
    """

    def __init__(self, seats: Sequence[Seat], opened_at: float, round_trips: Mapping[Seat, float]) -> None:
        self._order = tuple(seats)
        self._opened_at = opened_at
        self._allowances = {seat: allowance_ms(round_trips.get(seat, 0.0)) for seat in seats}
        self._frozen_at: float | None = None
        self._presses: dict[Seat, tuple[int, int]] = {}

    def press(self, seat: Seat, arrived_at: float) -> bool:
        """Add the press of a ``seat`` that ``arrived_at`` a time.

        Returns:
            ``False``, and nothing added, if the seat is not in the race or has pressed before.
        """
        if seat not in self._allowances or seat in self._presses:
            return False
        if self._frozen_at is None:
            self._frozen_at = arrived_at
        reacted_within = arrived_at - self._opened_at
        allowed = min(self._allowances[seat], allowance_ms(reacted_within))
        self._presses[seat] = (round((arrived_at - self._frozen_at) * 1000), allowed)
        return True

    def due(self) -> float:
        """Return the time from which on no press that would win can still arrive.

        Raises:
            ValueError: before the first press.
        """
        if self._frozen_at is None:
            raise ValueError("nobody has pressed")
        awaited = [self._allowances[seat] for seat in self._order if seat not in self._presses]
        last_arrival = max(arrived for arrived, _ in self._presses.values())
        if not awaited:
            return self._frozen_at + last_arrival / 1000
        earliest = min(arrived - allowed for arrived, allowed in self._presses.values())
        return self._frozen_at + max(last_arrival, earliest + max(awaited) + 1) / 1000

    def rule(self, seq: int) -> Receipt:
        """Decide between the presses added so far; call it when it is ``due``.

        The winner's becomes step ``seq``.

        Raises:
            ValueError: before the first press.
        """
        if not self._presses:
            raise ValueError("nobody has pressed")
        ranked = sorted(
            (arrived - allowed, self._order.index(seat), seat, arrived, allowed)
            for seat, (arrived, allowed) in self._presses.items()
        )
        first = ranked[0][0]
        presses = tuple(
            Press(seat, arrived, allowed, effective, effective - first)
            for effective, _, seat, arrived, allowed in ranked
        )
        winner, *rest = presses
        if not rest:
            return Receipt(seq, winner.seat, "alone", 0, presses)
        margin = rest[0].behind_ms
        return Receipt(seq, winner.seat, "time" if margin else "seat", margin, presses)


def allowance_ms(round_trip_s: float) -> int:
    """Return by how many milliseconds a press over a connection with that round trip is back-dated."""
    return min(LONGEST_ALLOWANCE_MS, max(0, round(round_trip_s * 1000) // 2))
