"""What a visitor's first page costs them."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visitor, set_table
from tests.browser.weight import transferred

pytestmark = pytest.mark.browser

MOST_KB = 250
HEAVY_KB = 100
"""Nothing but drawing in three dimensions is as heavy as this."""


def test_the_first_page_is_light(visitor: Visitor) -> None:
    page = visitor()
    sizes = transferred(page, "/")
    assert len(sizes) > 3, f"the page is more than this: {sizes}"
    assert sum(sizes.values()) <= 1000 * MOST_KB, sizes


def test_three_dimensions_are_only_fetched_at_a_table_that_has_them(visitor: Visitor) -> None:
    page = visitor()
    kimono, kaboum = (set_table(page, game, ["me", "me"]) for game in ("kimono", "kaboum"))
    for address in ("/", "/how/kaboum", f"/t/{kimono}"):
        sizes = transferred(visitor(), address)
        assert max(sizes.values()) < 1000 * HEAVY_KB, (address, sizes)
    assert max(transferred(visitor(), f"/t/{kaboum}").values()) > 1000 * HEAVY_KB
