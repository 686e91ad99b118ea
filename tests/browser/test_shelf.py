"""The way in: the shelf, a table, an invitation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

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


def test_a_page_from_before_a_new_version_is_fetched_anew(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    missing: list[str] = []

    def gone_once(route: Route) -> None:
        missing.append(route.request.url)
        route.fulfill(status=404) if len(missing) == 1 else route.continue_()

    page.route("**/assets/HowTo-*.js", gone_once)
    page.get_by_role("link", name="How to play Kimono").click()
    expect(page.get_by_role("heading", name="How to play Kimono")).to_be_visible()
    assert len(missing) > 1


def test_a_table_is_set_and_its_link_leads_a_friend_to_a_seat(visitor: Visitor) -> None:
    host, friend = visitor(width=360, height=740), visitor()
    host.goto("/")
    host.get_by_role("button", name="Set a table of Kimono").click()
    expect(host.get_by_role("dialog")).to_be_visible()
    axe(host)
    host.get_by_role("button", name="Set the table", exact=True).click()
    link = host.get_by_label("Link to this table")
    expect(link).to_be_visible()
    axe(host)
    fits(host)
    friend.goto(link.input_value())
    friend.get_by_role("button", name="Sit on seat 2").click()
    expect(host.locator("li.person")).to_have_count(2)
    axe(friend)
