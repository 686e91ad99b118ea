"""The recorded motion of every real-time turn, kept for replay: one file each, about 25 kB for a minute."""

from __future__ import annotations

import re
from pathlib import Path

_SAFE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class MotionFiles:
    """The motions in a ``folder``; with ``None`` nothing is kept. All methods block on the disk.

    ``table`` is a table's id and ``turn`` the number of a turn in its game.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def keep(self, table: str, turn: int, motion: bytes) -> None:
        """Write the ``motion`` of a ``turn``; the file appears only when it is complete."""
        path = self._path(table, turn)
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".new")
        unfinished.write_bytes(motion)
        unfinished.replace(path)

    def read(self, table: str, turn: int) -> bytes | None:
        """Return the motion of a ``turn``; ``None`` if there is none."""
        path = self._path(table, turn)
        return path.read_bytes() if path is not None and path.is_file() else None

    def _path(self, table: str, turn: int) -> Path | None:
        if self._folder is None or not _SAFE.fullmatch(table) or turn < 0:
            return None
        return self._folder / table / f"{turn}.motion"
