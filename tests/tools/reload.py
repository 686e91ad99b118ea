"""``python -m tests.tools.reload serve …``: ``kotatsu serve``, started anew whenever a file of the house changes."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src" / "kotatsu"
SUFFIXES = {".py", ".json", ".md"}
LOOK_EVERY_S = 0.5


def newest(folder: Path) -> float:
    """When anything in a folder changed last."""
    files = (path for path in folder.rglob("*") if path.suffix in SUFFIXES and "site" not in path.parts)
    return max((path.stat().st_mtime for path in files if path.exists()), default=0.0)


def main(arguments: list[str]) -> None:
    """Run until interrupted. A server that fails is tried again after the next change."""
    while True:
        seen = newest(SOURCES)
        server = subprocess.Popen([sys.executable, "-m", "kotatsu", *arguments])
        try:
            while newest(SOURCES) <= seen:
                time.sleep(LOOK_EVERY_S)
            sys.stderr.write("Something changed: starting anew …\n")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(0)
