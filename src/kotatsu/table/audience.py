"""Everyone connected to one table, and telling each what they may know."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any

import msgspec

from kotatsu.engine.contract import Outcome, Seat
from kotatsu.store.contract import StoredTable
from kotatsu.table import roster
from kotatsu.table.connection import Connection
from kotatsu.table.telling import Moment, Told
from kotatsu.table.wire import People, SeatInfo, TableInfo, Welcome

REMEMBERED_STEPS = 64
"""How large a gap is filled step by step."""

_encode = msgspec.json.Encoder().encode
_NOBODY_KNOWN: Mapping[str, float | None] = {}


class Audience:
    """Players and spectators alike; what differs is the seats they hold."""

    __slots__ = (
        "_left",
        "_loop",
        "_recent",
        "connections",
        "moment",
        "stored",
    )

    def __init__(self, stored: StoredTable, *, forgetful: bool = False) -> None:
        self._loop = asyncio.get_running_loop()
        self.connections: set[Connection] = set()
        self._recent: deque[Told] = deque(maxlen=0 if forgetful else REMEMBERED_STEPS)
        self.stored = stored
        self.moment: Moment | None = None
        opened = self._loop.time()
        self._left = {seat.visitor: opened for seat in stored.seats if seat.visitor is not None}

    def arrive(self, connection: Connection) -> None:
        """Somebody is here."""
        self.connections.add(connection)
        self._seat(connection)
        if not connection.bystander:
            self._left.pop(connection.visitor, None)

    def depart(self, connection: Connection) -> None:
        """Somebody closed a page; they are away once it was their last."""
        self.connections.discard(connection)
        connection.held = ()
        if not connection.bystander and not self._present(connection.visitor):
            self._left[connection.visitor] = self._loop.time()

    def away(self, visitor: str) -> float | None:
        """For how many seconds somebody has been gone; ``None`` while they are here to play."""
        if self._present(visitor):
            return None
        return self._loop.time() - self._left.setdefault(visitor, self._loop.time())

    def out_of_patience(self, visitor: str) -> bool:
        """Whether somebody has been gone for longer than the table's patience."""
        return (self.away(visitor) or 0.0) >= self.stored.manners.patience

    def hosts(self, visitor: str) -> bool:
        """Whether somebody decides here: the host, and while the host is gone for long whoever plays."""
        host = self.stored.host
        if visitor == host:
            return True
        looks_on = any(connection.visitor == host for connection in self.connections)
        absent = not host or (not looks_on and self.out_of_patience(host))
        return absent and bool(roster.held_by(self.stored.seats, visitor))

    def seat_of(self, visitor: str) -> Seat | None:
        """The first seat somebody plays; ``None`` for a spectator."""
        held = roster.held_by(self.stored.seats, visitor)
        return held[0] if held else None

    def admits(self, visitor: str) -> bool:
        """Whether somebody may be here: not everyone may look on."""
        seats = self.stored.seats
        return (
            self.stored.manners.watchable
            or self.hosts(visitor)
            or any(seat.visitor == visitor or seat.kind == "open" for seat in seats)
        )

    def now(self, stored: StoredTable, moment: Moment | None) -> None:
        """This is how the table stands."""
        others = stored.seats is not self.stored.seats
        self.stored = stored
        self.moment = moment
        if others:
            for connection in self.connections:
                self._seat(connection)

    def forget_steps(self) -> None:
        """The past was read anew; gaps before this moment are not filled."""
        self._recent.clear()

    def welcome(self, *connections: Connection) -> None:
        """Tell some where the table stands."""
        moment, info = self.moment, self.info()
        for connection in connections:
            eyes, held = connection.eyes, connection.held
            welcome = Welcome(
                table=info,
                yours=held,
                host=self.hosts(connection.visitor),
                seq=0 if moment is None else moment.seq,
                view=None if moment is None else moment.view(eyes),
                waiting=None if moment is None else moment.waiting(held),
                receipt=None if moment is None else moment.receipt,
            )
            connection.send(_encode(welcome))

    def people(self, *, but: Connection | None = None) -> None:
        """Tell everyone who is here and who sits where."""
        info = self.info()
        for connection in self.connections:
            if connection is not but:
                people = People(info, connection.held, self.hosts(connection.visitor))
                connection.send(_encode(people))

    def step(self, moment: Moment, told: Told) -> None:
        """Tell everyone what has just happened, encoding once for all that are told the same."""
        self._recent.append(told)
        acting = moment.acting
        encoded: dict[Any, bytes] = {}
        for connection in self.connections:
            eyes, held = connection.eyes, connection.held
            moving = tuple([seat for seat in held if seat in acting])
            same = (told.facts(eyes), moving, eyes if connection.views else -1)
            message = encoded.get(same)
            if message is None:
                message = encoded[same] = moment.step(told, eyes, moving, connection.views)
            connection.send(message)

    def catch_up(self, connection: Connection, have: int) -> None:
        """Fill a gap step by step if it is small, else with a welcome."""
        missing = [told for told in self._recent if told.seq > have]
        if self.moment is None or not missing or missing[0].seq != have + 1:
            self.welcome(connection)
            return
        eyes, held = connection.eyes, connection.held
        for told in missing[:-1]:
            connection.send(told.past_step(eyes))
        connection.send(self.moment.step(missing[-1], eyes, held, connection.views))

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

    def _present(self, visitor: str) -> bool:
        return any(other.visitor == visitor and not other.bystander for other in self.connections)

    def _seat(self, connection: Connection) -> None:
        """Who holds several seats sees through the one they chose, else through their first."""
        held = () if connection.bystander else roster.held_by(self.stored.seats, connection.visitor)
        connection.held = held
        connection.eyes = connection.wanted if connection.wanted in held else held[0] if held else None


def table_info(
    stored: StoredTable, away: Mapping[str, float | None] = _NOBODY_KNOWN, watching: int = 0
) -> TableInfo:
    """A stored table as everyone may know it: without visitor ids.

    ``away`` says of people how long they have been gone, with ``None`` for those who are here.
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
        stored.manners,
    )
