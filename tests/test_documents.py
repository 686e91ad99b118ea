"""Whatever the documents name exists: files, modules, classes, `make` targets, commands."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from kotatsu.cli.main import main

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "requirements/README.md")
] + sorted((ROOT / "docs").rglob("*.md"))
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]+)?\)")
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"[\w.-]+(?:/[\w.<>*-]+)+/?|[\w-]+\.(?:py|ts|md|toml|json|svelte|txt|yaml)")
MODULE = re.compile(r"kotatsu(?:\.(?!sqlite3)[a-z_]\w*)+")
CLASS = re.compile(r"(?:[A-Z][a-z0-9]+){2,}")
OF_OTHERS = {
    # names of other projects' and of the platform's own things
    "SystemRandom", "IllegalAction", "PlackettLuce", "MaskablePPO", "MessagePack", "PettingZoo", "OpenSpiel",
    "HttpOnly", "SameSite", "WebSocket", "OpenAPI", "TypeScript", "JavaScript", "GitHub", "MuJoCo",
}  # fmt: skip
MADE = (
    "data/",
    "dist/",
    "site/",
    "api/",
    "schema/",
    "replay/",
    "kotatsu/",
    "t/",
    "big/",
    "how/",
    "bin/",
    "metrics",
)
"""What begins so is made at run time, or is an address or a route rather than a file."""


@cache
def class_names() -> frozenset[str]:
    """Every class, type and component of the tree."""
    found = set()
    for file in [*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/**/*.py")]:
        tree = ast.parse(file.read_text("utf-8"))
        found |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        found |= {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
    for file in [*ROOT.glob("web/src/**/*.ts"), *ROOT.glob("src/kotatsu/games/*/web/**/*.ts")]:
        found |= set(re.findall(r"export (?:interface|type|class|const) (\w+)", file.read_text("utf-8")))
    return frozenset(found | {file.stem for file in ROOT.glob("web/src/**/*.svelte")})


@cache
def tracked() -> frozenset[str]:
    """Every committed file and its folders, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    files = listed.stdout.split() or [str(file.relative_to(ROOT)) for file in ROOT.rglob("*")]
    return frozenset(files) | {str(parent) for file in files for parent in Path(file).parents}


def exists(path: str, document: Path) -> bool:
    """Whether a path of a document leads somewhere: from the root, beside the document, or by its end."""
    plain = path.rstrip("/")
    placeholders = re.sub(r"<\w+>|\\\*", "[^/]+", re.escape(plain))
    pattern = re.compile(rf"(?:.*/)?{placeholders}$")
    beside = (document.parent / plain).resolve()
    return beside.exists() or any(pattern.match(each) for each in tracked())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_names_exists(document: Path) -> None:
    text = BLOCK.sub("", document.read_text("utf-8"))
    missing = [link for link in LINK.findall(text) if "://" not in link and not exists(link, document)]
    for code in CODE.findall(text):
        if PATH.fullmatch(code) and not code.startswith(MADE) and not exists(code, document):
            missing.append(code)
        if MODULE.fullmatch(code) and not is_importable(code):
            missing.append(code)
        if CLASS.fullmatch(code) and code not in class_names() | OF_OTHERS:
            missing.append(code)
    assert not missing, f"{document.name} names what is not there: {', '.join(missing)}"


def is_importable(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = find_spec(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        if found is not None and found.origin:
            rest = parts[length:]
            return not rest or re.search(rf"\b{rest[0]}\b", Path(found.origin).read_text("utf-8")) is not None
        if found is not None:
            return length == len(parts)
    return False


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_a_document_are_there(document: Path) -> None:
    text = document.read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    asked = set(re.findall(r"(?:`|^)make ([a-z]+)\b", text, re.MULTILINE))
    assert asked <= targets, f"no such target: {', '.join(sorted(asked - targets))}"
    commands = set(re.findall(r"(?:`|^)kotatsu ([a-z][a-z-]+)\b", text, re.MULTILINE))
    assert commands <= set(main.commands), (
        f"no such command: {', '.join(sorted(commands - set(main.commands)))}"
    )


@pytest.mark.parametrize(
    "text",
    ["`src/kotatsu/nowhere.py`", "`kotatsu.nowhere.at_all`", "`NoSuchClassAnywhere`", "[x](nowhere.md)"],
)
def test_what_is_not_there_is_noticed(text: str, tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(text)
    with pytest.raises(AssertionError, match="names what is not there"):
        test_what_a_document_names_exists(document)
