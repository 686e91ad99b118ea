"""A shelf with one more game on it: the toy ``whisper``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.shelf import on_the_shelf


@pytest.fixture(autouse=True, scope="package")
def whisper_on_the_shelf() -> Iterator[None]:
    with on_the_shelf(Path(__file__).parent / "shelf"):
        yield
