"""A table as one visitor knows it."""

from __future__ import annotations

from kotatsu.server.shapes import TableCard
from kotatsu.store.contract import StoredTable
from kotatsu.table.house import held
from kotatsu.table.wire import TableInfo


def card(stored: StoredTable, info: TableInfo, visitor: str) -> TableCard:
    """What everyone may know, and what is theirs of it."""
    yours = held(stored, visitor)
    return TableCard(info, yours, stored.host == visitor, stored.created, stored.updated)
