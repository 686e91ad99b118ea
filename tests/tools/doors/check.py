"""Imports against the declaration: closed doors, undeclared packages, and open doors nobody uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tests.tools.doors.declaration import Declaration, Language, Package


class Import(NamedTuple):
    """One imported name: where, as it is written, and the file of the house it leads to, if it is one of ours."""

    line: int
    name: str
    target: str | None


class Tree(NamedTuple):
    """The code of one language: all files an import may lead to, and the imports of those that import."""

    files: frozenset[str]
    imports: Mapping[str, Sequence[Import]]


def covers(opened: str, name: str) -> bool:
    """Whether an opened module is the imported one or has it inside: ``os`` covers ``os.path``."""
    return name == opened or name.startswith((f"{opened}.", f"{opened}/"))


def problems(language: Language, declared: Declaration, tree: Tree) -> list[str]:
    """One line for each thing that is wrong, imports first; empty if all is well."""
    packages = declared.packages(language)
    found: list[str] = []
    walked: set[tuple[str, str]] = set()
    for file, imports in sorted(tree.imports.items()):
        importing = declared.owner(language, file)
        if importing is None:
            found.append(f"{file}: no package of doors.toml holds this file; declare one under [{language}]")
            continue
        entry = f"doors.toml, {_heading(language, importing.package)}"
        outside, free = packages[importing.package].outside, declared.freely(file)
        for line, name, target in imports:
            where = f"{file}:{line}: {importing.name} imports"
            if target is None:
                opened = [each for each in outside if covers(each, name)]
                walked |= {(importing.package, each) for each in opened}
                if not opened and not any(covers(each, name) for each in free):
                    found.append(f"{where} {name} from outside, which is not among “outside” in {entry}")
            elif (imported := declared.owner(language, target)) is None:
                found.append(f"{where} {target} ({name}), which no package of doors.toml holds")
            elif declared.is_open(language, importing, imported):
                walked.add((importing.package, imported.package))
            else:
                found.append(f"{where} {imported.name} ({name}), which is not among “imports” in {entry}")
    found += [
        f"doors.toml, {_heading(language, name)}: {path} holds nothing"
        for name, path in declared.unheld(language, tree.files)
    ]
    for name, package in packages.items():
        entry = f"doors.toml, {_heading(language, name)}"
        found += [f"{entry}: {door} is declared nowhere" for door in package.imports if door not in packages]
        found += [
            f"{entry}: {door} is open and nothing in {name} imports it; close it"
            for door in (*package.imports, *package.outside)
            if (name, door) not in walked and (door in packages or door in package.outside)
        ]
    found += [
        f"doors.toml, [{language}]: {' → '.join(cycle)} is a cycle; dependencies point one way"
        for cycle in _cycles(packages)
    ]
    return found


def _heading(language: Language, package: str) -> str:
    return f"[{language}.{package}]" if package.isidentifier() else f'[{language}."{package}"]'


def _cycles(packages: Mapping[str, Package]) -> Iterator[list[str]]:
    """Ways that lead from a package through open doors back to itself, each found once."""
    done: set[str] = set()
    way: list[str] = []

    def walk(name: str) -> Iterator[list[str]]:
        if name in way:
            yield [*way[way.index(name) :], name]
        elif name not in done:
            way.append(name)
            for door in packages[name].imports:
                if door in packages:
                    yield from walk(door)
            done.add(way.pop())

    for name in packages:
        yield from walk(name)
