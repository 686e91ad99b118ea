"""Every screen shows a finished game again: forwards with motion, backwards, through any eyes."""

from __future__ import annotations

import re
from random import Random
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from playwright.sync_api import Locator, Page, Route, expect

import kotatsu
from kotatsu.engine.match import Match
from kotatsu.protocol.messages import SeatInfo, TableInfo
from kotatsu.server.schemas import Replay
from kotatsu.store.contract import LoggedStep
from kotatsu.tables.replay import replay_steps
from tests.browser.conftest import Visitor, axe, fits

pytestmark = pytest.mark.browser

TABLE = "a-finished-table"


def played(game: str) -> tuple[Match, list[LoggedStep]]:
    """A whole game of two who do the first thing that comes to mind, as the house would have logged it."""
    match, rng = kotatsu.start(game, players=2, seed=3), Random(3)
    rows = [LoggedStep(1, 0.0, msgspec.json.encode(match.record()["log"]))]
    while match.outcome is None:
        seat = rng.choice(sorted(match.acting)) if match.acting else None
        facts = match.expire() if seat is None else match.play(seat, rng.choice(match.moves(seat)))
        rows.append(LoggedStep(len(rows) + 1, float(len(rows)), msgspec.json.encode(facts), seat=seat))
    return match, rows


def serve_replay(page: Page, game: str, called: str = "") -> None:
    """Let the page find such a game, told by what the house itself tells it with.

    A game that is ``called`` something the page has no screen for is shown by the generic one.
    """
    match, rows = played(game)
    seats = tuple(SeatInfo("person", name) for name in ("Ana", "Ben"))
    info = TableInfo(TABLE, called or game, "over", {}, seats, outcome=match.outcome)

    def answer(route: Route) -> None:
        asked = parse_qs(urlsplit(route.request.url).query).get("viewpoint")
        eyes = int(asked[0]) if asked else None
        steps = replay_steps(match.game, match.players, match.options, rows, eyes)
        body = msgspec.json.encode(Replay(info, eyes, tuple(steps)))
        route.fulfill(body=body, content_type="application/json")

    page.route("**/api/tables/*/replay*", answer)


def at_step(page: Page, number: int) -> Locator:
    return page.locator("[data-step]").filter(has_text=f"Step {number} of")


@pytest.mark.parametrize("game", ["kabuki", "kakuzu", "kimono"])
def test_every_screen_shows_a_game_again(visitor: Visitor, game: str) -> None:
    page = visitor(motion=True)
    serve_replay(page, game)
    page.goto(f"/replay/{TABLE}?step=2&eyes=1")
    expect(page.locator("[data-replay-board] > div").first).to_be_visible()
    expect(at_step(page, 2)).to_be_visible()
    page.get_by_role("button", name="One step on").click()
    expect(at_step(page, 3)).to_be_visible()
    page.get_by_label("Speed").select_option("4 ×")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("slider")).to_have_value(re.compile(r"^([5-9]|\d{2,})$"))
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press("Home")
    expect(at_step(page, 1)).to_be_visible()
    page.get_by_label("Whose eyes").select_option("Ben")
    expect(page).to_have_url(re.compile(r"\?step=1&eyes=2$"))
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    axe(page)


def test_a_game_without_a_screen_is_shown_again_in_plain_words(visitor: Visitor) -> None:
    page = visitor(width=360, height=740)
    serve_replay(page, "kimono", called="a_game_of_its_own")
    page.goto(f"/replay/{TABLE}")
    expect(page.get_by_role("heading", name="What you see")).to_be_visible()
    page.get_by_role("button", name="One step on").click()
    expect(at_step(page, 2)).to_be_visible()
    page.get_by_role("listitem").get_by_role("button").filter(has_text="took").nth(3).click()
    expect(page.get_by_role("slider")).not_to_have_value("1")
    fits(page)
    axe(page)


def test_a_replay_on_a_phone(visitor: Visitor) -> None:
    page = visitor(width=360, height=740, locale="fr-FR")
    serve_replay(page, "kimono")
    page.goto(f"/replay/{TABLE}?step=5")
    expect(page.get_by_text("Étape 5 sur")).to_be_visible()
    page.get_by_role("button", name="Un pas en arrière").click()
    expect(page.get_by_text("Étape 4 sur")).to_be_visible()
    fits(page)
    axe(page)
