"""Check the whole tree: one line for each thing that is wrong."""

from __future__ import annotations

import sys

from tests.tools.doors import python, typescript
from tests.tools.doors.check import problems
from tests.tools.doors.declaration import read


def main() -> int:
    """What is wrong goes to standard output; gives 1 if anything is, else 0."""
    declared = read()
    found = problems("python", declared, python.tree()) + problems("typescript", declared, typescript.tree())
    sys.stdout.writelines(f"{problem}\n" for problem in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
