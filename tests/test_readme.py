"""What the README and the docstrings promise in Python is run as it stands there."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import kotatsu

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples_in_documents(document: Path) -> None:
    result = doctest.testfile(str(document), module_relative=False)
    assert result.failed == 0
    if document.name == "README.md":
        assert result.attempted >= 5


def test_example_in_the_package() -> None:
    result = doctest.testmod(kotatsu)
    assert result.failed == 0
    assert result.attempted
