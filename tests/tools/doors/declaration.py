"""What ``doors.toml`` says: the packages of each language, what they hold and what they may import."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

ROOT = Path(__file__).parents[3]
FILE = ROOT / "doors.toml"

Language = Literal["python", "typescript"]


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry: files or folders (a ``*`` stands for the name of a game), and the doors that are open to it."""

    owns: str
    holds: tuple[str, ...]
    imports: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


class Owner(NamedTuple):
    """The package a file belongs to. Of a package with a star there is one for each game."""

    package: str
    game: str

    @property
    def name(self) -> str:
        return self.package.replace("*", self.game)


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All of ``doors.toml``."""

    free: dict[str, tuple[str, ...]]
    """What files of a name may import from outside, whatever their package."""
    python: dict[str, Package]
    typescript: dict[str, Package]

    def packages(self, language: Language) -> Mapping[str, Package]:
        return self.python if language == "python" else self.typescript

    def freely(self, file: str) -> list[str]:
        """What a file may import from outside by its name alone."""
        return [name for pattern, names in self.free.items() if fnmatchcase(file, pattern) for name in names]

    def owner(self, language: Language, file: str) -> Owner | None:
        """The package that holds a file, the closest where several do; ``None`` if none is declared."""
        found = self._holder(language, file)
        return found[0] if found else None

    def unheld(self, language: Language, files: Iterable[str]) -> list[tuple[str, str]]:
        """Packages with something they are said to hold that is not there, or is held by another one."""
        held = {(found[0].package, found[1]) for file in files if (found := self._holder(language, file))}
        return [
            (name, path)
            for name, package in self.packages(language).items()
            for path in package.holds
            if (name, path) not in held
        ]

    def _holder(self, language: Language, file: str) -> tuple[Owner, str] | None:
        """The package that holds a file, and by which of its paths."""
        known = self._known[language]
        if file not in known:
            known[file] = self._search(language, tuple(file.split("/")))
        return known[file]

    def _search(self, language: Language, parts: tuple[str, ...]) -> tuple[Owner, str] | None:
        for pattern, package in self._patterns[language]:
            # A star at the end is a folder, not a file beside the folders.
            if len(pattern) + (pattern[-1] == "*") <= len(parts) and all(map(fnmatchcase, parts, pattern)):
                game = parts[pattern.index("*")] if "*" in pattern else ""
                return Owner(package, game), "/".join(pattern)
        return None

    def is_open(self, language: Language, importing: Owner, imported: Owner) -> bool:
        """Whether one package may import another. A game's packages never reach those of another game."""
        if importing == imported:
            return True
        same_game = importing.game == imported.game or not (importing.game and imported.game)
        return same_game and imported.package in self.packages(language)[importing.package].imports

    @cached_property
    def _known(self) -> Mapping[Language, dict[str, tuple[Owner, str] | None]]:
        """What was asked of ``_holder`` so far."""
        return {"python": {}, "typescript": {}}

    @cached_property
    def _patterns(self) -> Mapping[Language, list[tuple[tuple[str, ...], str]]]:
        """What is held, split at its slashes, the longest first and, of the same length, names before stars."""
        return {"python": _patterns(self.python), "typescript": _patterns(self.typescript)}


def _patterns(packages: Mapping[str, Package]) -> list[tuple[tuple[str, ...], str]]:
    found = [(tuple(held.split("/")), name) for name, package in packages.items() for held in package.holds]
    return sorted(found, key=lambda each: (-len(each[0]), sum("*" in part for part in each[0]), each[0]))


def read(file: Path = FILE) -> Declaration:
    """Read the declaration; raises ``msgspec.ValidationError`` for whatever does not belong into it."""
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Declaration)
