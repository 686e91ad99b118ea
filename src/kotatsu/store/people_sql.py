"""SQL for visitors: names, device codes, chat messages, blocks and ratings, and deleting all of them.

Each function runs on an open ``connection``, those that write inside a transaction of the caller's.
``visitor``, ``player`` and ``other`` are visitors' ids, ``table`` is a table's id.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

from kotatsu.store.contract import BlockedPerson, Persona, PlayerRating, Saying

_UNFINISHED = "table_id IN (SELECT id FROM tables WHERE status != 'over')"


def set_persona(connection: sqlite3.Connection, visitor: str, persona: Persona, at: float) -> None:
    """Save a ``persona``, also in the visitor's seats at unfinished tables; ``at`` is the time if new."""
    connection.execute(
        "INSERT INTO visitors (id, name, avatar, created) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET name = excluded.name, avatar = excluded.avatar",
        (visitor, persona.name, persona.avatar, at),
    )
    connection.execute(
        f"UPDATE seats SET name = ?, avatar = ? WHERE visitor = ? AND NOT guest AND {_UNFINISHED}",
        (persona.name, persona.avatar, visitor),
    )


def persona(connection: sqlite3.Connection, visitor: str) -> Persona:
    """Return a visitor's name and avatar; empty ones if they chose none."""
    row = connection.execute("SELECT name, avatar FROM visitors WHERE id = ?", (visitor,)).fetchone()
    return Persona() if row is None else Persona(*row)


def delete_visitor(connection: sqlite3.Connection, visitor: str, stand_in: str) -> None:
    """Delete a visitor; their moves stay, and bots of level ``stand_in`` take their running seats."""
    for rows in (
        "visitors WHERE id",
        "codes WHERE visitor",
        "sayings WHERE visitor",
        "blocks WHERE visitor",
        "blocks WHERE other",
        "ratings WHERE player",
    ):
        connection.execute(f"DELETE FROM {rows} = ?", (visitor,))
    connection.execute(
        "UPDATE seats SET kind = 'open', level = NULL WHERE visitor = ?"
        " AND table_id IN (SELECT id FROM tables WHERE status = 'gathering')",
        (visitor,),
    )
    connection.execute(
        "UPDATE seats SET kind = 'bot', level = coalesce(level, ?) WHERE visitor = ?"
        " AND table_id IN (SELECT id FROM tables WHERE status = 'playing')",
        (stand_in, visitor),
    )
    connection.execute(
        "UPDATE seats SET visitor = NULL, name = '', avatar = '', guest = 0 WHERE visitor = ?", (visitor,)
    )
    connection.execute("UPDATE tables SET host = '', listed = 0 WHERE host = ?", (visitor,))


def add_device_code(connection: sqlite3.Connection, code: str, visitor: str, until: float) -> None:
    """Replace a visitor's device ``code``, valid ``until`` a time."""
    connection.execute("DELETE FROM codes WHERE visitor = ?", (visitor,))
    connection.execute("INSERT INTO codes (code, visitor, until) VALUES (?, ?, ?)", (code, visitor, until))


def redeem_device_code(connection: sqlite3.Connection, code: str, now: float) -> str | None:
    """Delete a ``code``, and all that have expired by ``now``; return its visitor, ``None`` if not valid."""
    connection.execute("DELETE FROM codes WHERE until < ?", (now,))
    row = connection.execute("DELETE FROM codes WHERE code = ? RETURNING visitor", (code,)).fetchone()
    return None if row is None else str(row[0])


def add_saying(connection: sqlite3.Connection, table: str, saying: Saying) -> None:
    """Insert one chat message, ``saying``."""
    connection.execute(
        "INSERT INTO sayings (table_id, number, at, visitor, name, text, seat) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (table, saying.number, saying.at, saying.visitor, saying.name, saying.text, saying.seat),
    )


def sayings(connection: sqlite3.Connection, table: str, limit: int) -> list[Saying]:
    """Return the last ``limit`` chat messages of a table, the oldest first."""
    query = """SELECT number, at, visitor, name, text, seat FROM sayings
        WHERE table_id = ? ORDER BY number DESC LIMIT ?"""
    return [Saying(*row) for row in connection.execute(query, (table, limit))][::-1]


def block(connection: sqlite3.Connection, visitor: str, other: str, name: str, at: float) -> None:
    """Insert a block of ``other``, under their present ``name``, made ``at`` a time, unless there is one."""
    connection.execute(
        "INSERT OR IGNORE INTO blocks (visitor, other, name, at) VALUES (?, ?, ?, ?)",
        (visitor, other, name, at),
    )


def unblock(connection: sqlite3.Connection, visitor: str, number: int) -> None:
    """Delete the block ``number`` if it is one of the visitor's."""
    connection.execute("DELETE FROM blocks WHERE visitor = ? AND number = ?", (visitor, number))


def blocks(connection: sqlite3.Connection, visitor: str) -> list[BlockedPerson]:
    """Return a visitor's blocks, by name."""
    query = "SELECT number, name FROM blocks WHERE visitor = ? ORDER BY number"
    return [BlockedPerson(number, name) for number, name in connection.execute(query, (visitor,))]


def blocked_ids(connection: sqlite3.Connection, visitor: str) -> frozenset[str]:
    """Return the ids of the visitors a visitor has blocked."""
    query = "SELECT other FROM blocks WHERE visitor = ?"
    return frozenset(other for (other,) in connection.execute(query, (visitor,)))


def ratings(connection: sqlite3.Connection, game: str, players: Collection[str]) -> dict[str, PlayerRating]:
    """Return the ratings at ``game`` of those ``players`` who have one, by id."""
    query = "SELECT mu, sigma, games FROM ratings WHERE game = ? AND player = ?"
    rows = ((player, connection.execute(query, (game, player)).fetchone()) for player in players)
    return {player: PlayerRating(*row) for player, row in rows if row is not None}


def ratings_of(connection: sqlite3.Connection, player: str) -> dict[str, PlayerRating]:
    """Return a player's ratings by game."""
    query = "SELECT game, mu, sigma, games FROM ratings WHERE player = ? ORDER BY game"
    return {
        game: PlayerRating(mu, sigma, games)
        for game, mu, sigma, games in connection.execute(query, (player,))
    }


def save_ratings(
    connection: sqlite3.Connection, table: str, game: str, ratings: Mapping[str, PlayerRating]
) -> None:
    """Save the ``ratings`` at ``game`` after ``table``, unless the table is already marked as rated."""
    if not connection.execute("UPDATE tables SET rated = 1 WHERE id = ? AND NOT rated", (table,)).rowcount:
        return
    connection.executemany(
        "INSERT OR REPLACE INTO ratings (game, player, mu, sigma, games) VALUES (?, ?, ?, ?, ?)",
        [(game, player, rating.mu, rating.sigma, rating.games) for player, rating in ratings.items()],
    )
