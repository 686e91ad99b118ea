"""A table as it is shown to one visitor."""

from __future__ import annotations

from kotatsu.protocol.messages import TableInfo
from kotatsu.server.schemas import TableCard
from kotatsu.store.contract import StoredTable
from kotatsu.tables.manager import seats_held_by


def card(stored: StoredTable, info: TableInfo, visitor: str) -> TableCard:
    """Return what a ``visitor`` is shown of a table.

    Args:
        stored: the table as it is in the store.
        info: the table as everyone may see it.
        visitor: who asks.
    """
    yours = seats_held_by(stored, visitor)
    return TableCard(info, yours, stored.host == visitor, stored.created, stored.updated)
