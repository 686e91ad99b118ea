"""What the house remembers of people: how they are called, what they played, how strong they are.

A visitor is a random id in a cookie. A code carries it to another device, once.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from hashlib import sha256

import msgspec

from kotatsu.engine.contract import Outcome
from kotatsu.people.ratings import is_rated, rated
from kotatsu.seats import assignment
from kotatsu.store.contract import BlockedPerson, PlayerRating, Store, StoredTable

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""None that is mistaken for another when read aloud or copied by hand."""

CODE_LENGTH = 8
CODE_SECONDS = 600.0


class InvalidDeviceCode(Exception):
    """The code stands for nobody, or no longer."""


class VisitorService:
    """The house's memory of its visitors."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rating = asyncio.Lock()

    async def new_code(self, visitor: str) -> str:
        """A code with which another device becomes this visitor's, once and soon."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        await self._store.add_device_code(_digest(code), visitor, time.time() + CODE_SECONDS)
        return code

    async def redeem(self, code: str) -> str:
        """The visitor whose code this is; spaces, dashes and case do not matter.

        Raises:
            WrongCode: it is nobody's.
        """
        typed = "".join(letter for letter in code.upper() if letter.isalnum())
        visitor = await self._store.redeem_device_code(_digest(typed), time.time())
        if visitor is None:
            raise InvalidDeviceCode(
                "this code is not, or no longer, valid; ask the other device for a new one"
            )
        return visitor

    async def history_of(self, visitor: str, limit: int = 500) -> list[StoredTable]:
        """The finished games a visitor had a seat in, the latest first."""
        tables = await self._store.tables_of(visitor, limit)
        return [
            table for table in tables if table.status == "over" and assignment.held_by(table.seats, visitor)
        ]

    async def blocks_of(self, visitor: str) -> list[BlockedPerson]:
        """Whom a visitor wants to hear no more of."""
        return await self._store.blocks(visitor)

    async def unblock(self, visitor: str, number: int) -> None:
        """They make peace with one of them."""
        await self._store.unblock(visitor, number)

    async def ratings_of(self, visitor: str) -> dict[str, PlayerRating]:
        """A visitor's rating in each game they are rated in."""
        return await self._store.ratings_of(visitor)

    async def rate_finished(self) -> None:
        """Take every game that has ended since the last time into account, each once."""
        async with self._rating:
            for table in await self._store.unrated_tables():
                after: dict[str, PlayerRating] = {}
                if table.result is not None and is_rated(table):
                    people = [seat.visitor for seat in table.seats if seat.visitor is not None]
                    known = await self._store.ratings(table.game, people)
                    after = rated(table, msgspec.convert(table.result, Outcome), known)
                await self._store.save_ratings(table.id, table.game, after)


def _digest(code: str) -> str:
    """What is kept of a code: enough to recognise it, not to use it."""
    return sha256(code.encode()).hexdigest()
