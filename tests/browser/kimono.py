"""Playing Kimono on its screen, as a person does: see what may be done, do it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page

TAKE = "[data-front][aria-disabled=false]"
CHOICE = "[data-chooser] li button"


def may_do(page: Page) -> Locator:
    """What can be clicked now: a combination, or a card of the market."""
    return page.locator(f"{CHOICE}, {TAKE}").first


def result(page: Page) -> Locator:
    return page.locator("dialog[open]").filter(has=page.locator("tfoot"))


def scores(page: Page) -> list[str]:
    return result(page).locator("tfoot td").all_inner_texts()


def play_until(page: Page, goal: Locator) -> None:
    """Play on, doing the first thing there is, until ``goal`` is seen."""
    while True:
        may_do(page).or_(goal).first.wait_for()
        if goal.first.is_visible():
            return
        may_do(page).click()


def play_together(*pages: Page, until: Callable[[], bool]) -> None:
    """Everybody plays on, doing the first thing there is."""
    while not until():
        for page in pages:
            if may_do(page).is_visible() and not until():
                assert not result(page).is_visible(), "the game was over first"
                may_do(page).click()
        pages[0].wait_for_timeout(20)


def to_take(page: Page, seat: int, having: int) -> Callable[[], bool]:
    """Whether the page may take a card, and that seat has so many already, or more."""
    return lambda: page.locator(TAKE).first.is_visible() and cards_of(page, seat).count() >= having


def finish(*pages: Page) -> None:
    """Everybody plays on until everybody sees the result."""
    play_together(*pages, until=lambda: all(result(page).is_visible() for page in pages))


def cards_of(page: Page, seat: int) -> Locator:
    """All that a player has taken so far: hand, kimono and accessories."""
    return page.locator(f"[data-seat='{seat}'] ol > li:not(.none)")


def all_cards(page: Page) -> Locator:
    """All that anybody has taken so far."""
    return page.locator("[data-seat] ol > li:not(.none)")
