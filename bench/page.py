"""What the first page costs in a real Chromium: kilobytes over the wire, and seconds until it can be used.

The processor is slowed down four times, as Lighthouse does for a phone. A page can be used when the button
that starts a game is there and the main thread has finished its last long task.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.server_process import ServerProcess
from tests.browser.weight import transferred
from tests.tools import browser as chromium

GOAL_KB, GOAL_S = 250, 1.5
"""The project's goals: kilobytes of the first page, and seconds until it can be used."""
SLOWDOWN = 4
"""How many times slower the processor is made; Lighthouse's figure for a phone."""
BUTTON = "main article button"
"""The button that starts a game, as a CSS selector."""
_WATCH = """
window.longTasks = [];
new PerformanceObserver(list => {
  for (const task of list.getEntries()) window.longTasks.push(task.startTime + task.duration);
}).observe({type: 'longtask', buffered: true});
new MutationObserver((_, watching) => {
  if (document.querySelector('%s')) {
    window.buttonAt = performance.now();
    watching.disconnect();
  }
}).observe(document, {childList: true, subtree: true});
"""
"""Runs in the page: notes when each long task ended and when the button appeared."""


def seconds_until_usable(page: Page, address: str) -> float:
    """Open a page on a slow processor; returns the seconds from the start of the navigation."""
    wire = page.context.new_cdp_session(page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.add_init_script(_WATCH % BUTTON)
    page.goto(address, wait_until="networkidle")
    page.wait_for_function("window.buttonAt")
    page.wait_for_timeout(1000)
    found: float = page.evaluate("Math.max(window.buttonAt, ...window.longTasks)")
    wire.detach()
    return found / 1000


def measure(started: Browser, address: str, runs: int) -> None:
    """Measure the first page and print the result.

    Args:
        started: The browser.
        address: The address of the server.
        runs: How often to open the page.
    """
    page = started.new_context(base_url=address).new_page()
    sizes = transferred(page, "/")
    kilobytes = sum(sizes.values()) / 1000
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        print(f"{size / 1000:>9.1f} kB  {name.removeprefix(address)}")
    print(f"{kilobytes:>9.1f} kB  together, goal at most {GOAL_KB}: {_verdict(kilobytes <= GOAL_KB)}")
    times = []
    for _ in range(runs):
        with started.new_context(base_url=address) as context:
            times.append(seconds_until_usable(context.new_page(), "/"))
    each = ", ".join(f"{seconds:.2f}" for seconds in times)
    usable = median(times)
    print(f"usable after {usable:.2f} s on a {SLOWDOWN}× slower processor (median of {each})")
    print(f"goal under {GOAL_S} s: {_verdict(usable < GOAL_S)}")


def _verdict(reached: bool) -> str:
    return "reached" if reached else "missed"


def main() -> None:
    """Start a server and a browser, and measure the first page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3, help="how often the page is opened")
    args = parser.parse_args()
    path = chromium.find()
    if path is None:
        print("not measured: there is no Chromium (python -m tests.tools.browser)")
        return
    with TemporaryDirectory(prefix="kotatsu-bench-") as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder))
        server.start()
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            measure(started, server.address, args.runs)
        finally:
            started.close()
            server.close()


if __name__ == "__main__":
    main()
