"""A house's memory in one file: taken while the server runs, put back into an empty data directory.

The file is a tar archive of the database as it was at one moment, of the secret that signs the visitors'
cookies, so that after a restore everybody is still who they were, and of the motions of turns that were
played in a world, which nothing but their replay needs.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tarfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from kotatsu.store.contract import DataUnusable
from kotatsu.store.lock import DataLock

DATABASE = "kotatsu.sqlite3"
SECRET = "secret.key"
MOTIONS = "motions"
_MOTION = re.compile(rf"{MOTIONS}/[A-Za-z0-9_-]{{1,64}}/\d{{1,9}}\.motion")
_PAGES_AT_ONCE = 1_000

BackupProgress = Callable[[int, int], None]
"""How far it is: pages copied, pages in all."""


def back_up(data: Path, file: Path, told: BackupProgress | None = None) -> None:
    """Write everything in ``data`` to ``file``, which appears only when it is whole.

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
            _copy_database(data / DATABASE, copy, told)
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
    """Put a backup into a data directory that has no games yet.

    Raises:
        DataUnusable: the file is no backup, the directory is in use or already has games.
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
    except (OSError, tarfile.TarError, KeyError, EOFError) as error:
        if isinstance(error, DataUnusable):
            raise
        raise DataUnusable(f"{file} is not a backup of Kotatsu: {error}") from None
    finally:
        lock.release()


def _copy_database(source: Path, target: Path, told: BackupProgress | None) -> None:
    """SQLite's own online copy: consistent, though the server goes on writing."""
    reading = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, timeout=10)
    writing = sqlite3.connect(target)
    try:

        def progress(_status: int, left: int, total: int) -> None:
            if told is not None:
                told(total - left, total)

        reading.execute("BEGIN")  # one moment: pages written meanwhile do not start the copy over
        reading.execute("SELECT count(*) FROM migrations").fetchone()
        reading.backup(writing, pages=_PAGES_AT_ONCE, progress=progress)
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


def _check(database: Path) -> None:
    connection = sqlite3.connect(database)
    try:
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
        connection.execute("SELECT count(*) FROM log").fetchone()
    except sqlite3.Error as error:
        raise DataUnusable(f"the backup is damaged: {error}") from None
    finally:
        connection.close()
    if verdict != "ok":
        raise DataUnusable(f"the backup is damaged: {verdict}")
