"""The queue of one table: what is to be handled, one at a time, in the order it came."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from kotatsu.tables.mail import Mail


class Mailbox:
    """A queue with one reader, which calls ``take`` and, if nothing is there, awaits ``filled``.

    While an item is being handled (``busy``), ``take`` returns nothing; its handler calls ``done`` at the
    end. Not thread-safe: for the event loop's thread only.
    """

    __slots__ = ("_loop", "_mail", "_waiter", "busy")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._mail: deque[Mail] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self.busy = False

    def __len__(self) -> int:
        return len(self._mail)

    def put(self, mail: Mail) -> None:
        """Add an item at the end and wake the reader."""
        self._mail.append(mail)
        self._wake()

    def put_back(self, mail: Sequence[Mail]) -> None:
        """Put items that were taken before in front of all others, in their order.

        The reader is not woken.
        """
        self._mail.extendleft(reversed(mail))

    def take(self) -> Mail | None:
        """Take the next item and become ``busy``; ``None`` if there is none or another is being handled."""
        if self.busy or not self._mail:
            return None
        self.busy = True
        return self._mail.popleft()

    def begin(self) -> bool:
        """Become ``busy`` with something that is not queued; ``False`` if others come first."""
        if self.busy or self._mail:
            return False
        self.busy = True
        return True

    def done(self) -> None:
        """Note that the item has been handled: the next may be taken."""
        self.busy = False
        self._wake()

    def filled(self) -> asyncio.Future[None]:
        """Return a future that is done when there is an item to take."""
        self._waiter = self._loop.create_future()
        return self._waiter

    def _wake(self) -> None:
        if self._mail and not self.busy and self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
