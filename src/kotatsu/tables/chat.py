"""The chat of one table: a message is stored, then sent to everyone who has not blocked its author."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Iterable

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Seat
from kotatsu.protocol.messages import Reacted, Reaction, Said
from kotatsu.protocol.refusal import Refusal
from kotatsu.store.contract import Saying, Store

HISTORY_MESSAGES = 100
"""How many past messages a browser gets when it connects. Chosen by hand: an evening's talk at one table."""

RATE_LIMIT_MESSAGES = 5
RATE_LIMIT_SECONDS = 10.0
"""A visitor may send so many messages and reactions in so many seconds. Chosen by hand: more than anybody
types, and too few to flood a table."""

_encode = msgspec.json.Encoder().encode


class TableChat:
    """The chat messages and reactions of one table.

    Args:
        store: where messages are kept.
        table: the table's id.
        connections: the table's set of connections, which changes as browsers come and go.
    """

    def __init__(self, store: Store, table: str, connections: set[TableConnection]) -> None:
        self._store = store
        self._table = table
        self._connections = connections
        self._past: deque[Saying] = deque(maxlen=HISTORY_MESSAGES)
        self._recent: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=RATE_LIMIT_MESSAGES))

    async def open(self) -> None:
        """Read the past messages from the store."""
        past = await self._store.sayings(self._table, HISTORY_MESSAGES)
        self._past = deque(past, maxlen=HISTORY_MESSAGES)

    def send_history(self, connection: TableConnection) -> None:
        """Send the past messages to a browser that has just connected."""
        for saying in self._past:
            self._send(saying, connection)

    async def say(self, speaker: TableConnection, seat: Seat | None, text: str) -> None:
        """Store a message, then send it to everyone.

        Args:
            speaker: the connection of its author.
            seat: their seat, ``None`` for a spectator.
            text: as it was typed; spaces and unprintable characters are cleaned up.

        Raises:
            Refusal: the text is empty (``malformed``), or there were too many (``too_fast``).
            StoreError: it could not be written; nobody got it.
        """
        words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if not words:
            raise Refusal("malformed", "There is nothing to say.")
        self._check_rate(speaker.visitor)
        number = self._past[-1].number + 1 if self._past else 1
        saying = Saying(number, time.time(), speaker.visitor, speaker.persona.name, words, seat)
        await self._store.add_saying(self._table, saying)
        self._past.append(saying)
        for connection in list(self._connections):
            self._send(saying, connection)

    def react(self, speaker: TableConnection, seat: Seat | None, reaction: Reaction) -> None:
        """Send everyone a ``reaction`` of the ``speaker`` in ``seat``; it is not stored.

        Raises:
            Refusal: there were too many (``too_fast``).
        """
        self._check_rate(speaker.visitor)
        for connection in self._connections_without_block(speaker.visitor):
            yours = connection.visitor == speaker.visitor
            connection.send(_encode(Reacted(reaction, speaker.persona.name, seat, yours)))

    async def block(self, visitor: str, number: int) -> None:
        """Block, for a ``visitor``, the author of message ``number``.

        Raises:
            Refusal: there is no such message, or it is their own (``no_such_saying``).
        """
        saying = next((saying for saying in self._past if saying.number == number), None)
        if saying is None or saying.visitor == visitor:
            raise Refusal("no_such_saying", "There is nobody to block for that.")
        await self._store.block(visitor, saying.visitor, saying.name, time.time())
        for connection in self._connections:
            if connection.visitor == visitor:
                connection.blocked |= {saying.visitor}

    def _connections_without_block(self, speaker: str) -> Iterable[TableConnection]:
        return [connection for connection in self._connections if speaker not in connection.blocked]

    def _send(self, saying: Saying, connection: TableConnection) -> None:
        if saying.visitor not in connection.blocked:
            yours = saying.visitor == connection.visitor
            said = Said(saying.number, saying.at, saying.name, saying.text, saying.seat, yours)
            connection.send(_encode(said))

    def _check_rate(self, visitor: str) -> None:
        now, recent = asyncio.get_running_loop().time(), self._recent[visitor]
        if len(recent) == RATE_LIMIT_MESSAGES and now - recent[0] < RATE_LIMIT_SECONDS:
            raise Refusal("too_fast", "One thing after the other, please.")
        recent.append(now)
