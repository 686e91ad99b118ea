"""A real server in a process of its own, with its own data directory; it can be killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

OPEN_AT = "Kotatsu is open at "
PATIENCE_S = 60
QUICK = {"KOTATSU_PACE": "0", "KOTATSU_WARM_UP": "false", "KOTATSU_BOT_WORKERS": "1"}


class ServerProcess:
    """``address`` stays the same over restarts, so a browser finds its way back.

    ``environment`` is added to the server's: ``KOTATSU_PACE`` and the other settings, ``KOTATSU_GAMES``.
    """

    def __init__(self, folder: Path, environment: dict[str, str] | None = None) -> None:
        self.data = folder / "data"
        self.address = ""
        self._errors = folder / "stderr.txt"
        self._environment = {**os.environ, **QUICK, **(environment or {})}
        self._port = 0
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait until it says where it is open."""
        assert self._process is None, "the house is already open"
        command = [sys.executable, "-m", "kotatsu", "serve", "--no-open"]
        command += ["--port", str(self._port), "--data", str(self.data)]
        with self._errors.open("a") as errors:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=self._environment
            )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said.startswith(OPEN_AT):
            self.kill()
            raise AssertionError(f"the house did not open: {said}{self._errors.read_text()}")
        self.address = said.removeprefix(OPEN_AT).split()[0].rstrip("/")
        self._port = int(self.address.rpartition(":")[2])

    def pause(self) -> None:
        """Stop in the middle of whatever it does: it listens to nobody any more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """As a power cut would: without a goodbye."""
        self._end(signal.SIGKILL)

    def close(self) -> None:
        """As Ctrl-C does."""
        self._end(signal.SIGINT)

    def stop(self) -> None:
        """As a service manager does for a new version."""
        self._end(signal.SIGTERM)

    def complaints(self) -> str:
        """All it has written to its standard error so far."""
        return self._errors.read_text()

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        process.wait(PATIENCE_S)
        assert process.stdout is not None
        process.stdout.close()
