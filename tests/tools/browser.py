"""A Chromium for the browser tests: an installed one, else Debian's, else Playwright's own download.

``python -m tests.tools.browser`` gets one if it can and says loudly if it cannot.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """The path of a Chromium that can be started, or ``None``."""
    chosen = os.environ.get("KOTATSU_CHROMIUM")
    if chosen:
        return chosen
    for name in NAMES:
        if path := shutil.which(name):
            return path
    return _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def _attempts() -> list[tuple[str, list[list[str]]]]:
    attempts = []
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        apt = ["apt-get", "-qq", "-o=Dpkg::Use-Pty=0"]
        debian = [[*apt, "update"], [*apt, "install", "-y", "--no-install-recommends", "chromium"]]
        attempts.append(("Debian's package", debian))
    attempts.append(("Playwright's download", [[sys.executable, "-m", "playwright", "install", "chromium"]]))
    return attempts


def get() -> str | None:
    """Find a Chromium, installing one if there is none."""
    if path := find():
        return path
    for how, commands in _attempts():
        sys.stderr.write(f"No Chromium here; trying {how} …\n")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in commands:
            done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
            if done.returncode:
                sys.stderr.write(f"{how} failed: {(done.stderr or done.stdout).strip()[-400:]}\n")
                break
        if path := find():
            return path
    return None


if __name__ == "__main__" and get() is None:
    sys.stderr.write(
        "\n*** No Chromium could be found or installed: THE BROWSER TESTS WILL BE SKIPPED. ***\n"
        "*** Install one, or name one in the environment variable KOTATSU_CHROMIUM.    ***\n\n"
    )
