"""What waits to be dealt with at one table, in the order it came. One task empties it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from kotatsu.table.letters import Letter


class Mailbox:
    """A queue that wakes its one reader, and does nothing else: ``take`` what is there, else wait until it is ``filled``."""

    __slots__ = ("_letters", "_loop", "_waiter")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._letters: deque[Letter] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._letters)

    def put(self, letter: Letter) -> None:
        """Leave a letter."""
        self._letters.append(letter)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def put_back(self, letters: Sequence[Letter]) -> None:
        """The reader leaves letters it took before, in front of all others."""
        self._letters.extendleft(reversed(letters))

    def take(self) -> Letter | None:
        """The next letter, if there is one."""
        return self._letters.popleft() if self._letters else None

    def filled(self) -> asyncio.Future[None]:
        """Done with the next letter that is left."""
        self._waiter = self._loop.create_future()
        return self._waiter
