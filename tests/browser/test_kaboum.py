"""Kaboum in real browsers, drawn by software: towers by mouse and by keys, shots, and the film of a turn."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from kotatsu.games.kaboum.data import PIECES
from kotatsu.games.kaboum.world.world import stock_place
from tests.browser.conftest import Visitor, axe, fits, set_table
from tests.browser.kaboum import Player, plan

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("kaboum")]

HOURGLASS_S = 36
PHONE = {"width": 740, "height": 360}
SMALL = {"width": 800, "height": 500}
"""Drawn by software a large window is slow."""
TINY = {"width": 420, "height": 320}
DESKTOP = {"width": 1280, "height": 800}
LISTEN = """window.heard = 0;
for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
  const { start } = kind.prototype;
  kind.prototype.start = function (...when) { window.heard += 1; start.apply(this, when); };
}"""
"""Counts the sounds of a page."""
TURN_ENDS_MS = 1000 * (HOURGLASS_S + 30)


def gather(visitor: Visitor) -> tuple[str, list[Player]]:
    """Two people, each with a browser of their own, at a table where each builds once."""
    players = [Player(visitor(**SMALL, motion=True)) for _ in range(2)]
    host, guest = (player.page for player in players)
    table = set_table(host, "kaboum", ["me", "open"], hourglass_s=HOURGLASS_S, rounds=1)
    guest.goto(f"/t/{table}")
    guest.get_by_role("button", name="Sit on seat 2").click()
    host.get_by_role("button", name="Begin").click()
    for player in players:
        player.until(lambda player=player: bool(player.layout), "the tiles being laid")  # type: ignore[misc]
    return table, players


def film_runs(page: Page) -> None:
    """The film moves on by itself, whatever it shows now."""
    seen = page.locator("canvas[data-film]")
    expect(seen).to_be_visible()
    now = seen.get_attribute("data-film") or ""
    expect(seen).not_to_have_attribute("data-film", now)


@pytest.mark.rule("KA-6", "KA-13", "KA-30", "KA-31", "KA-33")
def test_towers_shots_and_films_in_two_browsers(visitor: Visitor) -> None:
    """The first turn is played by mouse, the second by keys alone; then the game is seen again."""
    table, players = gather(visitor)
    builder, saboteur = players[players[0].builder], players[1 - players[0].builder]
    tile, pieces, corner = plan(builder)

    builder.page.get_by_role("button", name="Turn the hourglass").click()
    for player in players:
        player.sees_turn(1)
    builder.drag(pieces[0])
    saboteur.page.get_by_role("button", name="From above").click()
    saboteur.set_catapult(corner)
    for piece in pieces[1:]:
        builder.drag(piece)
    builder.hears("completed", tile=tile)
    saboteur.shoot(corner)
    landed = saboteur.hears("landed")
    assert landed["seat"] == players.index(saboteur)
    for page, size in ((builder.page, DESKTOP), (saboteur.page, PHONE)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        fits(page)
        axe(page)
        page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    for player in players:
        expect(player.page.get_by_text("3 points", exact=True)).to_be_attached(timeout=TURN_ENDS_MS)
    scored = builder.hears("turn_ended")
    assert (scored["scored"], scored["points"]) == ([tile], 3)

    watch = builder.page
    watch.get_by_role("button", name="Slow").click()
    film_runs(watch)
    watch.get_by_role("button", name="Back to the table").click()
    expect(watch.locator("canvas[data-film]")).to_have_count(0)

    by_keys(builder=saboteur, saboteur=builder)
    for player in players:
        expect(player.page.get_by_role("dialog").get_by_text("The game is over")).to_be_visible(
            timeout=TURN_ENDS_MS
        )
    seen_again(watch, table)


def by_keys(builder: Player, saboteur: Player) -> None:
    """A turn without a mouse."""
    tile, pieces, _ = plan(builder)
    for player in (builder, saboteur):
        player.page.set_viewport_size(TINY)  # type: ignore[arg-type]
    builder.page.get_by_role("button", name="Turn the hourglass").press("Enter")
    for player in (builder, saboteur):
        player.sees_turn(2)
    for piece in pieces:
        builder.carry_by_keys(piece)
    builder.hears("completed", tile=tile)
    for key in ("c", "o", "ArrowDown", "Space"):
        saboteur.page.keyboard.press(key)
    saboteur.hears("landed", seat=saboteur.builder)


def seen_again(page: Page, table: str) -> None:
    """The replay page moves the pieces as they were moved."""
    page.goto(f"/replay/{table}")
    page.get_by_role("button", name="Play", exact=True).click()
    film_runs(page)
    expect(page.get_by_role("slider")).not_to_have_value("0")
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    page.keyboard.press("Home")
    expect(page.locator("canvas[data-film]")).to_have_count(0)
    fits(page)
    axe(page)


@pytest.mark.rule("KA-30", "KA-31")
def test_on_one_device_the_builder_has_the_mouse_and_the_saboteur_the_keys(visitor: Visitor) -> None:
    player = Player(visitor(**SMALL))
    player.page.add_init_script(LISTEN)
    set_table(player.page, "kaboum", ["me", "me"], hourglass_s=60)
    player.until(lambda: bool(player.layout), "the tiles being laid")
    player.page.get_by_role("button", name="Turn the hourglass").click()
    player.sees_turn(1)
    mouse = player.page.mouse
    mouse.move(*player.where(*stock_place(4)))
    mouse.down()
    mouse.move(*player.where(0, -0.3, 0.0215), steps=3)
    player.says("carry", 3)
    for key in ("ArrowLeft", "ArrowUp", "c", "o", "Space"):
        player.page.keyboard.press(key)
    player.hears("fired")
    mouse.up()
    player.says("release", 1)
    grabbed = [each["piece"] for each in player.sent if each["move"] == "grab"]
    assert grabbed == [4], "the keys left the builder's piece alone"
    last = [each for each in player.sent if each["move"] == "carry"][-1]
    assert last["to"][:2] == pytest.approx([0, -0.3], abs=0.02)
    player.hears("landed", die=0)
    heard = player.page.evaluate("heard")
    assert heard > 0
    player.page.get_by_role("button", name="Sound").click()
    player.page.keyboard.press("Space")
    player.hears("landed", die=1)
    assert player.page.evaluate("heard") == heard


@pytest.mark.rule("KA-30")
def test_fingers_take_turn_tip_and_put_down_a_piece(visitor: Visitor) -> None:
    player = Player(visitor(**PHONE, has_touch=True, is_mobile=True, locale="fr-FR"))
    page = player.page
    set_table(page, "kaboum", ["me", "me"], hourglass_s=60)
    player.until(lambda: bool(player.layout), "the tiles being laid")
    page.get_by_role("button", name="Retourner le sablier").tap()
    player.sees_turn(1)
    piece = PIECES.index("plank")
    page.touchscreen.tap(*player.where(*stock_place(piece)))
    player.says("grab", 1)
    tools = page.get_by_role("group", name="La pièce en main")
    for name in ("Tourner à gauche", "Basculer de côté", "Tenir plus haut"):
        tools.get_by_role("button", name=name).tap()
    page.touchscreen.tap(*player.where(0, -0.29, 0.03))
    fits(page)
    axe(page)
    tools.get_by_role("button", name="Poser").tap()
    player.says("release", 1)
    last = [each for each in player.sent if each["move"] == "carry"][-1]
    assert last["turn"] != [1, 0, 0, 0]
    assert last["to"][1] == pytest.approx(-0.29, abs=0.05)


@pytest.mark.parametrize(("locale", "width"), [("fr-FR", 360), ("en-GB", 1280)])
def test_how_to_play_tells_the_keys(visitor: Visitor, locale: str, width: int) -> None:
    page = visitor(locale=locale, width=width)
    page.goto("/how/kaboum")
    expect(page.locator("kbd").first).to_be_visible()
    expect(page.locator("img").first).to_have_attribute("src", re.compile("svg"))
    axe(page)
    fits(page)
