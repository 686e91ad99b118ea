"""What waits to be dealt with at one table, in the order it came: one thing at a time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from kotatsu.tables.mail import Mail


class Mailbox:
    """A queue that wakes its one reader: ``take`` what is there, else wait until it is ``filled``.

    While something is dealt with (``busy``), nothing else is given out; whoever deals with it says when it is ``done``.
    """

    __slots__ = ("_letters", "_loop", "_waiter", "busy")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._letters: deque[Mail] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self.busy = False

    def __len__(self) -> int:
        return len(self._letters)

    def put(self, letter: Mail) -> None:
        """Leave a letter."""
        self._letters.append(letter)
        self._wake()

    def put_back(self, letters: Sequence[Mail]) -> None:
        """The reader leaves letters it took before, in front of all others."""
        self._letters.extendleft(reversed(letters))

    def take(self) -> Mail | None:
        """The next letter, if there is one and its time has come."""
        if self.busy or not self._letters:
            return None
        self.busy = True
        return self._letters.popleft()

    def begin(self) -> bool:
        """Whether something can be dealt with at once, without lying here first."""
        if self.busy or self._letters:
            return False
        self.busy = True
        return True

    def done(self) -> None:
        """The next may be taken."""
        self.busy = False
        self._wake()

    def filled(self) -> asyncio.Future[None]:
        """Done when there is a letter to take."""
        self._waiter = self._loop.create_future()
        return self._waiter

    def _wake(self) -> None:
        if self._letters and not self.busy and self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
