"""Who is connected to one table, who is away and for how long, and so who acts as host and who may watch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Outcome, Seat
from kotatsu.protocol.messages import SeatInfo, TableInfo
from kotatsu.seats import assignment
from kotatsu.seats.hints import gives_hints
from kotatsu.store.contract import StoredTable

_NOBODY_KNOWN: Mapping[str, float | None] = {}


class Presence:
    """The connections to one table, of players and spectators alike; they differ in the seats they hold.

    Times are seconds of the event loop's clock. Create and use it on the event loop's thread.

    Args:
        stored: the table as it is in the store; kept up to date with ``update``.
    """

    __slots__ = ("_left_at", "_loop", "connections", "stored")

    def __init__(self, stored: StoredTable) -> None:
        self._loop = asyncio.get_running_loop()
        self.connections: set[TableConnection] = set()
        self.stored = stored
        opened = self._loop.time()
        self._left_at = {seat.visitor: opened for seat in stored.seats if seat.visitor is not None}

    def update(self, stored: StoredTable) -> None:
        """Replace the stored table; if its seats changed, set which of them each connection holds."""
        others = stored.seats is not self.stored.seats
        self.stored = stored
        if others:
            for connection in self.connections:
                self._assign_seats(connection)

    def arrive(self, connection: TableConnection) -> None:
        """Add a connection and set which seats it holds; its visitor is no longer away."""
        self.connections.add(connection)
        self._assign_seats(connection)
        if not connection.spectator_only:
            self._left_at.pop(connection.visitor, None)

    def depart(self, connection: TableConnection) -> None:
        """Remove a connection; its visitor is away from now on if it was their last."""
        self.connections.discard(connection)
        connection.held = ()
        if not connection.spectator_only and not self._is_here(connection.visitor):
            self._left_at[connection.visitor] = self._loop.time()

    def away(self, visitor: str) -> float | None:
        """Return for how many seconds a visitor has been disconnected; ``None`` while they are connected."""
        if self._is_here(visitor):
            return None
        return self._loop.time() - self._left_at.setdefault(visitor, self._loop.time())

    def out_of_patience(self, visitor: str) -> bool:
        """Whether a visitor has been disconnected for longer than the table's ``patience`` setting."""
        return (self.away(visitor) or 0.0) >= self.stored.settings.patience

    def hosts(self, visitor: str) -> bool:
        """Whether a visitor acts as host: the host, or any player while the host is away for too long."""
        host = self.stored.host
        if visitor == host:
            return True
        connected = any(connection.visitor == host for connection in self.connections)
        absent = not host or (not connected and self.out_of_patience(host))
        return absent and bool(assignment.held_by(self.stored.seats, visitor))

    def admits(self, visitor: str) -> bool:
        """Whether a visitor may connect to the table, be it as a spectator."""
        return may_watch(self.stored, visitor) or self.hosts(visitor)

    def seat_of(self, visitor: str) -> Seat | None:
        """Return the first seat a visitor plays; ``None`` for a spectator."""
        held = assignment.held_by(self.stored.seats, visitor)
        return held[0] if held else None

    def round_trip(self, seat: Seat, now: float) -> float:
        """Return the shortest measured round trip to a ``seat`` at ``now``, in seconds.

        0 if none is measured, as for a bot.
        """
        measured = (
            connection.round_trip.seconds(now) for connection in self.connections if seat in connection.held
        )
        return min(filter(None, measured), default=0.0)

    def info(self) -> TableInfo:
        """Return the table as everyone may see it, with who is connected and away."""
        away = {seat.visitor: self.away(seat.visitor) for seat in self.stored.seats if seat.visitor}
        watching = sum(not connection.held for connection in self.connections)
        return table_info(self.stored, away, watching)

    def _is_here(self, visitor: str) -> bool:
        return any(other.visitor == visitor and not other.spectator_only for other in self.connections)

    def _assign_seats(self, connection: TableConnection) -> None:
        """The viewpoint of a visitor with several seats is the one they chose, else their first."""
        seats = self.stored.seats
        held = () if connection.spectator_only else assignment.held_by(seats, connection.visitor)
        connection.held = held
        connection.viewpoint = connection.wanted if connection.wanted in held else held[0] if held else None


def may_watch(stored: StoredTable, visitor: str) -> bool:
    """Whether the settings and seats of a ``stored`` table let a ``visitor`` see it, whoever is connected."""
    return (
        stored.settings.watchable
        or visitor == stored.host
        or any(seat.visitor == visitor or seat.kind == "open" for seat in stored.seats)
    )


def table_info(
    stored: StoredTable, away: Mapping[str, float | None] = _NOBODY_KNOWN, watching: int = 0
) -> TableInfo:
    """Return a stored table as everyone may see it: without visitor ids.

    Args:
        stored: the table.
        away: for how many seconds people have been disconnected, by visitor; ``None`` for the connected.
        watching: the number of spectators.
    """
    seats = tuple(
        SeatInfo(
            seat.kind,
            seat.name,
            seat.level,
            here=away.get(seat.visitor or "", 0.0) is None,
            avatar=seat.avatar,
            guest=seat.guest,
            stands_in=seat.kind == "bot" and seat.visitor is not None,
            away=away.get(seat.visitor or "") if stored.status == "playing" else None,
        )
        for seat in stored.seats
    )
    outcome = None if stored.result is None else msgspec.convert(stored.result, Outcome)
    return TableInfo(
        stored.id,
        stored.game,
        stored.status,
        stored.options,
        seats,
        watching,
        outcome,
        stored.rematch,
        stored.settings,
        gives_hints(stored),
    )
