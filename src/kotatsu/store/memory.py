"""A store in memory, for tests and experiments: nothing survives the process."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

from kotatsu.store.contract import (
    BlockedPerson,
    LoggedStep,
    Persona,
    PlayerRating,
    Saying,
    SeqTaken,
    Store,
    StoredSeat,
    StoredTable,
    StoreError,
    TableChange,
    TableSettings,
    TooManyTables,
    WriteCallback,
)


class MemoryStore(Store):
    """A ``Store`` that keeps everything in dictionaries."""

    def __init__(self) -> None:
        self._tables: dict[str, StoredTable] = {}
        self._logs: dict[str, dict[int, LoggedStep]] = {}
        self._personas: dict[str, Persona] = {}
        self._codes: dict[str, tuple[str, float]] = {}
        self._sayings: dict[str, list[Saying]] = {}
        self._ratings: dict[tuple[str, str], PlayerRating] = {}
        self._rated: set[str] = set()
        self._blocks: dict[int, tuple[str, str, str]] = {}
        self._closed = False

    async def create(self, table: StoredTable, *, limit: int, since: float) -> None:
        self._check_open()
        unfinished = sum(
            known.host == table.host and known.created > since and known.status != "over"
            for known in self._tables.values()
        )
        if unfinished >= limit:
            raise TooManyTables(f"you have begun {unfinished} tables lately; finish one of them first")
        if table.id in self._tables:
            raise StoreError(f"there is already a table {table.id}")
        self._tables[table.id] = table
        self._logs[table.id] = {}

    async def append(self, table: str, step: LoggedStep, change: TableChange | None = None) -> None:
        self._append(table, step, change)

    def append_then(
        self, table: str, step: LoggedStep, change: TableChange | None, then: WriteCallback
    ) -> None:
        failure: Exception | None = None
        try:
            self._append(table, step, change)
        except StoreError as error:
            failure = error
        asyncio.get_running_loop().call_soon(then, failure)

    def _append(self, table: str, step: LoggedStep, change: TableChange | None) -> None:
        self._check_open()
        log = self._logs.get(table)
        if log is None or step.seq in log:
            raise SeqTaken(f"step {step.seq} of table {table} is already written")
        log[step.seq] = step
        self._change(table, change or TableChange(), step.at)

    async def set_seats(self, table: str, seats: tuple[StoredSeat, ...], at: float) -> None:
        self._check_open()
        self._change(table, TableChange(seats=seats), at)

    async def set_settings(self, table: str, settings: TableSettings, options: Mapping[str, Any]) -> None:
        self._check_open()
        self._tables[table] = replace(self._tables[table], settings=settings, options=dict(options))

    async def create_rematch(self, table: str, rematch: StoredTable) -> StoredTable:
        self._check_open()
        before = self._tables[table]
        if before.rematch is None:
            self._tables[rematch.id], self._logs[rematch.id] = rematch, {}
            self._tables[table] = replace(before, rematch=rematch.id)
            return rematch
        return self._tables[before.rematch]

    async def set_persona(self, visitor: str, persona: Persona, at: float) -> None:
        self._check_open()
        self._personas[visitor] = persona
        for table in self._tables.values():
            if table.status != "over":
                seats = tuple(
                    replace(seat, name=persona.name, avatar=persona.avatar)
                    if seat.visitor == visitor and not seat.guest
                    else seat
                    for seat in table.seats
                )
                self._tables[table.id] = replace(table, seats=seats)

    async def persona(self, visitor: str) -> Persona:
        self._check_open()
        return self._personas.get(visitor, Persona())

    async def delete_visitor(self, visitor: str, stand_in: str) -> None:
        self._check_open()
        self._personas.pop(visitor, None)
        self._codes = {code: owner for code, owner in self._codes.items() if owner[0] != visitor}
        self._ratings = {key: rating for key, rating in self._ratings.items() if key[1] != visitor}
        self._blocks = {key: block for key, block in self._blocks.items() if visitor not in block[:2]}
        for where, said in self._sayings.items():
            self._sayings[where] = [saying for saying in said if saying.visitor != visitor]
        for table in list(self._tables.values()):
            host = "" if table.host == visitor else table.host
            settings = table.settings if host else replace(table.settings, listed=False)
            seats = tuple(
                _vacated(seat, table, stand_in) if seat.visitor == visitor else seat for seat in table.seats
            )
            self._tables[table.id] = replace(table, host=host, seats=seats, settings=settings)

    async def add_device_code(self, code: str, visitor: str, until: float) -> None:
        self._check_open()
        self._codes = {known: owner for known, owner in self._codes.items() if owner[0] != visitor}
        self._codes[code] = visitor, until

    async def redeem_device_code(self, code: str, now: float) -> str | None:
        self._check_open()
        visitor, until = self._codes.pop(code, ("", now))
        return visitor if visitor and until >= now else None

    async def table(self, table: str) -> StoredTable | None:
        self._check_open()
        return self._tables.get(table)

    async def tables_of(self, visitor: str, limit: int = 100) -> list[StoredTable]:
        self._check_open()
        mine = [
            table
            for table in self._tables.values()
            if table.host == visitor or any(seat.visitor == visitor for seat in table.seats)
        ]
        return sorted(mine, key=lambda table: -table.updated)[:limit]

    async def lobby_tables(self, limit: int = 100) -> list[StoredTable]:
        self._check_open()
        open_to_all = [
            table
            for table in self._tables.values()
            if table.settings.listed
            and table.status == "gathering"
            and any(seat.kind == "open" for seat in table.seats)
        ]
        return sorted(open_to_all, key=lambda table: -table.created)[:limit]

    async def add_saying(self, table: str, saying: Saying) -> None:
        self._check_open()
        said = self._sayings.setdefault(table, [])
        if table not in self._tables or any(known.number == saying.number for known in said):
            raise SeqTaken(f"saying {saying.number} of table {table} is already written")
        said.append(saying)

    async def sayings(self, table: str, limit: int) -> list[Saying]:
        self._check_open()
        return sorted(self._sayings.get(table, []), key=lambda saying: saying.number)[-limit:]

    async def block(self, visitor: str, other: str, name: str, at: float) -> None:
        self._check_open()
        if all((mine, whom) != (visitor, other) for mine, whom, _ in self._blocks.values()):
            self._blocks[max(self._blocks, default=0) + 1] = visitor, other, name

    async def unblock(self, visitor: str, number: int) -> None:
        self._check_open()
        if self._blocks.get(number, ("",))[0] == visitor:
            del self._blocks[number]

    async def blocks(self, visitor: str) -> list[BlockedPerson]:
        self._check_open()
        return [
            BlockedPerson(number, name) for number, (mine, _, name) in self._blocks.items() if mine == visitor
        ]

    async def blocked_ids(self, visitor: str) -> frozenset[str]:
        self._check_open()
        return frozenset(other for mine, other, _ in self._blocks.values() if mine == visitor)

    async def ratings(self, game: str, players: Collection[str]) -> dict[str, PlayerRating]:
        self._check_open()
        return {player: self._ratings[game, player] for player in players if (game, player) in self._ratings}

    async def ratings_of(self, player: str) -> dict[str, PlayerRating]:
        self._check_open()
        return {game: rating for (game, known), rating in sorted(self._ratings.items()) if known == player}

    async def save_ratings(self, table: str, game: str, ratings: Mapping[str, PlayerRating]) -> None:
        self._check_open()
        if table not in self._rated:
            self._rated.add(table)
            self._ratings.update({(game, player): rating for player, rating in ratings.items()})

    async def unrated_tables(self) -> list[StoredTable]:
        self._check_open()
        finished = [
            table for table in self._tables.values() if table.status == "over" and table.id not in self._rated
        ]
        return sorted(finished, key=lambda table: table.updated)

    async def steps(self, table: str) -> list[LoggedStep]:
        self._check_open()
        return [step for _, step in sorted(self._logs.get(table, {}).items())]

    async def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")

    def _change(self, table: str, change: TableChange, at: float) -> None:
        known = self._tables[table]
        self._tables[table] = replace(
            known,
            updated=at,
            status=change.status or known.status,
            seats=known.seats if change.seats is None else change.seats,
            result=known.result if change.result is None else change.result,
        )


def _vacated(seat: StoredSeat, table: StoredTable, stand_in: str) -> StoredSeat:
    """The seat of a visitor who was deleted: open, or a bot's, or without a name in a finished game."""
    if table.status == "gathering":
        return StoredSeat()
    if table.status == "playing":
        return StoredSeat("bot", level=seat.level or stand_in)
    return StoredSeat(seat.kind, level=seat.level)
