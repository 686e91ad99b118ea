"""Hands for Kaboum's screen: real mouse, keys and fingers, put where the page says things are."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import hypot
from typing import Any, NamedTuple

from playwright.sync_api import ElementHandle, Page, WebSocket

from kotatsu.games.kaboum.data import PIECES, PLACES
from kotatsu.games.kaboum.rail import rail_place
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.world import stock_place

MM = 0.001
HOVER = 0.014
"""How far over its place a carried piece is shown."""
STEP, FINE = 0.01, 0.002
"""What an arrow key moves a piece, without and with Shift."""
NEAR = 0.04
AT_ONCE = 4
"""A key does not run further ahead of the piece than a few steps."""
THREE_PIECES = range(6)
RANGE = 0.3
"""About how far a weak shot goes."""
PULLED = 0.03
"""How far a catapult is pulled back for it, in metres."""
PATIENCE_S = 30.0
"""For something that happens while the hourglass runs."""


class Piece(NamedTuple):
    """One piece of a tower: which, and where its middle belongs."""

    number: int
    at: tuple[float, float, float]


class Player:
    """One browser at a table, what it was told and what it sent."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.facts: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.frames = 0
        self.layout: list[int] = []
        self._away: set[int] = set()
        self.builder = -1
        page.on("websocket", self._listen)

    @property
    def canvas(self) -> ElementHandle:
        found = self.page.wait_for_selector("canvas")
        assert found is not None
        return found

    @property
    def left(self) -> list[int]:
        """The tiles nobody has taken yet."""
        taken = [tile for fact in self.facts if fact["fact"] == "turn_ended" for tile in fact["scored"]]
        return [tile for tile in self.layout if tile not in taken]

    def until(self, happened: Callable[[], bool], what: str) -> None:
        """Wait for something this browser hears or says."""
        for _ in range(int(PATIENCE_S * 10)):
            if happened():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"{what} did not happen; facts: {self.facts}")

    def hears(self, fact: str, **details: Any) -> dict[str, Any]:
        """Wait for a fact, and give it."""

        def found() -> list[dict[str, Any]]:
            wanted = {"fact": fact, **details}
            return [each for each in self.facts if wanted.items() <= each.items()]

        self.until(lambda: bool(found()), f"{fact} {details}")
        return found()[-1]

    def sees_turn(self, turn: int) -> None:
        """Wait until a turn has begun and its world is there."""
        before = self.frames
        self.hears("turn_started", turn=turn)
        self.until(lambda: self.frames > before, "a frame of the world")

    def says(self, move: str, times: int) -> None:
        """Wait until the browser has sent a move so many times."""
        self.until(lambda: [each["move"] for each in self.sent].count(move) >= times, f"{move} × {times}")

    def said(self, move: str) -> int:
        return [each["move"] for each in self.sent].count(move)

    def where(self, x: float, y: float, z: float) -> tuple[float, float]:
        """Where a point of the world is in the window."""
        spot: list[float] = self.canvas.evaluate("(canvas, at) => canvas.whereIs(...at)", [x, y, z])
        return spot[0], spot[1]

    def drag(self, piece: Piece) -> None:
        """Take a piece from the stock and put it where it belongs, by the mouse."""
        mouse, released = self.page.mouse, self.said("release")
        mouse.move(*self.where(*stock_place(piece.number)))
        mouse.down()
        x, y, z = piece.at
        mouse.move(*self.where(x, y, z + HOVER), steps=5)
        mouse.up()
        self.says("release", released + 1)

    def carry_by_keys(self, piece: Piece) -> None:
        """The same by the keyboard."""
        keyboard, released = self.page.keyboard, self.said("release")
        self._choose(piece.number)
        keyboard.press("Enter")
        self.says("grab", released + 1)
        for axis, ways in enumerate((("ArrowLeft", "ArrowRight"), ("ArrowDown", "ArrowUp"))):
            self._steer(axis, piece.at[axis], *ways)
        keyboard.press("Enter")
        self.says("release", released + 1)
        self._away.add(piece.number)

    def _steer(self, axis: int, goal: float, back: str, on: str) -> None:
        """Hold an arrow until the piece is near, then tap it, and tap it with Shift."""
        keyboard = self.page.keyboard

        def left() -> float:
            carried = [each["to"][axis] for each in self.sent if each["move"] == "carry"]
            return goal - float(carried[-1])

        self.says("carry", self.said("carry") + 1)
        if abs(left()) > 2 * NEAR:
            way = 1 if left() > 0 else -1
            keyboard.down(on if way > 0 else back)
            self.until(lambda: left() * way < NEAR, "the piece coming near")
            keyboard.up(on if way > 0 else back)
            self._comes_to_rest(left)
        while abs(left()) > FINE:
            step, prefix = (STEP, "") if abs(left()) > STEP else (FINE, "Shift+")
            key = prefix + (on if left() > 0 else back)
            for _ in range(min(AT_ONCE, round(abs(left()) / step))):
                keyboard.press(key)
            self._comes_to_rest(left)

    def _comes_to_rest(self, left: Callable[[], float]) -> None:
        """The hand has caught up with the key."""
        before = float("inf")
        while left() != before:
            before = left()
            self.says("carry", self.said("carry") + 4)

    def _choose(self, wanted: int) -> None:
        """Go from piece to piece with the arrows: down to the stock, across, then to the right row."""
        self.page.keyboard.press("ArrowDown")
        for _ in range(2 * len(PIECES)):
            chosen = int(self.canvas.get_attribute("data-chosen") or 0)
            if chosen == wanted:
                return
            across = wanted // 2 - chosen // 2
            if chosen in self._away or not across:
                key = "ArrowUp" if wanted % 2 and chosen not in self._away else "ArrowDown"
            else:
                key = "ArrowRight" if across > 0 else "ArrowLeft"
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(50)
        raise AssertionError(f"the arrows do not lead to piece {wanted}")

    def set_catapult(self, at: float) -> None:
        """Point at a place of the rail."""
        mouse = self.page.mouse
        mouse.move(*self.where(*rail_place(at), 0.02))
        mouse.down()
        mouse.up()

    def shoot(self, at: float) -> None:
        """Pull the catapult back a little from where it is, raise it by the wheel and let go."""
        mouse = self.page.mouse
        x, y = rail_place(at)
        far = 1 + PULLED / hypot(x, y)
        mouse.move(*self.where(x, y, 0.02))
        mouse.down()
        mouse.move(*self.where(x * far, y * far, 0.02), steps=4)
        mouse.wheel(0, -360)
        mouse.up()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._heard)
        socket.on("framesent", self._spoke)

    def _heard(self, payload: str | bytes) -> None:
        if isinstance(payload, bytes):
            self.frames += 1
            return
        event = json.loads(payload)
        if event.get("type") == "welcome" and event.get("view"):
            self._laid(event["view"])
        self.facts += event.get("facts", ()) if event.get("type") == "step" else ()
        for fact in self.facts:
            if fact["fact"] == "table_laid":
                self._laid(fact)

    def _laid(self, table: dict[str, Any]) -> None:
        self.layout, self.builder = table["layout"], table["builder"]

    def _spoke(self, payload: str | bytes) -> None:
        event = json.loads(payload)
        if event.get("type") == "do":
            self.sent.append(event["input"])


class Plan(NamedTuple):
    """A tower of three, its pieces where they belong, and a corner of the rail for a shot that leaves it alone."""

    tile: int
    pieces: list[Piece]
    corner: float


def plan(player: Player) -> Plan:
    """Something to build on a tile that nobody has taken yet, near the builder."""
    layout = player.layout

    def lands(corner: float) -> tuple[float, float]:
        x, y = rail_place(corner)
        left = 1 - RANGE / hypot(x, y)
        return x * left, y * left

    def apart(tile: int, corner: float) -> float:
        place, (x, y) = PLACES[layout.index(tile)], lands(corner)
        return hypot(place.x * MM - x, place.y * MM - y)

    tile = min((each for each in THREE_PIECES if each in player.left), key=lambda each: layout.index(each))
    corner = max((_corner(number) for number in range(4)), key=lambda each: apart(tile, each))
    place, free = PLACES[layout.index(tile)], list(range(len(PIECES)))
    pieces = []
    for drawn in TOWERS[tile].pieces:
        number = next(each for each in free if PIECES[each] == drawn.shape)
        free.remove(number)
        at = ((place.x + drawn.x) * MM, (place.y + drawn.y) * MM, drawn.z * MM)
        pieces.append(Piece(number, at))
    return Plan(tile, pieces, corner)


def _corner(number: int) -> float:
    x, y = (abs(each) for each in rail_place(0.0))
    sides = (0.0, 2 * x, 2 * x + 2 * y, 4 * x + 2 * y)
    return sides[number] / (4 * (x + y))
