"""A shelf with one more game on it: the toy ``sprint``, which is run in a world of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.shelf import on_the_shelf


@pytest.fixture(autouse=True, scope="package")
def sprint_on_the_shelf() -> Iterator[None]:
    with on_the_shelf(Path(__file__).parent / "shelf"):
        yield
