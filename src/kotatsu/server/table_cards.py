"""A table as one visitor knows it."""

from __future__ import annotations

from kotatsu.protocol.messages import TableInfo
from kotatsu.server.schemas import TableCard
from kotatsu.store.contract import StoredTable
from kotatsu.tables.manager import held


def card(stored: StoredTable, info: TableInfo, visitor: str) -> TableCard:
    """What everyone may know, and what is theirs of it."""
    yours = held(stored, visitor)
    return TableCard(info, yours, stored.host == visitor, stored.created, stored.updated)
