"""What people say to each other at one table: written down, then told, to all who want to hear it."""

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

KEPT = 100
"""How many sayings whoever arrives is told."""

AT_ONCE = 5
WITHIN = 10.0
"""So many sayings and signs a visitor has in so many seconds."""

_encode = msgspec.json.Encoder().encode


class TableChat:
    """The words at one table. ``connections`` is the live set of those who hear them."""

    def __init__(self, store: Store, table: str, connections: set[TableConnection]) -> None:
        self._store = store
        self._table = table
        self._connections = connections
        self._past: deque[Saying] = deque(maxlen=KEPT)
        self._lately: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=AT_ONCE))

    async def open(self) -> None:
        """Read what was said before."""
        self._past = deque(await self._store.sayings(self._table, KEPT), maxlen=KEPT)

    def tell_past(self, connection: TableConnection) -> None:
        """Somebody arrives and hears what was said before."""
        for saying in self._past:
            self._tell(saying, connection)

    async def say(self, speaker: TableConnection, seat: Seat | None, text: str) -> None:
        """Write it down, then tell everyone.

        Raises:
            Refusal: nothing to say, or too much of it.
        """
        words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if not words:
            raise Refusal("malformed", "There is nothing to say.")
        self._slow_down(speaker.visitor)
        number = self._past[-1].number + 1 if self._past else 1
        saying = Saying(number, time.time(), speaker.visitor, speaker.persona.name, words, seat)
        await self._store.add_saying(self._table, saying)
        self._past.append(saying)
        for connection in list(self._connections):
            self._tell(saying, connection)

    def react(self, speaker: TableConnection, seat: Seat | None, reaction: Reaction) -> None:
        """A sign to everyone.

        Raises:
            Refusal: too many of them.
        """
        self._slow_down(speaker.visitor)
        for connection in self._hearing(speaker.visitor):
            yours = connection.visitor == speaker.visitor
            connection.send(_encode(Reacted(reaction, speaker.persona.name, seat, yours)))

    async def block(self, visitor: str, number: int) -> None:
        """A visitor wants to hear no more of whoever said that.

        Raises:
            Refusal: nobody said that, or they did themself.
        """
        saying = next((saying for saying in self._past if saying.number == number), None)
        if saying is None or saying.visitor == visitor:
            raise Refusal("no_such_saying", "There is nobody to block for that.")
        await self._store.block(visitor, saying.visitor, saying.name, time.time())
        for connection in self._connections:
            if connection.visitor == visitor:
                connection.blocked |= {saying.visitor}

    def _hearing(self, speaker: str) -> Iterable[TableConnection]:
        return [connection for connection in self._connections if speaker not in connection.blocked]

    def _tell(self, saying: Saying, connection: TableConnection) -> None:
        if saying.visitor not in connection.blocked:
            yours = saying.visitor == connection.visitor
            said = Said(saying.number, saying.at, saying.name, saying.text, saying.seat, yours)
            connection.send(_encode(said))

    def _slow_down(self, visitor: str) -> None:
        now, lately = asyncio.get_running_loop().time(), self._lately[visitor]
        if len(lately) == AT_ONCE and now - lately[0] < WITHIN:
            raise Refusal("too_fast", "One thing after the other, please.")
        lately.append(now)
