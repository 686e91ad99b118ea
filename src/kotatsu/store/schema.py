"""The shape of the SQLite file, and how an older one becomes today's."""

from __future__ import annotations

import sqlite3
import time

from kotatsu.store.contract import DataUnusable

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE visitors (
        id      TEXT PRIMARY KEY,
        name    TEXT NOT NULL,
        created REAL NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE tables (
        id      TEXT PRIMARY KEY,
        game    TEXT NOT NULL,
        players INTEGER NOT NULL,
        options TEXT NOT NULL,
        status  TEXT NOT NULL CHECK (status IN ('gathering', 'playing', 'over')),
        host    TEXT NOT NULL,
        created REAL NOT NULL,
        updated REAL NOT NULL,
        result  TEXT
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_host ON tables (host, created);

    CREATE TABLE seats (
        table_id TEXT NOT NULL REFERENCES tables (id),
        seat     INTEGER NOT NULL,
        kind     TEXT NOT NULL CHECK (kind IN ('open', 'person', 'bot')),
        visitor  TEXT,
        name     TEXT NOT NULL,
        level    TEXT,
        PRIMARY KEY (table_id, seat)
    ) WITHOUT ROWID;
    CREATE INDEX seats_by_visitor ON seats (visitor) WHERE visitor IS NOT NULL;

    CREATE TABLE log (
        table_id   TEXT NOT NULL REFERENCES tables (id),
        seq        INTEGER NOT NULL,
        at         REAL NOT NULL,
        seat       INTEGER,
        command_id TEXT,
        entries    TEXT NOT NULL,
        UNIQUE (table_id, seq)
    );
    """,
)
"""Each is applied once, in order; only ever add to the end."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file, new or old, to today's shape.

    Raises:
        DataUnusable: a newer Kotatsu wrote it.
    """
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied REAL NOT NULL)"
    )
    (version,) = connection.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchone()
    if version > len(MIGRATIONS):
        raise DataUnusable(
            f"the data was written by a newer Kotatsu (its schema is {version}, known is {len(MIGRATIONS)})"
        )
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(
            f"BEGIN IMMEDIATE; {script} INSERT INTO migrations VALUES ({number}, {time.time()}); COMMIT;"
        )
