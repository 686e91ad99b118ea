"""Kaboum's words: moves, facts, what the referee sees, state and view. No rules."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from kotatsu.engine.contract import Fact, Move, Options, Outcome, Seat
from kotatsu.games.kaboum.data import DICE, PIECES, TILES

Assist = Literal["none", "guide", "snap"]
Physics = Literal["board", "real"]
Phase = Literal["ready", "running", "over"]
TileNumber = Annotated[int, msgspec.Meta(ge=0, le=TILES - 1)]
DieNumber = Annotated[int, msgspec.Meta(ge=0, le=DICE - 1)]
PieceNumber = Annotated[int, msgspec.Meta(ge=0, le=len(PIECES) - 1)]
STRIKE_PLACES = 24
"""Places of the table's edge that can be struck. Chosen by hand: one every 15 degrees."""
STRIKE_POWERS = 11
"""Strengths of a strike, 0 the weakest. Chosen by hand: finer than anybody times the gauge."""


class KaboumOptions(Options, frozen=True):
    """KA-23, KA-24.

    ``assist`` is one for all seats, or a list with one for each (``guide`` where it is short). ``rounds``: how often
    each player builds at most; 0 for no such cap.
    """

    hourglass_s: Annotated[int, msgspec.Meta(ge=30, le=180)] = 60
    physics: Physics = "board"
    assist: Assist | tuple[Assist, ...] = "guide"
    rounds: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0

    def assist_of(self, seat: Seat) -> Assist:
        """How much the hand of a seat is helped."""
        if isinstance(self.assist, tuple):
            return self.assist[seat] if seat < len(self.assist) else "guide"
        return self.assist


class Flip(Move, frozen=True):
    """The builder turns the hourglass."""


class Grab(Move, frozen=True):
    """The builder takes a piece in hand."""

    piece: PieceNumber


class Release(Move, frozen=True):
    """The builder lets go."""


class Fire(Move, frozen=True):
    """A saboteur shoots the way the catapult is aimed."""


class Strike(Move, frozen=True):
    """One blow on the table's edge: at one of 24 places, counted from the builder's left corner, 0 to 10 strong."""

    at: Annotated[int, msgspec.Meta(ge=0, le=STRIKE_PLACES - 1)]
    power: Annotated[int, msgspec.Meta(ge=0, le=STRIKE_POWERS - 1)]


class TableLaid(Fact, frozen=True):
    """Which small tile lies at each place, who builds first, and who has the large die then.

    ``tiles``: those in play; ``turns``: how many there are at most, ``null`` for no cap (KA-24).
    """

    layout: tuple[int, ...]
    builder: Seat
    big_die: Seat
    tiles: tuple[int, ...]
    turns: int | None


class TurnStarted(Fact, frozen=True):
    """The hourglass runs. ``ammo``: small dice of each seat; ``tiles``: those still in play."""

    turn: int
    builder: Seat
    ammo: tuple[int, ...]
    big_die: Seat
    tiles: tuple[int, ...]


class Fired(Fact, frozen=True):
    """A saboteur has shot a die; ``big`` for the large one."""

    seat: Seat
    die: int
    big: bool


class Landed(Fact, frozen=True):
    """``tile``: the number of the tile it lies on, ``null`` beside them all, ``"off"`` if it left the table."""

    seat: Seat
    die: int
    big: bool
    tile: int | Literal["off"] | None
    kaboum: bool


class TileBlocked(Fact, frozen=True, tag="blocked"):
    """A die lies on a tile: no tower may be begun or continued there (KA-10)."""

    tile: int


class Completed(Fact, frozen=True):
    """A tower stands complete and correct on its tile (KA-22)."""

    tile: int


class Toppled(Fact, frozen=True):
    """A tower that stood complete has fallen."""

    tile: int


class QuakeGranted(Fact, frozen=True):
    """A seat may strike the table once (KA-12)."""

    seat: Seat


class Quake(Fact, frozen=True):
    """A seat has struck the table."""

    seat: Seat


class TurnBroken(Fact, frozen=True):
    """The world went wrong: the turn does not count and is begun again."""

    turn: int


class KaboumTurnEnded(Fact, frozen=True, tag="turn_ended"):
    """``builder`` takes the tiles ``scored``; ``next`` builds in the next turn, and ``big_die`` has the large die."""

    builder: Seat
    scored: tuple[int, ...]
    points: int
    next: Seat
    big_die: Seat


class KaboumGameEnded(Fact, frozen=True, tag="game_ended"):
    """``breakdown``: the tiles of each seat, and what each is worth.

    ``capped``: the cap on turns ended it, before anybody had enough points (KA-24).
    """

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    breakdown: tuple[dict[str, int], ...]
    capped: bool


KaboumMove = Flip | Grab | Release | Fire | Strike
KaboumFact = (
    TableLaid
    | TurnStarted
    | Fired
    | Landed
    | TileBlocked
    | Completed
    | Toppled
    | QuakeGranted
    | Quake
    | TurnBroken
    | KaboumTurnEnded
    | KaboumGameEnded
)


class DieRests(msgspec.Struct, frozen=True, tag=True):
    """The referee saw a die come to rest, or leave the table."""

    die: DieNumber
    tile: int | Literal["off"] | None
    kaboum: bool


class TowerStands(msgspec.Struct, frozen=True, tag=True):
    """The referee saw the tower of a tile complete and correct."""

    tile: TileNumber


class TowerFell(msgspec.Struct, frozen=True, tag=True):
    """The referee saw that a tower that was complete no longer is."""

    tile: TileNumber


class WorldBroke(msgspec.Struct, frozen=True, tag=True):
    """The world cannot go on."""


Sighting = DieRests | TowerStands | TowerFell | WorldBroke


class Shot(msgspec.Struct, frozen=True):
    """A die of this turn that has left its catapult; ``tile`` and ``kaboum`` are known once it has ``landed``."""

    seat: Seat
    die: int
    big: bool
    landed: bool = False
    tile: int | Literal["off"] | None = None
    kaboum: bool = False


class KaboumState(msgspec.Struct, frozen=True, gc=False):
    """The fold of the facts.

    ``turn`` of ``turns`` (``None``: no cap) is the one under way, or the last one; ``capped`` is whether that cap
    ended the game. ``builder`` and ``big_die`` are those of the turn under
    way, or of the next one; ``big_left`` is whether the large die has not been shot yet. ``striker`` may strike;
    ``granted`` is whether this turn's one earthquake has been given to somebody.
    """

    options: KaboumOptions
    players: int
    won: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    tiles: tuple[int, ...] = ()
    layout: tuple[int, ...] = ()
    turn: int = 0
    turns: int | None = None
    builder: Seat = 0
    big_die: Seat = 0
    big_left: bool = False
    running: bool = False
    ammo: tuple[int, ...] = ()
    shots: tuple[Shot, ...] = ()
    blocked: tuple[int, ...] = ()
    standing: tuple[int, ...] = ()
    granted: bool = False
    striker: Seat | None = None
    result: Outcome | None = None
    capped: bool = False


class KaboumView(msgspec.Struct, frozen=True):
    """What everyone sees; nothing is hidden at this table.

    ``won``: the tiles each seat has taken; ``points``: what they are worth. ``ammo``: small dice each seat
    still has; ``big_left`` whether ``big_die`` still has the large one. ``turns_left``: after this one, ``null`` for no
    cap; ``capped``: the game is over because none was left (KA-24).
    """

    phase: Phase
    turn: int
    builder: Seat
    layout: tuple[int, ...]
    tiles: tuple[int, ...]
    won: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    ammo: tuple[int, ...]
    big_die: Seat
    big_left: bool
    shots: tuple[Shot, ...]
    blocked: tuple[int, ...]
    standing: tuple[int, ...]
    striker: Seat | None
    turns_left: int | None
    result: Outcome | None
    capped: bool
