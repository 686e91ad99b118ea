"""Kakuzu from the first stone to the review, in real browsers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.conftest import Visitor, axe, fits, set_table
from tests.browser.server_process import ServerProcess
from tests.server.visitor import log_of

pytestmark = pytest.mark.browser

MAY = ".cell.may"
LIFT_ANY = """until => {
  let pick = 7;
  const lifting = setInterval(() => {
    const open = document.querySelectorAll('.cell.open').length;
    if (open >= until || document.querySelector('dialog[open]')) {
      clearInterval(lifting);
      delete document.body.dataset.lifting;
      return;
    }
    const stones = document.querySelectorAll('.cell.may');
    stones[(pick += 31) % stones.length]?.click();
  }, 15);
  document.body.dataset.lifting = '';
}"""
OPEN_DIGITS = """() => [...document.querySelectorAll('[data-cell]')].map(
  cell => Number(cell.querySelector('.digit')?.textContent ?? 0)
)"""
WHOLE_GAME_MS = 150_000
WAY_THROUGH = 34
"""Digits that lie open when something can be deduced for most digits, and most stones still lie."""


def lift_until(cells: int, *pages: Page) -> None:
    """Whoever may, lifts any stone, until so many digits lie open or the game is over."""
    for page in pages:
        page.evaluate(LIFT_ANY, cells)
    for page in pages:
        page.locator("body:not([data-lifting])").wait_for(timeout=WHOLE_GAME_MS)


def digits(page: Page) -> list[int]:
    """The board row by row; 0 is a stone."""
    found: list[int] = page.evaluate(OPEN_DIGITS)
    return found


def count_open(page: Page) -> int:
    return sum(digit > 0 for digit in digits(page))


def cell(page: Page, number: int) -> Locator:
    return page.locator(f"[data-cell='{number}']")


def stones_of(page: Page, seat: int) -> Locator:
    return page.locator(f"[data-seat='{seat}'] [data-count]")


def result(page: Page) -> Locator:
    return page.locator("dialog[open]")


def units_of(number: int) -> tuple[list[int], list[int], list[int]]:
    """The cells of a cell's row, column and square."""
    row, column = divmod(number, 9)
    corner = row // 3 * 27 + column // 3 * 3
    return (
        [row * 9 + each for each in range(9)],
        [each * 9 + column for each in range(9)],
        [corner + each // 3 * 9 + each % 3 for each in range(9)],
    )


def said_of(number: int, board: list[int]) -> str:
    """What a screen reader says of a stone, worked out anew."""
    row, column, square = (
        ", ".join(str(digit) for digit in sorted(board[each] for each in unit) if digit) or "nothing"
        for unit in units_of(number)
    )
    place = f"Row {number // 9 + 1}, column {number % 9 + 1}, stone."
    return f"{place} In its row: {row}. In its column: {column}. In its square: {square}."


def frames_of(page: Page) -> list[dict[str, Any]]:
    """Everything the page hears from its table from now on."""
    heard: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(json.loads(frame)))

    page.on("websocket", listen)
    return heard


def grids_in(value: Any) -> list[Any]:
    """Every grid that is told anywhere in a message."""
    if isinstance(value, dict):
        own = [value["grid"]] if value.get("grid") else []
        return own + [grid for item in value.values() for grid in grids_in(item)]
    return [grid for item in value for grid in grids_in(item)] if isinstance(value, list) else []


def test_two_people_finish_in_two_browsers_and_look_at_it_again(visitor: Visitor) -> None:
    ana, bo = visitor(), visitor(locale="fr-FR")
    heard = frames_of(bo)
    table = set_table(ana, "kakuzu", ["me", "open"])
    bo.goto(f"/t/{table}")
    bo.get_by_role("button", name=re.compile("place 2")).click()
    expect(ana.locator("li.person")).to_have_count(2)
    ana.get_by_role("button", name="Begin").click()
    lift_until(WAY_THROUGH, ana, bo)

    nothing_hidden_is_on_the_page(ana)
    assert [grid for frame in heard for grid in grids_in(frame)] == []
    seen = digits(bo)
    bo.reload()
    bo.locator("[role=grid]").wait_for()
    assert all(now == before for now, before in zip(digits(bo), seen, strict=True) if before)

    lift_until(81, ana, bo)
    for page in (ana, bo):
        result(page).wait_for()
    scores = [int(text) for text in result(ana).locator("tfoot td").all_inner_texts()]
    assert sum(scores) == 72
    assert result(bo).locator("tfoot td").all_inner_texts() == [str(score) for score in scores]
    grids = [grid for frame in heard for grid in grids_in(frame)]
    assert digits(ana) == digits(bo) == [digit for row in grids[-1] for digit in row]

    ana.get_by_role("button", name="Go through it with the coach").click()
    review_is_right(ana, scores)

    # Whoever was sent the link may ask the coach too, once the game is over.
    stranger = visitor()
    stranger.goto(f"/replay/{table}")
    stranger.get_by_role("button", name="To the end").click()
    review_is_right(stranger, scores)


def nothing_hidden_is_on_the_page(page: Page) -> None:
    """A stone says its place and what lies open around it, and has nothing else to tell."""
    board = digits(page)
    stones = [number for number, digit in enumerate(board) if digit == 0]
    assert stones
    told: list[list[Any]] = page.evaluate(
        """() => [...document.querySelectorAll('.cell:not(.open)')].map(cell => [
          Number(cell.dataset.cell), cell.textContent.trim(), cell.getAttribute('aria-label'),
          [...cell.attributes].map(each => each.name).filter(name => !/^(class|data-cell|aria-label)$/.test(name))
            .map(name => cell.getAttribute(name)).filter(value => /[1-9]/.test(value.replace('-1', ''))),
        ])"""
    )
    assert told == [[number, "", said_of(number, board), []] for number in stones]


def review_is_right(page: Page, scores: list[int]) -> None:
    """The chart ends with the scores, and the board goes back to any lift."""
    review = page.locator("[data-review]")
    review.wait_for(timeout=120_000)  # every lift is judged anew, on a machine that may be busy
    expect(review.locator("[data-chart] .actual")).to_have_count(2)
    label = review.locator("[data-chart]").get_attribute("aria-label") or ""
    assert [int(count) for count in re.findall(r"(\d+) stones", label)] == scores
    slider = review.get_by_role("slider")
    slider.fill("20")
    expect(review.locator("[data-lift]")).to_have_attribute("data-lift", "20")
    assert count_open(page) == 9 + 20
    lifted = int(page.locator(".cell.chosen").get_attribute("data-cell") or -1)
    assert digits(page)[lifted] == 0
    review.get_by_role("button", name="Next lift").click()
    expect(cell(page, lifted)).to_have_class(re.compile("open"))
    axe(page)


def test_a_hint_gives_the_odds_and_then_a_deduction_that_is_right(visitor: Visitor) -> None:
    page = visitor()
    set_table(page, "kakuzu", ["me"])
    lift_until(9, page)
    page.locator(MAY).first.wait_for()
    page.get_by_role("button", name="Hint").click()
    hint = page.locator("[data-hint]")
    hint.wait_for()
    if hint.locator("[data-certain]").count() == 0:
        expect(page.locator(".cell.chance")).to_have_count(1)
        expect(hint.locator(".chances b").first).to_have_text(re.compile(r"\d+%"))

    lift_until(WAY_THROUGH, page)
    while True:
        page.locator(MAY).first.wait_for()
        expect(hint).to_have_count(0)  # what was said of another position is gone
        page.keyboard.press("h")
        hint.wait_for()
        certain = hint.locator("[data-certain]")
        if certain.count() == 0:
            page.locator(".cell.chance").click()
            continue
        proved = int(certain.first.get_attribute("data-certain") or -1)
        plain = is_the_only_place_left(page, hint, proved)
        if plain:
            axe(page)
        lifting_it_finds_the_digit(page, proved)
        if plain:
            break


def is_the_only_place_left(page: Page, hint: Locator, proved: int) -> bool:
    """Whether the hint is a single thought, the only place left; if so, what is lit must be why."""
    expect(cell(page, proved)).to_have_class(re.compile(r"\bcertain\b"))
    technique = hint.locator("[data-technique]").get_attribute("data-technique")
    if technique != "hidden_single" or hint.locator("ol li").count() > 1:
        return False
    wanted, board = wanted_on(page), digits(page)
    lit, because = set(numbers(page, ".area, .because")), numbers(page, ".because")
    assert all(board[each] == wanted for each in because)
    forbidden = {each for forcing in because for unit in units_of(forcing) for each in unit}
    looked_at = [unit for unit in units_of(proved) if set(unit) - {proved} <= lit]
    assert len(looked_at) == 1
    assert all(board[each] or each in forbidden for each in looked_at[0] if each != proved)
    return True


def lifting_it_finds_the_digit(page: Page, proved: int) -> None:
    wanted, before = wanted_on(page), int(stones_of(page, 0).inner_text())
    cell(page, proved).click()
    expect(cell(page, proved).locator(".digit")).to_have_text(str(wanted))
    expect(stones_of(page, 0)).to_have_text(str(before + 1))


def wanted_on(page: Page) -> int:
    return int(page.locator("[data-wanted] [data-token]").inner_text())


def numbers(page: Page, selector: str) -> list[int]:
    """The numbers of the cells with a style."""
    found: list[int] = page.locator("[role=grid]").evaluate(
        "(grid, selector) => [...grid.querySelectorAll(selector)].map(cell => Number(cell.dataset.cell))",
        selector,
    )
    return found


def test_on_the_tournament_clock_time_runs_out_and_the_game_with_it(visitor: Visitor) -> None:
    page = visitor()
    set_table(page, "kakuzu", ["me", "me"], clock_s=6)
    expect(page.get_by_role("timer")).to_have_count(2)
    expect(page.locator(".clock.running")).to_have_count(1)
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    lift_until(12, page)

    result(page).wait_for()  # nobody lifts a stone any more
    for seat in (0, 1):
        expect(page.locator(f"[data-seat='{seat}'] [role=timer]")).to_have_text("0:00")
    expect(page.locator(".kz-log li", has_text="no time left; the turn passes.").first).to_be_attached()
    scores = [int(text) for text in result(page).locator("tfoot td").all_inner_texts()]
    assert sum(scores) == max(0, count_open(page) - 9)
    expect(page.locator(".cell:not(.open) .left")).to_have_count(81 - count_open(page))
    page.keyboard.press("Escape")
    page.locator("[data-review]").wait_for()  # the coach was silent only while the game lasted


def test_a_reload_gives_no_time_back(visitor: Visitor, house: ServerProcess) -> None:
    """What the move costs is the time between the two steps of the log, whatever the page did meanwhile."""
    page = visitor()
    table = set_table(page, "kakuzu", ["me"], clock_s=600)
    page.locator(MAY).first.click()
    expect(page.locator(".cell.open")).to_have_count(1)
    page.wait_for_timeout(1500)
    page.reload()
    page.locator(MAY).first.wait_for()
    page.wait_for_timeout(1500)
    page.locator(MAY).first.click()
    expect(page.locator(".cell.open")).to_have_count(2)
    _, before, last = log_of(house.data, table)
    (spent,) = (fact["ms"] for fact in json.loads(last[4]) if fact.get("fact") == "time_spent")
    assert spent / 1000 == pytest.approx(last[1] - before[1], abs=0.2)
    assert spent >= 3000


def test_the_keyboard_opens_names_lifts_and_pencils(visitor: Visitor) -> None:
    page = visitor()
    table = set_table(page, "kakuzu", ["me"], announce=True)
    page.locator(MAY).first.wait_for()
    page.keyboard.press("ArrowDown")
    expect(cell(page, 40)).to_be_focused()
    assert cell(page, 40).get_attribute("aria-label") == said_of(40, [0] * 81)
    for steps in ("", "ArrowUp ArrowUp ArrowUp", "ArrowRight ArrowRight ArrowRight"):
        for step in steps.split():
            page.keyboard.press(step)
        had = count_open(page)
        page.keyboard.press("Enter")
        expect(page.locator(".cell.open")).to_have_count(had + 1)
        page.locator(MAY).first.wait_for()
    assert [number for number, digit in enumerate(digits(page)) if digit] == [13, 16, 40]
    lift_until(9, page)

    expect(page.locator("[data-naming] button").first).to_be_focused()
    page.keyboard.press("7")
    expect(page.locator("[data-wanted]")).to_have_text("7")
    stone = int(page.locator(MAY).nth(20).get_attribute("data-cell") or -1)
    cell(page, stone).focus()
    page.keyboard.press("3")
    page.keyboard.press("8")
    page.keyboard.press("3")
    expect(cell(page, stone).locator(".marks")).to_have_text("8")
    page.reload()
    expect(cell(page, stone).locator(".marks")).to_have_text("8")
    assert "Your marks: 8." in (cell(page, stone).get_attribute("aria-label") or "")

    eve = visitor()
    eve.goto(f"/t/{table}")
    expect(eve.locator(".cell.open")).to_have_count(9)
    expect(eve.locator(".marks, .may")).to_have_count(0)

    cell(page, stone).focus()
    page.keyboard.press("Enter")
    expect(cell(page, stone)).to_have_class(re.compile("open"))


def test_marks_that_cannot_be_are_struck_out_when_asked_for(visitor: Visitor) -> None:
    page = visitor()
    set_table(page, "kakuzu", ["me"])
    lift_until(9, page)
    page.locator(MAY).first.wait_for()
    board = digits(page)
    seen = next(number for number, digit in enumerate(board) if digit)
    stone = next(number for number in units_of(seen)[2] if board[number] == 0)
    other = next(
        digit
        for digit in range(1, 10)
        if all(board[each] != digit for unit in units_of(stone) for each in unit)
    )
    page.get_by_role("button", name="Pencil").click()
    for digit in (board[seen], other):
        page.get_by_role("button", name=f"Mark {digit}").click()
        cell(page, stone).click()
    expect(cell(page, stone).locator(".wrong")).to_have_count(0)
    page.get_by_role("button", name="Conflicts").click()
    expect(cell(page, stone).locator(".wrong")).to_have_text(str(board[seen]))
    expect(cell(page, stone)).not_to_have_class(re.compile(r"\bopen\b"))  # a pencil lifts nothing
    axe(page)
    page.get_by_role("button", name="Erase marks").click()
    expect(page.locator(".marks")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360), (1280, 800), (1920, 1080)])
def test_fits_and_reads_well_at_every_width(visitor: Visitor, width: int, height: int) -> None:
    page = visitor(locale="fr-FR", width=width, height=height)
    set_table(page, "kakuzu", ["me", "me", "me", "me"], same_digit=True, clock_s=3600)
    lift_until(12, page)
    page.locator(MAY).first.wait_for()
    fits(page)
    axe(page)
    expect(page.locator("[role=grid]")).to_be_in_viewport(ratio=0.9)
    page.goto("/how/kakuzu")
    page.get_by_role("heading", name="Comment jouer").wait_for()
    fits(page)
    axe(page)


def test_a_finger_chooses_a_stone_before_it_lifts_it(visitor: Visitor) -> None:
    page = visitor(width=360, height=740, has_touch=True, is_mobile=True)
    set_table(page, "kakuzu", ["me"])
    lift_until(9, page)
    page.locator(MAY).first.wait_for()
    stone = int(page.locator(MAY).nth(30).get_attribute("data-cell") or -1)
    cell(page, stone).tap()
    expect(page.get_by_text("Tap the stone again to lift it.")).to_be_visible()
    expect(cell(page, stone)).not_to_have_class(re.compile(r"\bopen\b"))
    cell(page, stone).tap()
    expect(cell(page, stone)).to_have_class(re.compile(r"\bopen\b"))
