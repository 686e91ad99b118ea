"""A store that forgets everything when it is dropped: for tests and for tables nobody will miss."""

from __future__ import annotations

from msgspec.structs import replace

from kotatsu.store.contract import (
    Change,
    LoggedStep,
    SeqTaken,
    StoredSeat,
    StoredTable,
    StoreError,
    TooManyTables,
)


class MemoryStore:
    """Fulfils ``Store`` as long as it lives."""

    def __init__(self) -> None:
        self._tables: dict[str, StoredTable] = {}
        self._logs: dict[str, dict[int, LoggedStep]] = {}
        self._names: dict[str, str] = {}
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

    async def append(self, table: str, step: LoggedStep, change: Change | None = None) -> None:
        self._check_open()
        log = self._logs.get(table)
        if log is None or step.seq in log:
            raise SeqTaken(f"step {step.seq} of table {table} is already written")
        log[step.seq] = step
        self._change(table, change or Change(), step.at)

    async def seat(self, table: str, seats: tuple[StoredSeat, ...], at: float) -> None:
        self._check_open()
        self._change(table, Change(seats=seats), at)

    async def rename(self, visitor: str, name: str, at: float) -> None:
        self._check_open()
        self._names[visitor] = name
        for table in self._tables.values():
            if table.status != "over":
                seats = tuple(
                    replace(seat, name=name) if seat.visitor == visitor else seat for seat in table.seats
                )
                self._tables[table.id] = replace(table, seats=seats)

    async def name_of(self, visitor: str) -> str:
        self._check_open()
        return self._names.get(visitor, "")

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

    async def steps(self, table: str) -> list[LoggedStep]:
        self._check_open()
        return [step for _, step in sorted(self._logs.get(table, {}).items())]

    async def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")

    def _change(self, table: str, change: Change, at: float) -> None:
        known = self._tables[table]
        self._tables[table] = replace(
            known,
            updated=at,
            status=change.status or known.status,
            seats=known.seats if change.seats is None else change.seats,
            result=known.result if change.result is None else change.result,
        )
