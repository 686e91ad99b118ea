"""Several people with secrets on one device: a curtain before each pair of eyes, and none where nothing is private."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OwnHouse, Visitor, axe, fits, set_table

pytestmark = pytest.mark.browser

SHELF = Path(__file__).parents[1] / "tables" / "shelf"
PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


def curtain(page: Page) -> Locator:
    return page.locator("[data-curtain]")


def write(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"write: number {number}", exact=True).click()


def share(page: Page) -> None:
    """Ana and a guest on her device play whisper, a game of numbers written in secret."""
    set_table(page, "whisper", ["me", "open"])
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Keep").click()
    page.get_by_label("Player of seat 2").select_option("guest")
    page.get_by_label("Their name").fill("Grandma")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Begin").click()


@pytest.mark.parametrize("size", [PHONE, {}])
def test_a_secret_is_behind_a_curtain_until_its_player_is_there(
    visitor: Visitor, own_house: OwnHouse, size: dict[str, int]
) -> None:
    page = visitor(own_house(KOTATSU_GAMES=str(SHELF)), **size)
    share(page)

    # Nobody sees anything before they said who they are.
    expect(curtain(page)).to_contain_text("Pass the device to Ana")
    expect(page.get_by_role("button", name="write: number 7")).to_have_count(0)
    axe(page)
    fits(page)
    page.get_by_role("button", name="I am Ana").click()
    expect(curtain(page)).to_have_count(0)
    write(page, 7)

    # Ana may look at what she wrote; Grandma, who is next, sees nothing of it.
    expect(page.locator("main")).to_contain_text("number 7")
    page.get_by_role("button", name="Hand it over").click()
    expect(curtain(page)).to_contain_text("Pass the device to Grandma")
    expect(page.locator("main")).not_to_contain_text("number 7")
    page.get_by_role("button", name="I am Grandma").click()
    expect(page.get_by_role("button", name="write: number 9")).to_be_visible()
    expect(page.locator("main .log")).not_to_contain_text("number 7")
    write(page, 9)

    # A page that is opened anew begins behind the curtain.
    page.reload()
    expect(curtain(page)).to_be_visible()
    expect(page.get_by_role("button", name="write: number 7")).to_have_count(0)


def test_no_curtain_where_nothing_is_private(visitor: Visitor, own_house: OwnHouse) -> None:
    page = visitor(own_house(KOTATSU_GAMES=str(SHELF)))
    set_table(page, "kimono", ["me", "me"])
    expect(page.locator("[data-turn]")).to_be_visible()
    expect(curtain(page)).to_have_count(0)
    set_table(page, "whisper", ["me", "random"])
    expect(page.get_by_role("button", name="write: number 7")).to_be_visible()
    expect(curtain(page)).to_have_count(0)


def test_a_television_beside_a_players_own_page_shows_no_secret(
    visitor: Visitor, own_house: OwnHouse
) -> None:
    page = visitor(own_house(KOTATSU_GAMES=str(SHELF)))
    table = set_table(page, "whisper", ["me", "me", "me"])
    page.get_by_role("button", name="I am").first.click()
    television = page.context.new_page()
    frames: list[str] = []
    television.on(
        "websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame)))
    )
    television.goto(f"/big/{table}")
    expect(television.locator("[data-connection=open]")).to_be_attached()
    write(page, 7)
    expect(page.locator("main")).to_contain_text("number 7")
    expect(television.locator("main")).to_contain_text("wrote")
    expect(television.locator("main")).not_to_contain_text("number 7")
    assert frames
    assert not any('"number":7' in frame or '"mine":7' in frame or '"moves":[{' in frame for frame in frames)
