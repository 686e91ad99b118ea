"""One browser at a table: who it is, and a bounded outbox so that a slow one slows nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kotatsu.engine.contract import Seat
from kotatsu.store.contract import Persona
from kotatsu.table.arbiter import RoundTrip

OUTBOX = 512
"""Messages that may wait for a browser before it is given up."""

GOING_AWAY = 1012
BROKEN = 1011
NOT_ADMITTED = 4403
TOO_SLOW = 1013
"""Close codes after which a browser may come back and find its table."""

_NOBODY = Persona()


class Connection:
    """The table puts messages in; whoever owns the wire takes them out.

    ``eyes`` is the seat through which a visitor who holds several wants to see the table; a ``bystander``
    looks on as a spectator does, whatever seats the visitor holds: a television in the room, say.
    ``round_trip`` is measured by whoever owns the wire; ``blocked`` are those they want to hear no more of.
    ``at_once``, where the wire has it, takes messages without waiting, or says that it cannot just now.
    """

    __slots__ = (
        "_loop",
        "_outbox",
        "_waiter",
        "at_once",
        "blocked",
        "bystander",
        "closed",
        "eyes",
        "persona",
        "round_trip",
        "views",
        "visitor",
    )

    def __init__(
        self,
        visitor: str,
        persona: Persona = _NOBODY,
        *,
        views: bool = False,
        eyes: Seat | None = None,
        bystander: bool = False,
        round_trip: RoundTrip | None = None,
        blocked: frozenset[str] = frozenset(),
        at_once: Callable[[list[bytes]], bool] | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self.visitor = visitor
        self.persona = persona
        self.views = views
        self.eyes = eyes
        self.bystander = bystander
        self.round_trip = round_trip or RoundTrip()
        self.blocked = blocked
        self.at_once = at_once
        self.closed: tuple[int, str] | None = None
        self._outbox: list[bytes] = []
        self._waiter: asyncio.Future[None] | None = None

    def send(self, message: bytes) -> None:
        """Queue a message; it goes out in this turn of the loop, with others that are queued in it."""
        self.queue(message)
        if len(self._outbox) == 1:
            self._loop.call_soon(self.flush)

    def queue(self, message: bytes) -> None:
        """Leave a message to be flushed; a browser that lets too many pile up is closed."""
        if self.closed is not None:
            return
        if len(self._outbox) >= OUTBOX:
            self._outbox.clear()
            self.close(TOO_SLOW, "too slow")
            return
        self._outbox.append(message)

    def flush(self) -> None:
        """What is queued goes out together; if it cannot just now, it waits to be taken."""
        if not self._outbox:
            return
        if self._waiter is not None and self.at_once is not None and self.at_once(self._outbox):
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
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        taken, self._outbox = self._outbox, []
        return taken

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
