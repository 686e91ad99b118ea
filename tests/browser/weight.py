"""How much comes over the wire for a page, as Chromium counts it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page


def transferred(page: Page, address: str) -> dict[str, int]:
    """The bytes of each answer as they came over the wire, headers included."""
    wire = page.context.new_cdp_session(page)
    names: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def answered(event: dict[str, Any]) -> None:
        names[event["requestId"]] = event["response"]["url"]

    def finished(event: dict[str, Any]) -> None:
        if event["requestId"] in names:
            sizes[names[event["requestId"]]] = int(event["encodedDataLength"])

    wire.on("Network.responseReceived", answered)
    wire.on("Network.loadingFinished", finished)
    wire.send("Network.enable")
    page.goto(address, wait_until="networkidle")
    wire.detach()
    return sizes
