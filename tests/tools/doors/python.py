"""What Python files import: anywhere in a file, in functions and for types only as well."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from tests.tools.doors.check import Import, Tree
from tests.tools.doors.declaration import ROOT

PACKAGE = "kotatsu"
SOURCES = ROOT / "src" / PACKAGE
AT_RUN_TIME = "importlib.import_module"
"""What is imported by a name that is only known at run time: open to whoever may import that function."""


def tree() -> Tree:
    """Every Python file of the house with its imports."""
    paths = {path.relative_to(ROOT).as_posix(): path for path in SOURCES.rglob("*.py")}
    files = frozenset(paths)
    return Tree(files, {file: imports(file, path.read_text("utf-8"), files) for file, path in paths.items()})


def imports(file: str, source: str, files: Collection[str]) -> list[Import]:
    """What one file imports; ``files`` are those an import can lead to."""
    found = []
    for line, names in _statements(file, ast.parse(source, file)):
        for name in names:
            target = _target(name, files) if name.split(".")[0] == PACKAGE else None
            found.append(Import(line, name, target))
    return found


def _statements(file: str, module: ast.Module) -> Iterator[tuple[int, list[str]]]:
    """Each import with its line and the full names it asks for."""
    for node in ast.walk(module):
        match node:
            case ast.Import(names=aliases):
                yield node.lineno, [alias.name for alias in aliases]
            case ast.ImportFrom(module=base, names=aliases, level=level):
                # One dot is the folder of the file, each further one the folder around it.
                here = file.removeprefix("src/").split("/")[:-level] if level else []
                start = ".".join([*here, *([base] if base else [])])
                yield node.lineno, [f"{start}.{alias.name}" for alias in aliases]
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=arguments,
            ):
                match arguments:
                    case [ast.Constant(value=str(name)), *_]:
                        yield node.lineno, [name]
                    case _:
                        yield node.lineno, [AT_RUN_TIME]


def _target(name: str, files: Collection[str]) -> str:
    """The file of a module, or of the one a name comes from."""
    parts = name.split(".")
    while len(parts) > 1:
        path = "src/" + "/".join(parts)
        for file in (f"{path}.py", f"{path}/__init__.py"):
            if file in files:
                return file
        parts.pop()
    return f"src/{PACKAGE}/__init__.py"
