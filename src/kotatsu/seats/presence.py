"""Who is connected to one table, who is away and for how long, and what follows from it for hosts and spectators."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Outcome, Seat
from kotatsu.protocol.messages import SeatInfo, TableInfo
from kotatsu.seats import assignment
from kotatsu.store.contract import StoredTable

_NOBODY_KNOWN: Mapping[str, float | None] = {}


class Presence:
    """The connections to one table, players' and spectators' alike; what differs is the seats they hold.

    Args:
        stored: the table as it is written down; kept up to date with ``update``.
    """

    __slots__ = ("_left_at", "_loop", "connections", "stored")

    def __init__(self, stored: StoredTable) -> None:
        self._loop = asyncio.get_running_loop()
        self.connections: set[TableConnection] = set()
        self.stored = stored
        opened = self._loop.time()
        self._left_at = {seat.visitor: opened for seat in stored.seats if seat.visitor is not None}

    def update(self, stored: StoredTable) -> None:
        """The table changed; if its seats did, every connection learns which ones it holds."""
        others = stored.seats is not self.stored.seats
        self.stored = stored
        if others:
            for connection in self.connections:
                self._assign_seats(connection)

    def arrive(self, connection: TableConnection) -> None:
        """A browser connects."""
        self.connections.add(connection)
        self._assign_seats(connection)
        if not connection.spectator_only:
            self._left_at.pop(connection.visitor, None)

    def depart(self, connection: TableConnection) -> None:
        """A browser disconnects; its visitor is away once it was their last."""
        self.connections.discard(connection)
        connection.held = ()
        if not connection.spectator_only and not self._is_here(connection.visitor):
            self._left_at[connection.visitor] = self._loop.time()

    def away(self, visitor: str) -> float | None:
        """For how many seconds a visitor has been gone; ``None`` while they are here to play."""
        if self._is_here(visitor):
            return None
        return self._loop.time() - self._left_at.setdefault(visitor, self._loop.time())

    def out_of_patience(self, visitor: str) -> bool:
        """Whether a visitor has been gone for longer than the table's patience."""
        return (self.away(visitor) or 0.0) >= self.stored.settings.patience

    def hosts(self, visitor: str) -> bool:
        """Whether a visitor decides here: the host, and while the host is gone for long whoever plays."""
        host = self.stored.host
        if visitor == host:
            return True
        looks_on = any(connection.visitor == host for connection in self.connections)
        absent = not host or (not looks_on and self.out_of_patience(host))
        return absent and bool(assignment.held_by(self.stored.seats, visitor))

    def admits(self, visitor: str) -> bool:
        """Whether a visitor may be here: not everyone may look on."""
        return may_watch(self.stored, visitor) or self.hosts(visitor)

    def seat_of(self, visitor: str) -> Seat | None:
        """The first seat a visitor plays; ``None`` for a spectator."""
        held = assignment.held_by(self.stored.seats, visitor)
        return held[0] if held else None

    def round_trip(self, seat: Seat, now: float) -> float:
        """Seconds there and back to a seat: of its connections the shortest measured; 0 for none."""
        measured = (
            connection.round_trip.seconds(now) for connection in self.connections if seat in connection.held
        )
        return min(filter(None, measured), default=0.0)

    def info(self) -> TableInfo:
        """The table as everyone may know it."""
        away = {seat.visitor: self.away(seat.visitor) for seat in self.stored.seats if seat.visitor}
        watching = sum(not connection.held for connection in self.connections)
        return table_info(self.stored, away, watching)

    def _is_here(self, visitor: str) -> bool:
        return any(other.visitor == visitor and not other.spectator_only for other in self.connections)

    def _assign_seats(self, connection: TableConnection) -> None:
        """Who holds several seats sees through the one they chose, else through their first."""
        seats = self.stored.seats
        held = () if connection.spectator_only else assignment.held_by(seats, connection.visitor)
        connection.held = held
        connection.viewpoint = connection.wanted if connection.wanted in held else held[0] if held else None


def may_watch(stored: StoredTable, visitor: str) -> bool:
    """Whether a table is open to a visitor by what is written down of it alone, whoever is connected."""
    return (
        stored.settings.watchable
        or visitor == stored.host
        or any(seat.visitor == visitor or seat.kind == "open" for seat in stored.seats)
    )


def table_info(
    stored: StoredTable, away: Mapping[str, float | None] = _NOBODY_KNOWN, watching: int = 0
) -> TableInfo:
    """A stored table as everyone may know it: without visitor ids.

    Args:
        stored: the table.
        away: how long people have been gone, by visitor, with ``None`` for those who are here.
        watching: how many look on.
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
    )
