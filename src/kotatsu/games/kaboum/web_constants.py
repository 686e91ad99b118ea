"""Figures the browser needs as well; ``make types`` writes them into ``web/constants.ts``. Metres, radians, seconds.

What ``data.json`` and ``towers.json`` say the browser reads from there.
"""

from __future__ import annotations

from typing import Any

from kotatsu.games.kaboum import codec, realtime
from kotatsu.games.kaboum.data import DICE, LARGE_DIE, PIECES, PLACES
from kotatsu.games.kaboum.game import GAME
from kotatsu.games.kaboum.inputs import MAX_PITCH
from kotatsu.games.kaboum.model import STRIKE_PLACES, STRIKE_POWERS, KaboumOptions
from kotatsu.games.kaboum.rail import GRAVITY, HALF_X, HALF_Y, LAUNCH_HEIGHT, MAX_SPEED, MIN_SPEED
from kotatsu.games.kaboum.world.scene import BODIES, FIRST_DIE, FLOOR, MM
from kotatsu.games.kaboum.world.world import HAND_SPEED, MAX_REACH, MAX_REACH_Y, stock_place

CONSTANTS: dict[str, Any] = {
    "MOST_SEATS": max(GAME.seats),
    "HOURGLASS_S": KaboumOptions().hourglass_s,
    # The bodies of the world, and where they lie.
    "DICE": DICE,
    "LARGE_DIE": LARGE_DIE,
    "FIRST_DIE": FIRST_DIE,
    "BODIES": BODIES,
    "FLOOR": FLOOR,
    "PLACES": [{"x": place.x * MM, "y": place.y * MM, "side": place.side * MM} for place in PLACES],
    "STOCK": [dict(zip("xyz", stock_place(piece), strict=True)) for piece in range(len(PIECES))],
    # The hand, the catapults and the blow on the table.
    "HAND_SPEED": HAND_SPEED,
    "MAX_REACH": {"x": MAX_REACH, "y": MAX_REACH_Y},
    "RAIL": {"x": HALF_X, "y": HALF_Y},
    "LAUNCH_HEIGHT": LAUNCH_HEIGHT,
    "MIN_SPEED": MIN_SPEED,
    "MAX_SPEED": MAX_SPEED,
    "MAX_PITCH": MAX_PITCH,
    "GRAVITY": GRAVITY,
    "STRIKE_PLACES": STRIKE_PLACES,
    "STRIKE_POWERS": STRIKE_POWERS,
    # Frames.
    "TICKS_A_SECOND": realtime.TICKS_A_SECOND,
    "TICKS_A_LOOK": realtime.TICKS_A_LOOK,
    "FRAME": codec.FRAME,
    "NO_PIECE": codec.NO_PIECE,
    "HEADER_SIZE": codec.HEADER_SIZE,
    "CHUNK": codec.CHUNK,
    "STEP_M": codec.STEP_M,
    "AIM": codec.AIM,
    "GHOST": codec.GHOST,
    "BODY_STRIDE": codec.BODY_STRIDE,
    "GHOST_STRIDE": codec.GHOST_STRIDE,
    "NOWHERE_BELOW": codec.NOWHERE_BELOW,
    "MAGIC": codec.MAGIC.decode(),
}
