"""Three people at one table of Kabuki, each in a browser of their own, who remember everything."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

MASKS = ("fox", "flame", "monkey", "catfish", "spider", "ghost", "demon", "hawk", "moon", "peony")

REMEMBER_CHECKS = """
window.checks = [];
new MutationObserver(() => {
  const open = document.querySelector('[data-check]');
  if (!open?.querySelector('[data-mask]') || open.dataset.seen) return;
  open.dataset.seen = 'yes';
  window.checks.push({
    caller: Number(open.dataset.caller),
    matches: Number(open.dataset.matches),
    masks: [...open.querySelectorAll('[data-mask]')].map((mask) => Number(mask.dataset.mask)),
    decided: open.querySelector('[data-receipt] p').innerText,
    presses: [...open.querySelectorAll('[data-receipt] tbody tr')].map((row) => row.innerText.split('\\t')),
  });
  document.documentElement.dataset.checks = window.checks.length;
}).observe(document, { childList: true, subtree: true });
"""
"""A check is open for a second; a busy machine may look away for as long."""

SHOWN = """() => {
  const masks = (part) => [...document.querySelectorAll(`${part} [data-mask]`)].map((mask) => mask.dataset.mask);
  const copy = document.documentElement.cloneNode(true);
  copy.querySelectorAll('.sprite').forEach((sprite) => sprite.remove());
  return {
    checking: document.querySelector('[data-check]') !== null,
    open: [...masks('[data-top]'), ...masks('[data-drawn]')].map(Number),
    all: [...document.querySelectorAll('[data-mask]')].map((mask) => Number(mask.dataset.mask)),
    page: copy.outerHTML,
  };
}"""


def stop_button(page: Page) -> Locator:
    return page.locator("[data-stop]")


def only_open_masks(page: Page) -> None:
    """No node, label or text of the page names a mask that lies covered, unless a stack is being checked."""
    shown: dict[str, Any] = page.evaluate(SHOWN)
    if shown["checking"]:
        return
    assert sorted(shown["all"]) == sorted(shown["open"])
    named = {
        mask for mask, name in enumerate(MASKS) if re.search(rf"\b{name}\b", shown["page"], re.IGNORECASE)
    }
    assert named <= set(shown["open"]), f"{named} are named, {shown['open']} lie open"


class Evening:
    """Drives the pages, one for each seat, and keeps account of what the page must not."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = pages
        self.stacks: list[list[int]] = [[], [], [], []]
        self.tokens: list[int] = []
        self.turn = 0
        self.calls: list[bool] = []
        self.receipt: list[list[str]] = []

    @property
    def others(self) -> list[int]:
        """Who may call on the mask placed last, from the placer's left."""
        return [(self.turn + step) % len(self.pages) for step in range(len(self.pages) - 1)]

    @property
    def round_is_over(self) -> bool:
        return 0 in self.tokens

    def begin_round(self, number: int) -> None:
        self.stacks = [[], [], [], []]
        self.tokens = [5] * len(self.pages)
        for page in self.pages:
            expect(page.get_by_text(f"Round {number} of 3")).to_be_visible()
            expect(page.locator("[data-drawn]")).to_be_visible()
            expect(page.locator("[data-top]")).to_have_count(0)
        self.turn = int(self.pages[0].locator("tr.turn").get_attribute("data-seat") or 0)

    def drawn(self) -> int:
        page = self.pages[self.turn]
        expect(page.locator(".actor:enabled")).to_have_count(4)
        return int(page.locator("[data-drawn] [data-mask]").get_attribute("data-mask") or 0)

    def place(self, stack: int) -> int:
        """The mask just drawn goes to an actor; gives how often they had worn it."""
        mask = self.drawn()
        self.pages[self.turn].keyboard.press(str(stack + 1))
        matches = self.stacks[stack].count(mask)
        self.stacks[stack].append(mask)
        self.turn = (self.turn + 1) % len(self.pages)
        for page in self.pages:
            expect(page.locator(f'[data-actor="{stack}"] .height')).to_have_text(str(len(self.stacks[stack])))
            expect(page.locator(f'[data-actor="{stack}"] [data-mask]')).to_have_attribute(
                "data-mask", str(mask)
            )
        return matches

    def place_where_it_is_new(self) -> None:
        mask = self.drawn()
        self.place(next(number for number, worn in enumerate(self.stacks) if mask not in worn))

    def pass_all(self) -> None:
        for seat in self.others:
            self.pages[seat].keyboard.press("p")

    def call(self, *seats: int, matches: int) -> None:
        """These press the space bar; the first counts. Everyone sees the same fan and the same receipt."""
        for seat in seats:
            expect(stop_button(self.pages[seat])).to_have_attribute("aria-disabled", "false")
        for page in self.pages:
            page.evaluate("window.checks = []; delete document.documentElement.dataset.checks")
        for seat in seats:
            self.pages[seat].keyboard.press("Space")
        for page in self.pages:
            expect(page.locator("html")).to_have_attribute("data-checks", "1")
        check, *same = [page.evaluate("window.checks[0]") for page in self.pages]
        assert all(each == check for each in same)
        assert check["matches"] == matches
        assert check["masks"] in self.stacks
        assert check["caller"] in seats
        self.calls.append(matches > 0)
        self.receipt = check["presses"]
        self._settle(check["caller"], matches)

    def _settle(self, caller: int, matches: int) -> None:
        placer = (self.turn - 1) % len(self.pages)
        if matches == 0:
            self.tokens[caller] -= 1
            return
        moved = min(matches, self.tokens[placer])
        self.tokens[caller] += moved
        self.tokens[placer] -= moved
