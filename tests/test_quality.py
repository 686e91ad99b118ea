"""The house's own order: linters, types, and what may not be in a committed file."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOREIGN = re.compile(r"registry\.npmjs|pypi\.org|pythonhosted|(?<![\w.])/(?:home|root|work|Users)/\w")


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def text_of(path: Path) -> str:
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode()


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=["lint", "format"])
def test_ruff(command: list[str]) -> None:
    run(sys.executable, "-m", "ruff", *command, "--no-cache", ".")


def test_mypy() -> None:
    run(sys.executable, "-m", "mypy")


def test_no_registry_and_no_machine_path_in_a_committed_file() -> None:
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git checkout: which files are committed cannot be told")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    found = []
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = ROOT / name
        if path.suffix in {".jpg", ".png", ".woff2", ".ico"} or not path.is_file() or path == Path(__file__):
            continue
        found += [
            f"{name}:{number}: {line.strip()[:120]}"
            for number, line in enumerate(text_of(path).splitlines(), 1)
            if FOREIGN.search(line)
        ]
    assert not found, "\n".join(found)
