"""Backup of a data directory to one file while the server runs, and restore into an empty directory.

The file is a compressed tar archive of the database as it was at one moment, of the key that signs the
visitors' cookies, so that after a restore every browser is still the same visitor, and of the recorded
motions of real-time turns, which are only needed to replay them.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from kotatsu.store.contract import DataUnusable
from kotatsu.store.lock import DataLock

DATABASE = "kotatsu.sqlite3"
SECRET = "secret.key"
MOTIONS = "motions"
_MOTION = re.compile(rf"{MOTIONS}/[A-Za-z0-9_-]{{1,64}}/\d{{1,9}}\.motion")
_PAGES_PER_STEP = 1_000
"""Database pages copied between two reports of progress: about 4 MB. Chosen by hand for a smooth bar."""

_BYTES_PER_READ = 1 << 20
"""A megabyte is read at a time where only the checksum matters. Chosen by hand: few reads, little memory."""

BackupProgress = Callable[[int, int], None]
"""Called with the number of database pages copied so far and the number of pages in all."""


def back_up(data: Path, file: Path, progress: BackupProgress | None = None) -> None:
    """Write the data directory to one file. Blocks; a server may go on writing to the directory.

    Args:
        data: the data directory.
        file: the archive to create; it appears under this name only when it is complete.
        progress: called from time to time while the database is copied.

    Raises:
        DataUnusable: there is no database, it is damaged, or ``file`` cannot be written.
    """
    if not (data / DATABASE).is_file():
        raise DataUnusable(f"there is no Kotatsu data in {data}")
    if file.exists():
        raise DataUnusable(f"{file} is already there; choose another name")
    try:
        with TemporaryDirectory(dir=file.parent, prefix=".kotatsu-backup-") as scratch:
            copy, archive = Path(scratch, DATABASE), Path(scratch, "archive")
            _copy_database(data / DATABASE, copy, progress)
            with tarfile.open(archive, "w:gz") as tar:
                tar.add(copy, DATABASE)
                if (data / SECRET).is_file():
                    tar.add(data / SECRET, SECRET)
                for motion in sorted((data / MOTIONS).glob("*/*.motion")):
                    tar.add(motion, motion.relative_to(data).as_posix())
            with archive.open("rb") as whole:
                os.fsync(whole.fileno())
            archive.chmod(0o600)
            archive.rename(file)
    except (OSError, sqlite3.Error) as error:
        raise DataUnusable(f"cannot back up {data} to {file}: {error}") from None


def restore(file: Path, data: Path) -> None:
    """Unpack the backup ``file`` into the directory ``data``, which must not hold a database yet. Blocks.

    Raises:
        DataUnusable: the file is not a backup or is damaged, the directory is in use or already has games.
    """
    lock = DataLock(data)
    try:
        if (data / DATABASE).exists():
            raise DataUnusable(f"{data} already has games; restore into an empty directory")
        with TemporaryDirectory(dir=data, prefix=".kotatsu-restore-") as scratch:
            _unpack(file, Path(scratch))
            _check(Path(scratch, DATABASE))
            for name in (MOTIONS, SECRET, DATABASE):  # the database last: with it the restore is done
                if Path(scratch, name).exists():
                    Path(scratch, name).rename(data / name)
    except (OSError, tarfile.TarError, zlib.error, KeyError, EOFError) as error:
        if isinstance(error, DataUnusable):
            raise
        raise DataUnusable(f"{file} is not a backup of Kotatsu: {error}") from None
    finally:
        lock.release()


def _copy_database(source: Path, target: Path, progress: BackupProgress | None) -> None:
    """SQLite's online backup: consistent although the server goes on writing."""
    reading = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, timeout=10)
    writing = sqlite3.connect(target)
    try:

        def report(_status: int, left: int, total: int) -> None:
            if progress is not None:
                progress(total - left, total)

        reading.execute("BEGIN")  # a read transaction: pages written meanwhile do not restart the copy
        reading.execute("SELECT count(*) FROM migrations").fetchone()
        reading.backup(writing, pages=_PAGES_PER_STEP, progress=report)
        reading.rollback()
    finally:
        writing.close()
        reading.close()


def _unpack(file: Path, scratch: Path) -> None:
    with tarfile.open(file, "r:*") as tar:
        names = {DATABASE, *tar.getnames()}
        for name in ({DATABASE, SECRET} & names) | set(filter(_MOTION.fullmatch, names)):
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            content = tar.extractfile(name)
            if content is None:
                raise tarfile.ReadError(f"{name} in it is not a file")
            with os.fdopen(os.open(scratch / name, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as target:
                shutil.copyfileobj(content, target)
        while tar.fileobj is not None and tar.fileobj.read(_BYTES_PER_READ):
            pass  # to the end of the file: only there gzip compares its checksum


def _check(database: Path) -> None:
    connection = sqlite3.connect(database)
    try:
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
        connection.execute("SELECT count(*) FROM log").fetchone()
    except (sqlite3.Error, UnicodeError) as error:
        raise DataUnusable(f"the backup is damaged: {error}") from None
    finally:
        connection.close()
    if verdict != "ok":
        raise DataUnusable(f"the backup is damaged: {verdict}")
