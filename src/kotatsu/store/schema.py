"""The schema of the SQLite file and the migrations that bring an older file to it."""

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
    """
    ALTER TABLE visitors ADD COLUMN avatar TEXT NOT NULL DEFAULT '';
    ALTER TABLE seats ADD COLUMN avatar TEXT NOT NULL DEFAULT '';
    ALTER TABLE seats ADD COLUMN guest INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN watchable INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE tables ADD COLUMN patience REAL NOT NULL DEFAULT 120.0;
    ALTER TABLE tables ADD COLUMN rematch TEXT REFERENCES tables (id);
    ALTER TABLE tables ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX tables_in_lobby ON tables (created) WHERE listed AND status = 'gathering';
    CREATE INDEX tables_unrated ON tables (updated) WHERE status = 'over' AND NOT rated;

    CREATE TABLE codes (
        code    TEXT PRIMARY KEY,
        visitor TEXT NOT NULL UNIQUE,
        until   REAL NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE sayings (
        table_id TEXT NOT NULL REFERENCES tables (id),
        number   INTEGER NOT NULL,
        at       REAL NOT NULL,
        visitor  TEXT NOT NULL,
        name     TEXT NOT NULL,
        text     TEXT NOT NULL,
        seat     INTEGER,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
    CREATE INDEX sayings_by_visitor ON sayings (visitor);

    CREATE TABLE blocks (
        number  INTEGER PRIMARY KEY,
        visitor TEXT NOT NULL,
        other   TEXT NOT NULL,
        name    TEXT NOT NULL,
        at      REAL NOT NULL,
        UNIQUE (visitor, other)
    );

    CREATE TABLE ratings (
        game   TEXT NOT NULL,
        player TEXT NOT NULL,
        mu     REAL NOT NULL,
        sigma  REAL NOT NULL,
        games  INTEGER NOT NULL,
        PRIMARY KEY (player, game)
    ) WITHOUT ROWID;
    """,
    # Keyed by table number, the new rows of tables played at the same time lie on few pages; keyed by the
    # tables' random ids, almost every row would be on a page of its own to write.
    """
    ALTER TABLE tables ADD COLUMN number INTEGER;
    UPDATE tables SET number = ranked.number
    FROM (SELECT id, row_number() OVER (ORDER BY created, id) AS number FROM tables) AS ranked
    WHERE ranked.id = tables.id;
    CREATE UNIQUE INDEX tables_by_number ON tables (number);

    ALTER TABLE log RENAME TO log_by_id;
    CREATE TABLE log (
        table_number INTEGER NOT NULL REFERENCES tables (number),
        seq          INTEGER NOT NULL,
        at           REAL NOT NULL,
        seat         INTEGER,
        command_id   TEXT,
        entries      TEXT NOT NULL,
        UNIQUE (table_number, seq)
    );
    INSERT INTO log (table_number, seq, at, seat, command_id, entries)
    SELECT number, seq, at, seat, command_id, entries
    FROM log_by_id JOIN tables ON tables.id = log_by_id.table_id
    ORDER BY log_by_id.rowid;
    DROP TABLE log_by_id;
    """,
)
"""SQL scripts, each applied once and in order. Never change one that was released: add to the end."""


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the migrations a database, new or old, does not have yet, each in a transaction. Blocks.

    Args:
        connection: open for writing, in autocommit mode.

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
