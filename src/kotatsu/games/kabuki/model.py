"""Kabuki's words: moves, facts, state and view. No rules."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from kotatsu.engine.contract import Fact, Move, Options, Outcome, Seat
from kotatsu.games.kabuki.data import BOX

Mask = Annotated[int, msgspec.Meta(ge=0, le=9)]
StackNumber = Annotated[int, msgspec.Meta(ge=0, le=3)]
Cause = Literal["tokens", "deck"]
Phase = Literal["window", "place", "check", "over"]


class KabukiOptions(Options, frozen=True):
    """The pace of a table, in seconds; ``turn_s`` 0 is no limit, as usual but at tables listed in the lobby (KB-23)."""

    window_s: Annotated[float, msgspec.Meta(ge=1, le=10)] = BOX.window_s
    check_s: Annotated[float, msgspec.Meta(ge=1, le=30)] = BOX.check_s
    turn_s: Annotated[float, msgspec.Meta(ge=0, le=300)] = 0.0


class PlaceMask(Move, frozen=True, tag="place"):
    """Put the drawn mask on a stack."""

    stack: StackNumber


class Stop(Move, frozen=True):
    """Call: the mask just placed is in its stack already."""


class Pass(Move, frozen=True):
    """Decline to call on this placement."""


class RoundStarted(Fact, frozen=True):
    """A round of ``rounds`` begins. ``tokens`` are those of every seat, ``deck`` is how many of each mask there are.

    ``actors`` is on how many stacks masks are laid.
    """

    round: int
    first: Seat
    tokens: tuple[int, ...]
    rounds: int
    deck: tuple[int, ...]
    actors: int


class MaskDrawn(Fact, frozen=True, tag="drew"):
    """A seat has drawn a mask, in sight of everyone (KB-6)."""

    seat: Seat
    mask: Mask


class Placed(Fact, frozen=True):
    """``callers`` may call on it, in the order in which ties are broken."""

    seat: Seat
    mask: Mask
    stack: StackNumber
    callers: tuple[Seat, ...]


class Passed(Fact, frozen=True):
    """A seat will not call on this placement."""

    seat: Seat


class WindowClosed(Fact, frozen=True):
    """The reaction window is over: the next mask may be placed."""


class Stopped(Fact, frozen=True):
    """``tokens`` moved: above 0 from the placer to the caller, -1 from the caller to the box.

    ``held`` is what every seat has afterwards.
    """

    seat: Seat
    against: Seat
    stack: StackNumber
    mask: Mask
    matches: int
    tokens: int
    held: tuple[int, ...]


class CheckOpened(Fact, frozen=True):
    """The stack called on as everyone sees it, its top last."""

    masks: tuple[Mask, ...]


class CheckClosed(Fact, frozen=True):
    """The checked stack is covered again."""


class KabukiRoundEnded(Fact, frozen=True, tag="round_ended"):
    """A round is over: by whom, why, and the tokens each seat holds (KB-12, KB-13)."""

    by: Seat
    cause: Cause
    tokens: tuple[int, ...]


class KabukiGameEnded(Fact, frozen=True, tag="game_ended"):
    """``breakdown`` is every seat's tokens at the end of each round."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    breakdown: tuple[dict[str, int], ...]


KabukiMove = PlaceMask | Stop | Pass
KabukiFact = (
    RoundStarted
    | MaskDrawn
    | Placed
    | Passed
    | WindowClosed
    | Stopped
    | CheckOpened
    | CheckClosed
    | KabukiRoundEnded
    | KabukiGameEnded
)


class KabukiState(msgspec.Struct, frozen=True, gc=False):
    """The fold of the facts.

    ``placed`` is the latest placement of the round, ``callers`` are the seats that may still call on it, and ``call`` is
    the call on it. ``moment`` rises with every fact but a pass, and so tells one wait from the next.
    """

    options: KabukiOptions
    players: int
    deck: tuple[int, ...] = ()
    stacks: tuple[tuple[int, ...], ...] = ()
    tokens: tuple[int, ...] = ()
    scores: tuple[tuple[int, ...], ...] = ()
    round: int = 0
    rounds: int = 0
    turn: Seat = 0
    drawn: int | None = None
    placed: Placed | None = None
    window: bool = False
    callers: tuple[Seat, ...] = ()
    call: Stopped | None = None
    checking: bool = False
    ended_by: Seat | None = None
    result: Outcome | None = None
    moment: int = 0


class Stack(msgspec.Struct, frozen=True):
    """A stack as it lies there: its top, and how high it is."""

    top: int | None
    height: int


class Placement(msgspec.Struct, frozen=True, tag_field="fact", tag="placed"):
    """The latest placement as it lies there."""

    seat: Seat
    mask: int
    stack: int


class Check(msgspec.Struct, frozen=True):
    """A stack held open for everyone, its top last, and what the call came to."""

    seat: Seat
    against: Seat
    stack: int
    masks: tuple[int, ...]
    matches: int
    tokens: int


class KabukiView(msgspec.Struct, frozen=True):
    """What everyone sees; nobody sees more (KB-22).

    ``turn`` is the seat that holds the ``drawn`` mask, ``callers`` the seats that may still call on
    the mask ``placed`` last, ``scores`` the tokens at the end of each round so far.
    """

    round: int
    rounds: int
    phase: Phase
    turn: Seat | None
    drawn: int | None
    deck: int
    stacks: tuple[Stack, ...]
    tokens: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    placed: Placement | None
    callers: tuple[Seat, ...]
    check: Check | None
    result: Outcome | None
