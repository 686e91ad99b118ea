"""The way in: the shelf, a table, an invitation."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor, axe, fits

pytestmark = pytest.mark.browser


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
    expect(page.locator("[data-connection=open]")).to_be_attached()
    expect(page.get_by_role("status").filter(has_text="Your turn")).to_be_attached()
