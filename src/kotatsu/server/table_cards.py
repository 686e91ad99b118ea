"""A table as one visitor knows it."""

from __future__ import annotations

from kotatsu.protocol.messages import TableInfo
from kotatsu.server.schemas import TableCard
from kotatsu.store.contract import StoredTable
from kotatsu.tables.manager import seats_held_by


def card(stored: StoredTable, info: TableInfo, visitor: str) -> TableCard:
    """What everyone may know, and what is theirs of it."""
    yours = seats_held_by(stored, visitor)
    return TableCard(info, yours, stored.host == visitor, stored.created, stored.updated)
