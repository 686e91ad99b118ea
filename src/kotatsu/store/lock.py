"""A lock file: only one server at a time uses a data directory.

The operating system releases the lock when its process ends, however it ends.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from kotatsu.store.contract import DataUnusable

if sys.platform == "win32":
    import msvcrt

    def _lock_file(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock_file(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class DataLock:
    """An exclusive lock on a data ``directory``, created if needed; held from construction to ``release``.

    Raises:
        DataUnusable: the directory cannot be written to, or another server has it.
    """

    def __init__(self, directory: Path) -> None:
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(directory / "kotatsu.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DataUnusable(f"cannot write to the data directory {directory}: {error.strerror}") from None
        try:
            _lock_file(self._descriptor)
        except OSError:
            os.close(self._descriptor)
            raise DataUnusable(f"another server is already using the data directory {directory}") from None

    def release(self) -> None:
        """Release the lock; call it once."""
        os.close(self._descriptor)
