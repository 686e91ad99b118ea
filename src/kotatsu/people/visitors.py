"""What the server keeps about visitors beyond a single table: device codes, past games, blocks, ratings.

A visitor is a random id in a cookie. A one-time code copies it to another device.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from hashlib import sha256

import msgspec

from kotatsu.engine.contract import Outcome
from kotatsu.people.ratings import ratings_after
from kotatsu.seats import assignment
from kotatsu.seats.rated import is_rated
from kotatsu.store.contract import BlockedPerson, PlayerRating, Store, StoredTable

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters and digits without those mistaken for another when read aloud or copied by hand (0 O, 1 I L)."""

CODE_LENGTH = 8
"""31 letters to the power of 8 are 40 bits: with 10 tries a minute from one address, ten minutes of guessing
at one valid code succeed once in 8.5 billion times."""

CODE_SECONDS = 600.0
"""Seconds for which a code is valid. Chosen by hand: time to fetch the other device and type it."""


class InvalidDeviceCode(Exception):
    """The code is unknown, was used or has expired."""


class VisitorService:
    """Device codes, history, blocks and ratings of visitors, kept in a ``store``.

    All methods await the store.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rating = asyncio.Lock()

    async def new_code(self, visitor: str) -> str:
        """Make and save a code with which another device can become this visitor, once and soon."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        await self._store.add_device_code(_digest(code), visitor, time.time() + CODE_SECONDS)
        return code

    async def redeem(self, code: str) -> str:
        """Use up a code and return its visitor; spaces, dashes and case are ignored.

        Raises:
            InvalidDeviceCode: it is unknown, was used or has expired.
        """
        typed = "".join(character for character in code.upper() if character.isalnum())
        visitor = await self._store.redeem_device_code(_digest(typed), time.time())
        if visitor is None:
            raise InvalidDeviceCode(
                "this code is not, or no longer, valid; ask the other device for a new one"
            )
        return visitor

    async def history_of(self, visitor: str, limit: int = 500) -> list[StoredTable]:
        """Return the finished games of a ``visitor``, the latest first, of their last ``limit`` tables."""
        tables = await self._store.tables_of(visitor, limit)
        return [
            table for table in tables if table.status == "over" and assignment.held_by(table.seats, visitor)
        ]

    async def blocks_of(self, visitor: str) -> list[BlockedPerson]:
        """Return the people a visitor has blocked, by name."""
        return await self._store.blocks(visitor)

    async def unblock(self, visitor: str, number: int) -> None:
        """Remove the block ``number`` of a ``visitor``; without effect if they have no such block."""
        await self._store.unblock(visitor, number)

    async def ratings_of(self, visitor: str) -> dict[str, PlayerRating]:
        """Return a visitor's rating in each game they are rated in, by the game's name."""
        return await self._store.ratings_of(visitor)

    async def rate_finished(self) -> None:
        """Update the ratings for every finished game that is not rated yet, in the order they ended."""
        async with self._rating:
            for table in await self._store.unrated_tables():
                after: dict[str, PlayerRating] = {}
                if table.result is not None and is_rated(table):
                    people = [seat.visitor for seat in table.seats if seat.visitor is not None]
                    known = await self._store.ratings(table.game, people)
                    after = ratings_after(table, msgspec.convert(table.result, Outcome), known)
                await self._store.save_ratings(table.id, table.game, after)


def _digest(code: str) -> str:
    """What is stored of a code: a hash that recognises it but cannot be used instead of it."""
    return sha256(code.encode()).hexdigest()
