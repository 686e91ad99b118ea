"""Which mutants are worth a run, which of them to draw, and what the counts say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from random import Random

import msgspec

from kotatsu.engine.balancing import wilson

KILLED = frozenset({1, 3, 36, 24, -24, 152, 255, -9, -11})
"""Exit codes of a run in which a test failed, pytest broke, time ran out or the process went down."""

_LITERAL = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")
_SENTENCE = re.compile(r"[^\W\d_]{2,}\W* (?:.* )?[^\W\d_]{2,}")
_SQL = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|VALUES|WHERE|PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|FROM)\b"
)


class Mutant(msgspec.Struct, frozen=True):
    """One change to one function: ``old`` became ``new``. ``name`` is what the tool calls it."""

    name: str
    package: str
    function: str
    old: str
    new: str

    @property
    def key(self) -> str:
        """How it is called in ``SURVIVORS.md``: names of the tool change with every edit, this with the line alone."""
        return f"{self.function}: {self.old} → {self.new}"


def mutant(name: str, diff: str) -> Mutant:
    """A mutant from its name, ``kotatsu.seats.presence.xǁPresenceǁaway__mutmut_3``, and its diff."""
    module, _, mangled = name.rpartition(".")
    function = mangled.partition("__mutmut_")[0].removeprefix("x").lstrip("_").replace("ǁ", ".").strip(".")
    if mangled.startswith("x__"):
        function = "_" + function
    lines = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    old = " ".join(line[1:].strip() for line in lines if line.startswith("-"))
    new = " ".join(line[1:].strip() for line in lines if line.startswith("+"))
    path = module.removeprefix("kotatsu.")
    package = path if path.startswith("server.") else path.partition(".")[0]
    return Mutant(name, package, f"{path}.{function}", old, new)


def set_aside(each: Mutant) -> str | None:
    """Why a mutant is not counted: it changes nothing but words for people, or letters that SQL reads alike."""
    literal = _changed_literal(each.old, each.new)
    if literal is None:
        return None
    old, new = literal
    if _SQL.search(old):
        alike = old.lower() == new.lower() and _constants(old) == _constants(new)
        return "SQL reads capitals and small letters alike" if alike else None
    return "the wording of a sentence" if _SENTENCE.search(old) else None


def _changed_literal(old: str, new: str) -> tuple[str, str] | None:
    """The text that differs, where two lines differ in the letters of one text alone."""
    before, after = _LITERAL.findall(old), _LITERAL.findall(new)
    if _LITERAL.sub("", old) != _LITERAL.sub("", new) or len(before) != len(after):
        return None
    differing = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1:
        return None
    (one, other) = differing[0]
    if one.lower() != other.lower() and one[1:-1] != other[1:-1].removeprefix("XX").removesuffix("XX"):
        return None
    return one[1:-1], other[1:-1]


def _constants(sql: str) -> list[str]:
    return re.findall(r"'[^']*'", sql)


def drawn(mutants: Iterable[Mutant], share: float, seed: int) -> list[Mutant]:
    """The same share of every package, at least one, always the same for the same seed."""
    packages: dict[str, list[Mutant]] = {}
    for each in mutants:
        packages.setdefault(each.package, []).append(each)
    chosen: list[Mutant] = []
    for package, all_of_it in sorted(packages.items()):
        rng = Random(f"{seed} {package}")
        chosen += rng.sample(sorted(all_of_it, key=lambda each: each.key), ceil(share * len(all_of_it)))
    return chosen


def known_survivors(page: str) -> set[str]:
    """The mutants a page lists as not worth killing: lines ``- `function: old → new` — reason``."""
    return {found[1] for found in re.findall(r"^- (`+)(.+ → .*)\1 — ", page, re.MULTILINE)}


def report(
    tried: Sequence[Mutant], codes: Mapping[str, int | None], known: set[str], *, all_of_them: int
) -> tuple[list[str], float]:
    """Lines for people, and the share of mutants that were killed.

    Args:
        tried: the mutants that were run.
        codes: the exit code of each, by name.
        known: keys of survivors that were judged already.
        all_of_them: how many there were to draw from.
    """
    lines, by_package = [], dict[str, list[int]]()
    survivors = []
    for each in tried:
        killed = codes.get(each.name) in KILLED
        by_package.setdefault(each.package, []).append(killed)
        if not killed:
            survivors.append(each)
    for package, results in sorted(by_package.items()):
        lines.append(
            f"{package:16} {sum(results):5} of {len(results):5} killed  {100 * sum(results) / len(results):5.1f} %"
        )
    for each in survivors:
        mark = " " if each.key in known else "*"
        lines.append(f"{mark} {each.key}")
    count = len(tried) - len(survivors)
    share = count / len(tried) if tried else 0.0
    new = sum(each.key not in known for each in survivors)
    lines.append(f"{len(survivors)} survivors, {new} of them (*) not in tests/mutants/SURVIVORS.md")
    low, high = wilson(share, len(tried))
    drawn_from = (
        f"; drawn from {all_of_them}: {100 * low:.1f} to {100 * high:.1f} %"
        if len(tried) < all_of_them
        else ""
    )
    lines.append(f"score: {100 * share:.1f} % ({count} of {len(tried)} killed{drawn_from})")
    return lines, share
