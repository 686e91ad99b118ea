"""Where the motion of every turn is kept for its replay: one small file each."""

from __future__ import annotations

import re
from pathlib import Path

_SAFE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class MotionFiles:
    """A folder of them; ``None`` keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def keep(self, table: str, turn: int, motion: bytes) -> None:
        """Write one down; all of it or nothing."""
        path = self._path(table, turn)
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".new")
        unfinished.write_bytes(motion)
        unfinished.replace(path)

    def read(self, table: str, turn: int) -> bytes | None:
        """One of them, if it is there."""
        path = self._path(table, turn)
        return path.read_bytes() if path is not None and path.is_file() else None

    def _path(self, table: str, turn: int) -> Path | None:
        if self._folder is None or not _SAFE.fullmatch(table) or turn < 0:
            return None
        return self._folder / table / f"{turn}.motion"
