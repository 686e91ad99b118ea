"""An evening with friends: one laptop, two phones, a bot, a power cut, and looking back on it afterwards."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OwnHouse, Visitor, axe, fits, set_table
from tests.browser.kimono import all_cards, cards_of, finish, may_do, play_together, result, scores
from tests.browser.server_process import ServerProcess
from tests.browser.wire import wire_to
from tests.tools import qr

pytestmark = pytest.mark.browser

QUIET = 2
"""Modules that are left light around a code."""
PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


def introduce(page: Page, name: str, picture: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Choose a picture").click()
    page.get_by_role("group", name="Your picture").get_by_text(picture).locator("..").click()
    expect(page.get_by_text("Kept.")).to_be_visible()


def address_in_code(page: Page) -> str:
    """What a phone's camera reads, from the squares that are drawn."""
    code = page.locator("svg[data-address]")
    squares = re.findall(r"M(\d+) (\d+)h1v1h-1z", code.locator("path").get_attribute("d") or "")
    size = int((code.get_attribute("viewBox") or "").split()[-1]) - 2 * QUIET
    return qr.read(frozenset((int(x) - QUIET, int(y) - QUIET) for x, y in squares), size)


def seat(page: Page, number: int) -> Locator:
    return page.locator("li[data-seat-kind]").nth(number - 1)


def player_of(page: Page, number: int) -> Locator:
    return page.get_by_label(f"Player of seat {number}")


def settled(*pages: Page) -> None:
    """Somebody may move: nobody is still shown what happened."""
    play_together(*pages, until=lambda: any(may_do(page).is_visible() for page in pages))


def test_a_family_plays_from_the_code_to_the_replay(own_house: OwnHouse, visitor: Visitor) -> None:
    house = own_house()
    laptop = visitor(house)
    phones = [visitor(house, **PHONE), visitor(house, **PHONE)]

    # The laptop sets a table in the lobby; one seat is a bot.
    laptop.goto("/")
    introduce(laptop, "Ana", "fox")
    laptop.get_by_role("button", name="Set a table of Kimono").click()
    laptop.get_by_role("radio", name="4").check()
    laptop.get_by_label("Seat 4").select_option("novice")
    laptop.get_by_role("button", name="Set the table", exact=True).click()
    laptop.get_by_label("Show this table in the lobby").check()
    axe(laptop)

    # The phones come by the code, and sit down under a name of their own.
    for number, (phone, name) in enumerate(zip(phones, ("Ben", "Chloe"), strict=True), start=2):
        phone.goto(address_in_code(laptop))
        phone.get_by_role("button", name=f"Sit on seat {number}").click()
        introduce(phone, name, "crane")
        expect(seat(laptop, number)).to_contain_text(name)
        fits(phone)
    axe(phones[0])
    laptop.get_by_role("button", name="Begin").click()
    everyone = (laptop, *phones)
    for page in everyone:  # everybody's picture is before their place, the bot's lantern too
        for number, picture in enumerate(("fox", "crane", "crane", "bot")):
            expect(page.locator(f"[data-seat='{number}'] [data-avatar={picture}]")).to_be_attached()
    play_together(*everyone, until=lambda: all_cards(laptop).count() >= 4)

    # Ben goes to the kitchen: a bot plays for him, and gives the seat back.
    laptop.get_by_role("button", name="Seats").click()
    player_of(laptop, 2).select_option("novice")
    expect(seat(laptop, 2)).to_contain_text("a bot stands in")
    expect(phones[0].get_by_text("A bot plays for you.")).to_be_visible()
    laptop.keyboard.press("Escape")
    his = cards_of(laptop, 1).count()
    play_together(laptop, phones[1], until=lambda: cards_of(laptop, 1).count() > his)
    laptop.get_by_role("button", name="Seats").click()
    player_of(laptop, 2).select_option("back")
    expect(seat(laptop, 2)).not_to_contain_text("a bot stands in")
    expect(phones[0].get_by_text("A bot plays for you.")).to_be_hidden()
    axe(laptop)
    laptop.keyboard.press("Escape")

    # The power fails in the middle; everybody is back without a reload, at the same place.
    settled(*everyone)
    before = all_cards(laptop).count()
    house.kill()
    expect(laptop.locator("[data-connection=reconnecting]")).to_be_visible()
    house.start()
    for page in everyone:
        expect(page.locator("[data-connection=open]")).to_be_attached()
    assert all_cards(laptop).count() >= before

    # The game ends, everyone sees the same result.
    finish(*everyone)
    table = laptop.url.rpartition("/")[2]
    totals = {tuple(result(page).locator("tfoot td").all_inner_texts()) for page in everyone}
    assert len(totals) == 1

    # Chloe sees it again through her own eyes, on her phone.
    phone = phones[1]
    result(phone).get_by_role("link", name="See it again").click()
    expect(phone.locator("[data-step]").filter(has_text="Step 1 of")).to_be_visible()
    phone.get_by_role("button", name="One step on").click()
    expect(phone.locator("[data-step]").filter(has_text="Step 2 of")).to_be_visible()
    phone.get_by_label("Whose eyes").select_option("Chloe")
    expect(phone).to_have_url(f"{house.address}/replay/{table}?step=2&eyes=3")
    phone.get_by_role("button", name="To the end").click()
    expect(phone.get_by_role("listitem").filter(has_text="The game is over").first).to_be_visible()
    fits(phone)
    axe(phone)

    # Ana finds it among her games, with a rating and how unsure it is.
    laptop.goto("/history")
    past = laptop.locator(f"[data-past='{table}']")
    for name in ("Ana", "Ben", "Chloe"):
        expect(past).to_contain_text(name)
    expect(past.locator("[data-avatar=fox]")).to_be_visible()
    expect(laptop.locator("[data-rating=kimono]")).to_contain_text("±")
    axe(laptop)
    past.get_by_role("link").click()
    expect(laptop).to_have_url(f"{house.address}/replay/{table}?step=1")


def test_a_rematch_leads_everyone_to_the_new_table(visitor: Visitor) -> None:
    ana, ben = visitor(), visitor(**PHONE)
    old = set_table(ana, "kimono", ["me", "open"])
    ben.goto(address_in_code(ana))
    ben.get_by_role("button", name="Sit on seat 2").click()
    expect(seat(ana, 2)).to_have_attribute("data-seat-kind", "person")
    television = ana.context.new_page()
    television.goto(f"/big/{old}")
    ana.get_by_role("button", name="Begin").click()
    expect(television.locator("[data-seat]").first).to_be_visible()
    finish(ana, ben)
    expect(television.get_by_role("list", name="Total").get_by_role("listitem")).to_have_count(2)
    result(ana).get_by_role("button", name="Play again").click()
    for page in (ana, ben):
        page.wait_for_url(lambda url: "/t/" in url and old not in url)
    assert ana.url == ben.url
    expect(television).to_have_url(ana.url.replace("/t/", "/big/"))
    play_together(ana, ben, until=lambda: all_cards(ana).count() >= 2)


def test_the_lobby_is_live_and_the_table_can_be_closed_to_it(visitor: Visitor) -> None:
    ana, ben = visitor(), visitor(**PHONE)
    ben.goto("/")
    set_table(ana, "kimono", ["me", "open"])
    join = ben.get_by_role("link", name="Join the table of Kimono")
    ana.get_by_label("Show this table in the lobby").check()
    expect(join).to_be_visible()
    fits(ben)
    axe(ben)
    ana.get_by_label("Show this table in the lobby").uncheck()
    expect(join).to_be_hidden()


def test_two_people_share_one_device(visitor: Visitor) -> None:
    page = visitor(**PHONE)
    set_table(page, "kimono", ["me", "open"])
    player_of(page, 2).select_option("guest")
    page.get_by_label("Their name").fill("Grandma")
    page.get_by_role("button", name="Sit down").click()
    expect(seat(page, 2)).to_contain_text("on this device")
    page.get_by_role("button", name="Begin").click()
    turn = page.locator("[data-turn]")
    first = turn.inner_text()
    play_together(page, until=lambda: turn.is_visible() and turn.inner_text() != first)
    assert "Grandma to play" in (first, turn.inner_text())
    fits(page)
    axe(page)


def test_the_host_hands_their_own_seat_to_somebody_elsewhere_and_another_to_this_device(
    visitor: Visitor,
) -> None:
    ana, ben = visitor(), visitor(**PHONE)
    table = set_table(ana, "kimono", ["me", "random", "random"])
    expect(ana.locator("[data-seat]").first).to_be_visible()
    ana.get_by_role("button", name="Seats").click()
    ana.get_by_role("button", name="Let a bot play for me").click()
    expect(seat(ana, 1)).to_contain_text("a bot stands in")
    player_of(ana, 1).select_option("open")
    expect(seat(ana, 1)).to_have_attribute("data-seat-kind", "open")
    player_of(ana, 3).select_option("guest")
    ana.get_by_label("Their name").fill("Grandma")
    ana.get_by_role("button", name="Sit down").click()
    expect(seat(ana, 3)).to_contain_text("on this device")
    ben.goto(f"/t/{table}")
    ben.get_by_role("button", name="Seats").click()
    ben.get_by_role("button", name="Sit on seat 1").click()
    expect(seat(ben, 1)).to_contain_text("you")
    ben.keyboard.press("Escape")
    ana.keyboard.press("Escape")
    play_together(ana, ben, until=lambda: cards_of(ana, 0).count() > 1 and cards_of(ana, 2).count() > 1)


def test_somebody_away_for_too_long_is_replaced_and_gets_the_seat_back(visitor: Visitor) -> None:
    ana, ben = visitor(), visitor(**PHONE)
    body = {"game": "kimono", "players": 2, "seats": ["me", "open"], "settings": {"patience": 10}}
    ana.goto("/")
    table = ana.request.post("/api/tables", data=body).json()["table"]["id"]
    for page in (ana, ben):
        page.goto(f"/t/{table}")
    ben.get_by_role("button", name="Sit on seat 2").click()
    introduce(ben, "Ben", "frog")
    ana.get_by_role("button", name="Begin").click()
    expect(ben.locator("[data-seat]").first).to_be_visible()
    ben.goto("about:blank")
    offer = ana.get_by_role("button", name="Let a bot play for Ben")
    play_together(ana, until=lambda: offer.is_visible())
    axe(ana)
    offer.click()
    play_together(ana, until=lambda: cards_of(ana, 1).count() > 0)
    ben.goto(f"/t/{table}")
    ben.get_by_role("button", name="Seats").click()
    expect(seat(ben, 2)).to_contain_text("you")
    expect(seat(ben, 2)).not_to_contain_text("a bot stands in")


def test_a_phone_that_slept_for_an_hour_finds_the_game_where_it_is(
    house: ServerProcess, visitor: Visitor
) -> None:
    with wire_to(house) as wire:
        ana, ben = visitor(), visitor(wire, **PHONE)
        ben.clock.install()
        table = set_table(ana, "kimono", ["me", "open"])
        ben.goto(f"/t/{table}")
        ben.get_by_role("button", name="Sit on seat 2").click()
        expect(seat(ana, 2)).to_have_attribute("data-seat-kind", "person")
        ana.get_by_role("button", name="Begin").click()
        play_together(ana, ben, until=lambda: all_cards(ana).count() >= 3)

        # The phone sleeps: nothing arrives. A bot plays for Ben, to the end.
        wire.cut()
        ana.get_by_role("button", name="Seats").click()
        player_of(ana, 2).select_option("novice")
        ana.keyboard.press("Escape")
        finish(ana)
        assert result(ben).count() == 0
        wire.mend()
        ben.clock.fast_forward("01:00:00")
        expect(ben.locator("[data-connection=open]")).to_be_attached()
        expect(result(ben)).to_be_visible()
        assert scores(ben) == scores(ana)


def test_words_and_signs_at_the_table_and_muting(visitor: Visitor) -> None:
    ana, ben = visitor(), visitor(**PHONE)
    set_table(ana, "kimono", ["me", "open"])
    introduce(ana, "Ana", "fox")
    ben.goto(ana.url)
    ana.get_by_role("button", name="Talk").click()
    ben.get_by_role("button", name="Talk").click()
    ana.get_by_label("Say something").fill("Hello <b>there</b>")
    ana.get_by_role("button", name="Say", exact=True).click()
    said = ben.get_by_role("log", name="At the table").get_by_text("Hello <b>there</b>", exact=True)
    expect(said).to_be_visible()
    expect(ben.get_by_role("log", name="At the table").locator("[data-avatar=fox]")).to_be_visible()
    axe(ben)
    ana.get_by_role("button", name="Bravo!").click()
    expect(ben.get_by_text("Bravo!")).to_be_visible()
    ben.get_by_role("button", name="mute or block").click()
    ben.get_by_role("button", name="Mute on this page").click()
    expect(said).to_be_hidden()
    ben.get_by_role("button", name="Listen again").click()
    expect(said).to_be_visible()


def test_a_silent_game_offers_no_talk_until_it_is_over(visitor: Visitor) -> None:
    page = visitor()
    set_table(page, "kabuki", ["me", "random"])
    expect(page.get_by_role("button", name="Seats")).to_be_visible()
    expect(page.get_by_role("button", name="Talk")).to_have_count(0)


def test_the_big_screen_shows_the_code_and_then_the_game(visitor: Visitor) -> None:
    ana, television = visitor(**PHONE), visitor(width=1920, height=1080)
    table = set_table(ana, "kimono", ["me", "open"])
    television.goto(f"/big/{table}")
    assert address_in_code(television) == ana.url
    axe(television)
    ana.get_by_role("button", name="Begin").click()
    expect(television.locator("[data-seat]").first).to_be_visible()
    assert address_in_code(television) == ana.url
    assert may_do(television).count() == 0
    expect(ana.get_by_text("1 watching")).to_be_attached()
    fits(television)
    axe(television)


def test_the_host_wants_no_spectators_and_still_has_a_television(visitor: Visitor) -> None:
    ana, eve = visitor(), visitor(**PHONE)
    table = set_table(ana, "kimono", ["me", "random"])
    eve.goto(f"/t/{table}")
    expect(eve.get_by_text("You are watching.")).to_be_attached()
    ana.get_by_role("button", name="Seats").click()
    ana.get_by_label("Whoever has the link may look on").uncheck()
    expect(eve.get_by_role("heading", name="This table is for its players only.")).to_be_visible()
    fits(eve)
    axe(eve)
    television = ana.context.new_page()
    television.goto(f"/big/{table}")
    expect(television.locator("[data-seat]")).to_have_count(2)
    assert may_do(television).count() == 0


def test_one_code_makes_another_device_the_same_player_and_forgetting_ends_it(visitor: Visitor) -> None:
    laptop, phone = visitor(), visitor(**PHONE)
    laptop.goto("/")
    introduce(laptop, "Ana", "cat")
    laptop.get_by_role("link", name="My games").click()
    laptop.get_by_role("button", name="Show a code").click()
    code = laptop.locator("[data-code]").inner_text()
    phone.goto("/history")
    phone.get_by_label("I have a code").fill("WRONG")
    phone.get_by_role("button", name="Become the same player here").click()
    expect(phone.get_by_role("alert")).to_contain_text("wrong, used or too old")
    phone.get_by_label("I have a code").fill(code)
    phone.get_by_role("button", name="Become the same player here").click()
    expect(phone.get_by_text("Welcome back, Ana.")).to_be_visible()
    axe(phone)
    fits(phone)
    phone.get_by_role("button", name="Forget me").click()
    phone.get_by_role("button", name="Delete everything").click()
    expect(phone.get_by_text("You are forgotten.")).to_be_visible()
    laptop.goto("/")
    expect(laptop.get_by_label("Your name")).to_have_value("")
