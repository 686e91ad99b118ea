"""One browser at a table: who it is, and a bounded outbox so that a slow one slows nobody."""

from __future__ import annotations

import asyncio
from typing import Protocol

from kotatsu.connections.batch import LoopBatch
from kotatsu.connections.round_trip import RoundTripEstimate
from kotatsu.engine.contract import Seat
from kotatsu.store.contract import Persona

OUTBOX = 512
"""Messages that may wait for a browser before it is given up."""

GOING_AWAY = 1012
BROKEN = 1011
NOT_ADMITTED = 4403
TOO_SLOW = 1013
"""Close codes after which a browser may come back and find its table."""

_NOBODY = Persona()


class MessageSink(Protocol):
    """What a connection goes over."""

    def tell(self, messages: list[bytes]) -> bool:
        """Send several texts; not if they would have to wait."""


class TableConnection:
    """The table puts messages in; whoever owns the wire takes them out.

    ``wanted`` is the seat through which a visitor who holds several wants to see the table; a ``bystander``
    looks on as a spectator does, whatever seats the visitor holds: a television in the room, say.
    ``round_trip`` is measured by whoever owns the wire; ``blocked`` are those they want to hear no more of.
    Its table says which seats are ``held`` from there, and through whose ``eyes`` it sees the game.
    """

    __slots__ = (
        "_outbox",
        "_sending",
        "_waiter",
        "_wire",
        "blocked",
        "closed",
        "held",
        "persona",
        "round_trip",
        "spectator_only",
        "viewpoint",
        "views",
        "visitor",
        "wanted",
    )

    def __init__(
        self,
        visitor: str,
        persona: Persona = _NOBODY,
        *,
        views: bool = False,
        wanted: Seat | None = None,
        spectator_only: bool = False,
        round_trip: RoundTripEstimate | None = None,
        blocked: frozenset[str] = frozenset(),
        wire: MessageSink | None = None,
        sending: LoopBatch[TableConnection] | None = None,
    ) -> None:
        self.visitor = visitor
        self.persona = persona
        self.views = views
        self.wanted = wanted
        self.viewpoint: Seat | None = None
        self.held: tuple[Seat, ...] = ()
        self.spectator_only = spectator_only
        self.round_trip = round_trip or RoundTripEstimate()
        self.blocked = blocked
        self.closed: tuple[int, str] | None = None
        self._wire = wire
        self._sending = sending or LoopBatch(TableConnection.flush)
        self._outbox: list[bytes] = []
        self._waiter: asyncio.Future[None] | None = None

    def send(self, message: bytes) -> None:
        """Queue a message; it goes out soon, with others queued meanwhile. Who lets too many pile up is closed."""
        if self.closed is not None:
            return
        outbox = self._outbox
        if not outbox:
            self._sending.add(self)
        elif len(outbox) >= OUTBOX:
            outbox.clear()
            self.close(TOO_SLOW, "too slow")
            return
        outbox.append(message)

    def flush(self) -> None:
        """What is queued goes out together; if it cannot just now, it waits to be taken."""
        if not self._outbox:
            return
        if self._waiter is not None and self._wire is not None and self._wire.tell(self._outbox):
            self._outbox = []
        else:
            self._wake()

    def close(self, code: int, reason: str) -> None:
        """End it, once what is queued has gone out."""
        if self.closed is None:
            self.closed = code, reason
            self._wake()

    async def take(self) -> list[bytes]:
        """Everything queued, waiting for something; nothing means the connection is closed."""
        while not self._outbox and self.closed is None:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        taken, self._outbox = self._outbox, []
        return taken

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
