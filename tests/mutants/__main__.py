"""Make mutants of the code, run the tests that reach each, and list those that survive.

``python -m tests.mutants`` draws a share of them from every package; ``--all`` runs every one. The tool is mutmut
(``requirements/mutants.txt``, which ``make mutants`` installs); its settings are in ``pyproject.toml``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

from tests.mutants.judging import Mutant, drawn, known_survivors, mutant, report, set_aside

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "mutants"
SURVIVORS = Path(__file__).with_name("SURVIVORS.md")
SHARE = 0.15
SEED = 1
ENOUGH = 0.85
NOT_DRAWN = 34
"""What mutmut calls a mutant that is not to be run."""
LEFT_OUT = (
    "kotatsu.store.contract.xǁStoreǁ",  # a protocol: nobody runs it
    "kotatsu.worlds.worker.x_main__",  # the loop of a process: only a whole process can try it, and its tests do
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print the survivors and the score; 1 if it is not enough."""
    asked = _parser().parse_args(arguments)
    os.chdir(ROOT)
    _generate(asked.processes)
    mutants = _mutants(asked.packages)
    if not mutants:
        sys.exit(f"there are no mutants of {', '.join(asked.packages)}")
    counted = [each for each in mutants if set_aside(each) is None]
    chosen = counted if asked.all else drawn(counted, asked.share, asked.seed)
    _say(
        f"{len(mutants)} mutants, {len(mutants) - len(counted)} of them only of words; {len(chosen)} are run"
    )
    _leave_out_all_but({each.name for each in chosen})
    subprocess.run([_mutmut(), "run", "--max-children", str(asked.processes)], check=True)
    known = known_survivors(SURVIVORS.read_text(encoding="utf-8"))
    lines, share = report(chosen, _codes(), known, all_of_them=len(counted))
    _say(*lines)
    return 0 if share >= ENOUGH else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", help="engine, store, tables, server.guard …; all without any")
    parser.add_argument("--all", action="store_true", help="every mutant, not a sample")
    parser.add_argument("--share", type=float, default=SHARE, help="of each package (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the sample (%(default)s)")
    parser.add_argument(
        "--processes", type=int, default=max(1, os.cpu_count() or 1), help="at a time (%(default)s)"
    )
    return parser


def _generate(processes: int) -> None:
    """Write a copy of the code with all its mutants beside it."""
    from mutmut.__main__ import create_mutants
    from mutmut.utils.file_utils import copy_src_dir

    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir()
    copy_src_dir()
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # it names every file
        create_mutants(processes)


def _mutants(packages: Sequence[str]) -> list[Mutant]:
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    wanted = tuple(f"kotatsu.{package}." for package in packages) or ("",)
    names = [name for name in _codes() if name.startswith(wanted) and not name.startswith(LEFT_OUT)]
    return [mutant(name, get_diff_for_mutant(name)) for name in names]


def _codes() -> dict[str, int | None]:
    """The exit code of every mutant's run, ``None`` before it."""
    found: dict[str, int | None] = {}
    for page in sorted(PLACE.rglob("*.meta")):
        found.update(json.loads(page.read_text())["exit_code_by_key"])
    return found


def _leave_out_all_but(names: set[str]) -> None:
    for page in PLACE.rglob("*.meta"):
        known = json.loads(page.read_text())
        known["exit_code_by_key"] = {
            name: None if name in names else NOT_DRAWN for name in known["exit_code_by_key"]
        }
        page.write_text(json.dumps(known))


def _mutmut() -> str:
    return str(Path(sys.executable).with_name("mutmut"))


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
