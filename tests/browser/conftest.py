"""Fixtures for tests in a real Chromium against a real server.

* ``house``: a server on a free port with its own data directory, one for each test module;
  ``house.kill()`` is a power cut, ``house.start()`` opens it again at the same address.
* ``own_house``: a function that opens a house of one's own, for a test that kills it or needs
  other settings: ``own_house(KOTATSU_GAMES=str(folder))``.
* ``visitor``: a function that gives a page in a browser context of its own (own cookie, own language,
  own size): ``ana = visitor(locale="fr-FR", width=360, height=740)``. Motion is reduced unless
  ``motion=True``. An error in a page's script fails the test.
* ``set_table(page, "kimono", ["me", "random"], option=…)``: a table whose game has begun, on that page
  (a seat that is ``"open"`` leaves it gathering).
* ``axe(page)``: fails on what axe-core calls serious or critical.
* ``fits(page)``: fails when the page scrolls sideways.

Mark browser test modules with ``pytestmark = pytest.mark.browser``. Without a Chromium they are skipped,
and say so. Playwright's loop lives as long as its module, so that asynchronous tests can follow in the
same process. When a test fails, what its pages looked like is kept in ``shots/``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.server_process import ServerProcess
from tests.browser.wire import Wire
from tests.tools import browser as chromium

ROOT = Path(__file__).parents[2]
SITE = ROOT / "src" / "kotatsu" / "server" / "site" / "index.html"
SHOTS = ROOT / "shots"
PATIENCE_MS = 30_000
NO_BROWSER = (
    "*** NO CHROMIUM: this browser test did not run. Install one, name one in KOTATSU_CHROMIUM, "
    "or run `python -m tests.tools.browser`. ***"
)
NO_SITE = "*** the page is not built: this browser test did not run. Run `make web`. ***"
FAILED = pytest.StashKey[bool]()

OwnHouse = Callable[..., ServerProcess]
Visitor = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium_path() -> str:
    path = chromium.find()
    if path is None:
        pytest.skip(NO_BROWSER)
    if not SITE.exists():
        pytest.skip(NO_SITE)
    return path


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium_path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield started
        started.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Iterator[ServerProcess]:
    opened = ServerProcess(tmp_path_factory.mktemp("house"))
    opened.start()
    yield opened
    opened.close()


@pytest.fixture
def own_house(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Iterator[OwnHouse]:
    houses: list[ServerProcess] = []

    def open_one(**environment: str) -> ServerProcess:
        houses.append(ServerProcess(tmp_path_factory.mktemp("own-house"), environment))
        houses[-1].start()
        return houses[-1]

    yield open_one
    for each in houses:
        each.close()


@pytest.fixture
def visitor(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    pages: list[Page] = []
    errors: list[str] = []

    def arrive(
        house: ServerProcess | Wire | None = None,
        *,
        locale: str = "en-GB",
        width: int = 1280,
        height: int = 800,
        motion: bool = False,
        **context: Any,
    ) -> Page:
        at: ServerProcess | Wire = house or request.getfixturevalue("house")
        page = browser.new_context(
            base_url=at.address,
            locale=locale,
            viewport={"width": width, "height": height},
            reduced_motion="no-preference" if motion else "reduce",
            **context,
        ).new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: errors.append(str(error)))
        pages.append(page)
        return page

    yield arrive
    if request.node.stash.get(FAILED, False):
        _keep_shots(request.node.name, pages)
    for page in pages:
        page.context.close()
    assert not errors, f"errors in the page: {errors}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


def _keep_shots(test: str, pages: list[Page]) -> None:
    SHOTS.mkdir(exist_ok=True)
    for number, page in enumerate(pages):
        page.screenshot(path=SHOTS / f"{test.replace('/', '_')}-{number}.png", full_page=True)


def set_table(page: Page, game: str, seats: list[str], **options: Any) -> str:
    """Make a table through the API, as the page's visitor, and go there. Gives the table's id."""
    start = "open" not in seats
    body = {"game": game, "players": len(seats), "seats": seats, "options": options, "start": start}
    answer = page.request.post("/api/tables", data=body)
    assert answer.ok, answer.text()
    table: str = answer.json()["table"]["id"]
    page.goto(f"/t/{table}")
    expect(page.locator("[data-connection=open]")).to_be_attached()
    return table


def axe(page: Page) -> None:
    """Nothing serious or critical on the page as it is now."""
    found = [
        f"{each['impact']}: {each['id']}: {each['help']}\n  "
        + "\n  ".join(node["html"][:200] + " :: " + node["failureSummary"] for node in each["nodes"][:5])
        for each in Axe().run(page).response["violations"]
        if each["impact"] in ("serious", "critical")
    ]
    assert not found, "\n".join(found)


def fits(page: Page) -> None:
    """The page is not wider than its window."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"the page is {wide} px wider than its window"
