"""One browser's connection to a table: who it is, and a bounded queue of outgoing messages."""

from __future__ import annotations

import asyncio
from typing import Protocol

from kotatsu.connections.batch import LoopBatch
from kotatsu.connections.round_trip import RoundTripEstimate
from kotatsu.engine.contract import Seat
from kotatsu.store.contract import Persona

MAX_QUEUED_MESSAGES = 512
"""Messages that may wait for a browser before it is disconnected as too slow. Chosen by hand: minutes of a
lively table; it bounds the memory a browser that does not read can cost."""

# WebSocket close codes after which a browser may connect again: of RFC 6455 and the IANA registry, or ours.
SERVICE_RESTART = 1012
INTERNAL_ERROR = 1011
TRY_AGAIN_LATER = 1013
NOT_ADMITTED = 4403  # 4000-4999 are for applications; 403 as in HTTP

_NO_PERSONA = Persona()


class MessageSink(Protocol):
    """The socket under a connection, if it can send without waiting."""

    def try_send(self, messages: list[bytes]) -> bool:
        """Send all ``messages`` as text frames now; ``False``, and nothing sent, if that has to wait."""


class TableConnection:
    """A queue of messages from a table to one browser.

    The table puts messages in with ``send``; the owner of the socket takes them out with ``take``, unless a
    ``MessageSink`` sends them directly. All methods belong to the event loop's thread.

    The table sets ``held``, the seats this connection may play, and ``viewpoint``, the seat through which it
    sees the game (``None``: as a spectator). ``closed`` is the close code and reason, ``None`` while open.

    Args:
        visitor: whose browser it is.
        persona: their name and avatar.
        views: send the whole view with every step.
        wanted: the seat through which a visitor who holds several wants to see the game.
        spectator_only: be treated as a spectator whatever seats the visitor holds: a shared screen, say.
        round_trip: measured by the owner of the socket; a new, empty one by default.
        blocked: the visitors whose messages this one does not want.
        sink: sends messages directly where it can; without one they wait for ``take``.
        sending: the batch in which connections are flushed; one of its own by default.
    """

    __slots__ = (
        "_outbox",
        "_sending",
        "_sink",
        "_waiter",
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
        persona: Persona = _NO_PERSONA,
        *,
        views: bool = False,
        wanted: Seat | None = None,
        spectator_only: bool = False,
        round_trip: RoundTripEstimate | None = None,
        blocked: frozenset[str] = frozenset(),
        sink: MessageSink | None = None,
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
        self._sink = sink
        self._sending = sending or LoopBatch(TableConnection.flush)
        self._outbox: list[bytes] = []
        self._waiter: asyncio.Future[None] | None = None

    def send(self, message: bytes) -> None:
        """Queue a JSON text; it is sent in the next turn of the event loop, with others queued meanwhile.

        Does nothing once closed. With ``MAX_QUEUED_MESSAGES`` waiting, the connection is closed instead.
        """
        if self.closed is not None:
            return
        outbox = self._outbox
        if not outbox:
            self._sending.add(self)
        elif len(outbox) >= MAX_QUEUED_MESSAGES:
            outbox.clear()
            self.close(TRY_AGAIN_LATER, "too slow")
            return
        outbox.append(message)

    def flush(self) -> None:
        """Send everything queued through the sink; if that cannot take it now, wake ``take``."""
        if not self._outbox:
            return
        if self._waiter is not None and self._sink is not None and self._sink.try_send(self._outbox):
            self._outbox = []
        else:
            self._wake()

    def close(self, code: int, reason: str) -> None:
        """Close it with a WebSocket ``code`` and ``reason`` after what is queued; the first call counts."""
        if self.closed is None:
            self.closed = code, reason
            self._wake()

    async def take(self) -> list[bytes]:
        """Wait for messages and return all that are queued; an empty list means that it is closed."""
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
