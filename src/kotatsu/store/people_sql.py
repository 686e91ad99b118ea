"""Visitors in SQL: what they are called, what they said, how strong they are, and forgetting all of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

from kotatsu.store.contract import BlockedPerson, Persona, PlayerRating, Saying

_UNFINISHED = "table_id IN (SELECT id FROM tables WHERE status != 'over')"


def introduce(connection: sqlite3.Connection, visitor: str, persona: Persona, at: float) -> None:
    """What a visitor is called from now on, also where they still play."""
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
    """What a visitor chose."""
    row = connection.execute("SELECT name, avatar FROM visitors WHERE id = ?", (visitor,)).fetchone()
    return Persona() if row is None else Persona(*row)


def forget(connection: sqlite3.Connection, visitor: str, stand_in: str) -> None:
    """Nothing of a visitor remains but moves without a name; a bot of a level plays on for them."""
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


def grant(connection: sqlite3.Connection, code: str, visitor: str, until: float) -> None:
    """A visitor's one code."""
    connection.execute("DELETE FROM codes WHERE visitor = ?", (visitor,))
    connection.execute("INSERT INTO codes (code, visitor, until) VALUES (?, ?, ?)", (code, visitor, until))


def redeem(connection: sqlite3.Connection, code: str, now: float) -> str | None:
    """Whom a code stands for; it is used up."""
    connection.execute("DELETE FROM codes WHERE until < ?", (now,))
    row = connection.execute("DELETE FROM codes WHERE code = ? RETURNING visitor", (code,)).fetchone()
    return None if row is None else str(row[0])


def say(connection: sqlite3.Connection, table: str, saying: Saying) -> None:
    """One thing more said at a table."""
    connection.execute(
        "INSERT INTO sayings (table_id, number, at, visitor, name, text, seat) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (table, saying.number, saying.at, saying.visitor, saying.name, saying.text, saying.seat),
    )


def sayings(connection: sqlite3.Connection, table: str, limit: int) -> list[Saying]:
    """The last things said, in order."""
    query = """SELECT number, at, visitor, name, text, seat FROM sayings
        WHERE table_id = ? ORDER BY number DESC LIMIT ?"""
    return [Saying(*row) for row in connection.execute(query, (table, limit))][::-1]


def block(connection: sqlite3.Connection, visitor: str, other: str, name: str, at: float) -> None:
    """A visitor wants to hear no more of another."""
    connection.execute(
        "INSERT OR IGNORE INTO blocks (visitor, other, name, at) VALUES (?, ?, ?, ?)",
        (visitor, other, name, at),
    )


def unblock(connection: sqlite3.Connection, visitor: str, number: int) -> None:
    """They make peace."""
    connection.execute("DELETE FROM blocks WHERE visitor = ? AND number = ?", (visitor, number))


def blocks(connection: sqlite3.Connection, visitor: str) -> list[BlockedPerson]:
    """Whom a visitor has blocked, by name."""
    query = "SELECT number, name FROM blocks WHERE visitor = ? ORDER BY number"
    return [BlockedPerson(number, name) for number, name in connection.execute(query, (visitor,))]


def blocked(connection: sqlite3.Connection, visitor: str) -> frozenset[str]:
    """Whom a visitor has blocked."""
    query = "SELECT other FROM blocks WHERE visitor = ?"
    return frozenset(other for (other,) in connection.execute(query, (visitor,)))


def ratings(connection: sqlite3.Connection, game: str, players: Collection[str]) -> dict[str, PlayerRating]:
    """What is known of some players."""
    query = "SELECT mu, sigma, games FROM ratings WHERE game = ? AND player = ?"
    rows = ((player, connection.execute(query, (game, player)).fetchone()) for player in players)
    return {player: PlayerRating(*row) for player, row in rows if row is not None}


def ratings_of(connection: sqlite3.Connection, player: str) -> dict[str, PlayerRating]:
    """A player's rating by game."""
    query = "SELECT game, mu, sigma, games FROM ratings WHERE player = ? ORDER BY game"
    return {
        game: PlayerRating(mu, sigma, games)
        for game, mu, sigma, games in connection.execute(query, (player,))
    }


def rate(connection: sqlite3.Connection, table: str, game: str, ratings: Mapping[str, PlayerRating]) -> None:
    """The ratings after a game, unless it has been counted."""
    if not connection.execute("UPDATE tables SET rated = 1 WHERE id = ? AND NOT rated", (table,)).rowcount:
        return
    connection.executemany(
        "INSERT OR REPLACE INTO ratings (game, player, mu, sigma, games) VALUES (?, ?, ?, ?, ?)",
        [(game, player, rating.mu, rating.sigma, rating.games) for player, rating in ratings.items()],
    )
