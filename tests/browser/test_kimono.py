"""Kimono from the first card to the result, in real browsers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OwnHouse, Visitor, axe, fits, set_table
from tests.browser.kimono import (
    CHOICE,
    TAKE,
    all_cards,
    cards_of,
    finish,
    may_do,
    play_together,
    play_until,
    result,
    scores,
    to_take,
)
from tests.browser.server_process import ServerProcess
from tests.browser.wire import wire_to

pytestmark = pytest.mark.browser

AWAY_MS = 10_000
ONE_FOR_ALL = ["me", "me"]
"""One browser plays every seat: nothing waits for the pauses bots make."""
LED_TO = "document.activeElement?.matches('[data-front][aria-disabled=false], [data-chooser] button')"


def test_two_people_and_a_bot_finish_though_one_is_cut_off_for_ten_seconds(
    visitor: Visitor, house: ServerProcess
) -> None:
    with wire_to(house) as wire:
        ana, bo = visitor(), visitor(wire)
        table = set_table(ana, "kimono", ["me", "open", "random"])
        bo.goto(f"/t/{table}")
        bo.get_by_role("button", name="Sit on seat 2").click()
        expect(ana.locator("li.person")).to_have_count(2)
        ana.get_by_role("button", name="Begin").click()
        play_together(ana, bo, until=to_take(bo, 1, having=4))
        had = cards_of(bo, 1).count()

        wire.cut()
        bo.locator(TAKE).first.click()  # nobody hears it, and the page cannot know that yet
        bo.context.set_offline(True)
        expect(bo.get_by_text("Connection lost. Trying again…")).to_be_visible()
        expect(may_do(bo)).not_to_be_visible()
        bo.wait_for_timeout(AWAY_MS)
        expect(cards_of(ana, 1)).to_have_count(had)
        wire.mend()
        bo.context.set_offline(False)

        expect(bo.get_by_text("Connection lost. Trying again…")).not_to_be_visible()
        expect(cards_of(ana, 1)).to_have_count(had + 1)
        finish(ana, bo)
        assert scores(ana) == scores(bo)


def test_a_game_is_finished_with_the_keyboard_alone(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    page.get_by_role("button", name="Set a table of Kimono").wait_for()
    press_until(page, "Tab", focused_on("Set a table of Kimono"))
    page.keyboard.press("Enter")
    press_until(page, "Tab", "document.activeElement?.type === 'radio'")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("M")  # seat 2: me
    press_until(page, "Tab", focused_on("Set the table and begin"))
    page.keyboard.press("Enter")
    while True:
        may_do(page).or_(result(page)).first.wait_for()
        if result(page).is_visible():
            break
        press_until(page, "Tab", LED_TO)
        page.keyboard.press("Enter")
    press_until(page, "Tab", focused_on("Back to the shelf"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="On the shelf")).to_be_visible()


def test_digits_take_and_choose(visitor: Visitor) -> None:
    page = visitor()
    set_table(page, "kimono", ONE_FOR_ALL)
    page.locator(TAKE).first.wait_for()
    page.keyboard.press("2")
    expect(all_cards(page)).to_have_count(1)
    play_until(page, page.locator(CHOICE))
    points = int(page.locator(CHOICE).first.locator("strong").inner_text())
    score = page.locator(".place.turn .score [aria-hidden]")
    seat = page.locator(".place.turn").get_attribute("data-seat")
    before = int(score.inner_text())
    page.keyboard.press("1")
    expect(page.locator(f"[data-seat='{seat}'] .score [aria-hidden]")).to_have_text(str(before + points))


def test_a_killed_server_started_again_finds_the_browser_where_it_was(
    visitor: Visitor, own_house: OwnHouse
) -> None:
    house = own_house()
    page = visitor(house)
    set_table(page, "kimono", ONE_FOR_ALL)
    for having in (3, 7):
        play_together(page, until=to_take(page, 0, having))
        had = all_cards(page).count()
        house.kill()
        expect(page.get_by_text("Connection lost. Trying again…")).to_be_visible()
        house.start()
        expect(page.locator("[data-connection=open]")).to_be_attached()
        expect(all_cards(page)).to_have_count(had)
    finish(page)
    expect(result(page).locator("tfoot td")).to_have_count(2)


def test_a_move_made_while_the_server_was_dead_is_played_once(visitor: Visitor, own_house: OwnHouse) -> None:
    house = own_house()
    page = visitor(house)
    set_table(page, "kimono", ONE_FOR_ALL)
    page.locator(TAKE).first.wait_for()
    house.pause()
    page.locator(TAKE).first.click()  # sent, and never read
    house.kill()
    expect(page.get_by_text("Connection lost. Trying again…")).to_be_visible()
    house.start()
    expect(page.locator("[data-connection=open]")).to_be_attached()
    expect(all_cards(page)).to_have_count(1)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_whoever_has_no_seat_watches_and_cannot_play(visitor: Visitor) -> None:
    ana, eve = visitor(), visitor()
    table = set_table(ana, "kimono", ONE_FOR_ALL)
    eve.goto(f"/t/{table}")
    expect(eve.locator("[data-seat]")).to_have_count(2)
    expect(eve.get_by_text("You are watching.")).to_be_visible()
    play_until(ana, ana.locator(CHOICE))
    expect(all_cards(eve)).to_have_count(all_cards(ana).count())
    expect(eve.locator(TAKE)).to_have_count(0)
    expect(eve.locator(CHOICE)).to_have_count(0)


def test_the_language_is_the_browsers_and_changes_at_any_moment(visitor: Visitor) -> None:
    page = visitor(locale="fr-FR")
    set_table(page, "kimono", ONE_FOR_ALL)
    expect(page.get_by_role("heading", name="Marché")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "fr"
    play_until(page, page.locator(CHOICE))
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Market")).to_be_visible()
    expect(page.locator(CHOICE).first).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Market")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800), (1920, 1080)])
def test_every_page_of_a_game_fits_and_is_accessible(visitor: Visitor, width: int, height: int) -> None:
    page = visitor(width=width, height=height)
    set_table(page, "kimono", ["me", "me", "me", "me"])
    page.locator(TAKE).first.wait_for()
    look(page)
    play_until(page, page.locator(CHOICE))
    look(page)
    play_until(page, result(page))
    look(page)
    page.get_by_role("button", name="Close").click()
    look(page)


def test_how_to_play_fits_and_is_accessible(visitor: Visitor) -> None:
    for width in (360, 1920):
        page = visitor(width=width, locale="fr")
        page.goto("/how/kimono")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        look(page)


def look(page: Page) -> None:
    axe(page)
    fits(page)


def focused_on(words: str) -> str:
    named = "[document.activeElement?.textContent.trim(), document.activeElement?.getAttribute('aria-label')]"
    return f"{named}.includes('{words}')"


def press_until(page: Page, key: str, there: str) -> None:
    for _ in range(60):
        if page.evaluate(there):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never leads to {there}")


def test_a_phone_shows_the_market_again_after_a_combination(visitor: Visitor) -> None:
    page = visitor(width=360, height=740)
    set_table(page, "kimono", ["me", "me", "me", "me"])
    play_until(page, page.locator(CHOICE))
    expect(page.locator(".place.self")).to_be_in_viewport()
    page.locator(CHOICE).first.click()
    page.locator(TAKE).first.wait_for()
    expect(page.locator("[data-front]").first).to_be_in_viewport(ratio=1)
