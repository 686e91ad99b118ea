"""What a visitor's first page costs them."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitor
from tests.browser.weight import transferred

pytestmark = pytest.mark.browser

MOST_KB = 250


def test_the_first_page_is_light(visitor: Visitor) -> None:
    page = visitor()
    sizes = transferred(page, "/")
    assert len(sizes) > 3, f"the page is more than this: {sizes}"
    assert sum(sizes.values()) <= 1000 * MOST_KB, sizes
