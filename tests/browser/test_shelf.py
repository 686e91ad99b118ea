"""The way in: the shelf, a table, an invitation."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor, axe, fits

pytestmark = pytest.mark.browser

COMPILING_MS = 180_000
"""A bot that begins compiles its search first, unless that was done before on this machine."""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1920, 1080)])
def test_the_shelf_fits_and_is_accessible(visitor: Visitor, width: int, height: int) -> None:
    page = visitor(width=width, height=height)
    page.goto("/")
    expect(page.get_by_role("heading", name="Kimono")).to_be_visible()
    axe(page)
    fits(page)


def test_one_click_from_the_shelf_to_a_game_against_bots(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    page.get_by_role("button", name="Play Kimono now against bots").click()
    expect(page.locator("[data-seat]")).to_have_count(4)
    turn = page.get_by_role("status").filter(has_text="Your turn")
    expect(turn).to_be_attached(timeout=COMPILING_MS)
