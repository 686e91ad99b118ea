"""Kabuki in real browsers: a whole game with a slow connection, what the page must not know, keys, phones."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor, axe, fits, set_table
from tests.browser.kabuki import REMEMBER_CHECKS, Evening, only_open_masks, stop_button
from tests.browser.server_process import ServerProcess
from tests.browser.wire import Wire, wire_to

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("kabuki")]

ONE_WAY = 0.06
"""Seconds: a round trip of at least 120 ms, of which at least 60 are allowed for."""


@pytest.fixture
def slow_wire(house: ServerProcess) -> Iterator[Wire]:
    with wire_to(house, delay=ONE_WAY) as wire:
        yield wire


def gather(host: Page, *guests: Page, **options: float) -> str:
    """A table of people only, everyone seated and the game begun."""
    table = set_table(host, "kabuki", ["me", *["open" for _ in guests]], **options)
    for number, guest in enumerate(guests, 2):
        guest.goto(f"/t/{table}")
        guest.get_by_role("button", name=f"Sit on seat {number}").click()
    expect(host.get_by_role("button", name="Sit on seat")).to_have_count(0)
    host.get_by_role("button", name="Begin").click()
    return table


def wrong_calls(evening: Evening, caller: int) -> None:
    """Masks go where they have never been, and one player does not believe it."""
    while not evening.round_is_over:
        evening.place_where_it_is_new()
        if caller in evening.others:
            evening.call(caller, matches=0)
        else:
            evening.pass_all()


def right_calls(evening: Evening, caller: int) -> None:
    """Everything goes to the first actor, and one player calls when a mask comes back."""
    while not evening.round_is_over:
        matches = evening.place(0)
        if matches and caller in evening.others:
            evening.call(caller, matches=matches)
        else:
            evening.pass_all()


def test_three_browsers_finish_a_game_one_of_them_far_away(
    house: ServerProcess, slow_wire: Wire, visitor: Visitor
) -> None:
    ana, bo, far_away, watcher = visitor(), visitor(width=360, height=740), visitor(slow_wire), visitor()
    pages = [ana, bo, far_away]
    for page in pages:
        page.add_init_script(REMEMBER_CHECKS)
    table = gather(*pages, window_s=10, check_s=1, turn_s=0)
    watcher.goto(f"/t/{table}")
    evening = Evening(pages)

    evening.begin_round(1)
    wrong_calls(evening, caller=2)
    name, _, allowed, *_ = evening.receipt[0]
    assert name == "Guest 3"
    assert int(allowed.strip("−ms ")) >= 1000 * ONE_WAY

    evening.begin_round(2)
    right_calls(evening, caller=0)

    evening.begin_round(3)
    evening.place_where_it_is_new()
    bo.reload()
    expect(bo.locator("[data-top]")).to_have_count(1)
    for page in (*pages, watcher):
        only_open_masks(page)
    fits(bo)
    evening.call(*evening.others, matches=0)
    wrong_calls(evening, caller=2)
    for page in pages:
        expect(page.get_by_role("dialog").get_by_text("The game is over")).to_be_visible()
    check_film(bo, evening)
    check_record(ana, table, evening)


def check_film(page: Page, evening: Evening) -> None:
    """Everything is shown now, and the film can be wound by keyboard."""
    page.get_by_role("button", name="Memory film").click()
    film = page.get_by_role("region", name="Memory film")
    expect(film.locator("[data-kind=right]")).to_have_count(evening.calls.count(True))
    expect(film.locator("[data-kind=wrong]")).to_have_count(evening.calls.count(False))
    film.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect(film.get_by_text("Placement 2 of")).to_be_visible()
    axe(page)
    fits(page)


def check_record(page: Page, table: str, evening: Evening) -> None:
    record = page.request.get(f"/api/tables/{table}/record").json()
    calls = [entry["matches"] > 0 for entry in record["log"] if entry.get("fact") == "stopped"]
    assert calls == evening.calls
    assert {True, False} <= set(calls)
    ends = [entry["cause"] for entry in record["log"] if entry.get("fact") == "round_ended"]
    assert ends == ["tokens"] * 3


def test_covered_masks_are_in_no_page_while_a_game_goes_on(visitor: Visitor) -> None:
    """Two people take turns and one looks on; after every placement the whole page is searched."""
    eve = visitor()
    ana, bo = pages = [visitor(), visitor()]
    for page in pages:
        page.add_init_script(REMEMBER_CHECKS)
    gather(ana, bo, window_s=10, check_s=1, turn_s=0)
    evening = Evening(pages)
    evening.begin_round(1)
    eve.goto(ana.url)
    for number in range(9):
        matches = evening.place(number % 2)
        expect(eve.get_by_text("Whoever has seen this mask on this actor may call.")).to_be_visible()
        for page in (*pages, eve):
            only_open_masks(page)
        if number == 5:
            evening.call(*evening.others, matches=matches)
            for page in pages:
                expect(page.locator("[data-check]")).to_have_count(0)
                only_open_masks(page)
        else:
            evening.pass_all()


def test_the_space_bar_calls_and_never_places(visitor: Visitor) -> None:
    pages = [visitor(), visitor(width=360, height=740)]
    gather(*pages, window_s=1, check_s=30, turn_s=0)
    evening = Evening(pages)
    evening.begin_round(1)
    first, second = pages[evening.turn], pages[1 - evening.turn]

    evening.drawn()
    first.locator('[data-actor="2"]').focus()
    first.keyboard.press("Space")
    first.keyboard.press("Enter")
    for page in pages:
        expect(page.locator('[data-actor="2"] .height')).to_have_text("1")

    expect(second.locator(".actor:enabled")).to_have_count(4)
    axe(second)
    second.locator('[data-actor="3"]').focus()
    second.keyboard.press("Space")
    for page in pages:
        fan = page.get_by_role("list", name="The stack of actor 3, from the bottom to the top")
        expect(fan.get_by_role("img")).to_have_count(1)
        expect(page.get_by_role("region", name="Who pressed first").first).to_be_visible()
        expect(page.locator('[data-actor="3"] .height')).to_have_count(0)
        expect(page.locator("[data-tokens='4']")).to_have_count(1)
        axe(page)
        fits(page)


@pytest.mark.parametrize(("width", "height", "seats"), [(360, 740, 6), (1024, 768, 4)])
def test_every_seat_of_a_shared_device_has_a_button_of_its_own(
    visitor: Visitor, width: int, height: int, seats: int
) -> None:
    page = visitor(width=width, height=height)
    set_table(page, "kabuki", ["me"] * seats, window_s=10, check_s=30, turn_s=0)
    expect(stop_button(page)).to_have_count(seats)
    expect(page.locator(".actor:enabled")).to_have_count(4)
    page.keyboard.press("1")
    may_call = page.locator("[data-stop][aria-disabled=false]")
    expect(may_call).to_have_count(seats - 1)
    axe(page)
    fits(page)
    may_call.last.click()
    expect(page.locator("[data-check]")).to_be_visible()


def test_in_french_masks_have_french_names(visitor: Visitor) -> None:
    page = visitor(locale="fr-FR", width=1920, height=1080)
    set_table(page, "kabuki", ["me", "me"], turn_s=0)
    expect(page.get_by_text("Manche 1 sur 3")).to_be_visible()
    drawn = page.locator("[data-drawn]").get_by_role("img")
    names = "Renard|Flamme|Singe|Poisson-chat|Araignée|Fantôme|Démon|Faucon|Lune|Pivoine"
    expect(drawn).to_have_attribute("aria-label", re.compile(f"^({names})$"))
    fits(page)


@pytest.mark.parametrize(("locale", "width"), [("fr-FR", 360), ("en-GB", 1920)])
def test_how_to_play_fits_and_is_accessible(visitor: Visitor, locale: str, width: int) -> None:
    page = visitor(locale=locale, width=width)
    page.goto("/how/kabuki")
    expect(page.locator("[data-mask]").first).to_be_visible()
    axe(page)
    fits(page)
