"""A fifth game dropped into a folder: on the shelf and playable through the generic screen, nothing else touched."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OwnHouse, Visitor, axe, fits

pytestmark = pytest.mark.browser

TOYS = Path(__file__).parents[1] / "toys"


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1920, 1080)])
def test_the_toy_is_played_to_its_end(
    visitor: Visitor, own_house: OwnHouse, tmp_path: Path, width: int, height: int
) -> None:
    shutil.copytree(TOYS / "pebbles", tmp_path / "pebbles")
    page = visitor(own_house(KOTATSU_GAMES=str(tmp_path)), width=width, height=height)
    page.goto("/")
    page.get_by_role("button", name="Play Pebbles now against bots").click()
    moves = page.get_by_role("button", name="take: count 1")
    over = page.locator("dialog[open]")
    expect(moves).to_be_visible()
    axe(page)
    fits(page)
    while True:
        moves.or_(over).first.wait_for()
        if over.is_visible():
            break
        moves.click()
    expect(over).to_contain_text("The game is over")
    expect(over.locator("tfoot td")).to_have_count(4)
    axe(page)
    fits(page)


def test_its_options_can_be_chosen_though_it_brings_no_words(
    visitor: Visitor, own_house: OwnHouse, tmp_path: Path
) -> None:
    shutil.copytree(TOYS / "pebbles", tmp_path / "pebbles")
    page = visitor(own_house(KOTATSU_GAMES=str(tmp_path)))
    page.goto("/")
    page.get_by_role("button", name="Set a table of Pebbles").click()
    page.get_by_label("2", exact=True).check()
    page.get_by_label("Seat 2").select_option("random")
    page.get_by_label("at most").fill("5")
    page.get_by_role("button", name="Set the table and begin").click()
    expect(page.get_by_role("button", name="take: count 5")).to_be_visible()
