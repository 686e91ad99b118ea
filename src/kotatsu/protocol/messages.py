"""Every message between a browser and a table. ``docs/protocol.md`` explains them; TypeScript gets them generated."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from kotatsu.engine.contract import Deadline, Outcome, Seat
from kotatsu.store.contract import TableSettings

CommandId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=31)]
Reaction = Literal["bravo", "laugh", "wow", "ouch", "think", "hurry", "thanks", "heart"]
Level = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]


class Command(msgspec.Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """What a browser asks for. It is answered by ``accepted`` or ``refused`` under its ``command_id``."""

    command_id: CommandId


class Play(Command, frozen=True, tag="play"):
    """Make a move for a seat one holds; ``seen`` is the last ``seq`` the player had before them."""

    seat: SeatNumber
    seen: Annotated[int, msgspec.Meta(ge=0)]
    move: msgspec.Raw


class Sit(Command, frozen=True, tag="sit"):
    """Take an open seat."""

    seat: SeatNumber


class Stand(Command, frozen=True, tag="stand"):
    """Give a seat up. In the middle of a game a bot stands in, and ``sit`` takes the seat back."""

    seat: SeatNumber


class SetBot(Command, frozen=True, tag="set_bot"):
    """Host: put a bot of a level on a seat, or with ``null`` take it away again.

    On a person's seat it stands in for them. Whoever plays may put one on the seat of somebody who
    has been away longer than the table's patience.
    """

    seat: SeatNumber
    level: Level | None


class SetGuest(Command, frozen=True, tag="set_guest"):
    """Host: somebody plays this seat on the host's own device, under a name of their own."""

    seat: SeatNumber
    name: Annotated[str, msgspec.Meta(max_length=40)]


class SetTableSettings(Command, frozen=True, tag="set_settings"):
    """Host: whether the table is in the lobby, whether one may look on, how long somebody may be away."""

    settings: TableSettings


class Say(Command, frozen=True, tag="say"):
    """Say something to everyone at the table."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class React(Command, frozen=True, tag="react"):
    """A quick sign to everyone; it is not kept."""

    reaction: Reaction


class Block(Command, frozen=True, tag="block"):
    """Hear no more of whoever said that, at any table, and let them join no table of one's own."""

    number: Annotated[int, msgspec.Meta(ge=1)]


class Start(Command, frozen=True, tag="start"):
    """Host: begin; open seats are taken by bots of ``level``."""

    level: Level


class CatchUp(msgspec.Struct, frozen=True, tag_field="type", tag="catch_up", forbid_unknown_fields=True):
    """Ask for everything after ``have``. The answer is the missing steps, or a fresh ``welcome``."""

    have: Annotated[int, msgspec.Meta(ge=0)]


class Ping(msgspec.Struct, frozen=True, tag_field="type", tag="ping", forbid_unknown_fields=True):
    """A sign of life; answered by ``pong``."""


Incoming = (
    Play | Sit | Stand | SetBot | SetGuest | SetTableSettings | Say | React | Block | Start | CatchUp | Ping
)

RefusalCode = Literal[
    "malformed",
    "too_large",
    "too_fast",
    "illegal",
    "stale",
    "too_late",
    "not_your_seat",
    "not_host",
    "no_such_seat",
    "seat_taken",
    "no_such_level",
    "not_playing",
    "not_gathering",
    "quiet",
    "no_such_saying",
    "busy",
]

Status = Literal["gathering", "playing", "over"]


DecidedBy = Literal["alone", "time", "seat"]


class Press(msgspec.Struct, frozen=True):
    """One press, in milliseconds since the first one arrived and froze the table.

    ``effective_ms`` is ``arrived_ms`` less ``allowed_ms``; ``behind_ms`` how far it is behind the winner's.
    """

    seat: Seat
    arrived_ms: int
    allowed_ms: int
    effective_ms: int
    behind_ms: int


class Receipt(msgspec.Struct, frozen=True):
    """A ruling anyone can check: the presses from the winner's on, and by how much it was decided.

    ``seq`` is the step the winner's press became. ``decided_by`` is ``alone`` for a single press,
    ``time``, or ``seat`` for an exact tie.
    """

    seq: int
    seat: Seat
    decided_by: DecidedBy
    margin_ms: int
    presses: tuple[Press, ...]


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits where. ``here`` is whether a person's browser is connected.

    ``away`` is for how many seconds they have been gone from a game that goes on.
    A bot that ``stands_in`` keeps the seat for the person whose name it bears. A ``guest`` plays on
    the device of somebody else at the table.
    """

    kind: Literal["open", "person", "bot"]
    name: str = ""
    level: str | None = None
    here: bool = False
    avatar: str = ""
    guest: bool = False
    stands_in: bool = False
    away: float | None = None


class TableInfo(msgspec.Struct, frozen=True):
    """A table as everyone may know it. ``outcome`` comes with the status ``over``.

    ``rematch`` is the table at which the same people play again; ``settings`` is what the host decided.
    """

    id: str
    game: str
    status: Status
    options: dict[str, Any]
    seats: tuple[SeatInfo, ...]
    watching: int = 0
    outcome: Outcome | None = None
    rematch: str | None = None
    settings: TableSettings = TableSettings()


class SeatMoves(msgspec.Struct, frozen=True, gc=False):
    """The legal moves of one seat the browser holds."""

    seat: Seat
    moves: tuple[Any, ...]


class Waiting(msgspec.Struct, frozen=True, gc=False):
    """Whose move it is, what this browser may do, and how much time is left."""

    acting: tuple[Seat, ...]
    moves: tuple[SeatMoves, ...]
    deadline: Deadline | None = None
    left: float | None = None


class TableEvent(msgspec.Struct, frozen=True, tag_field="type"):
    """What a table tells a browser."""


class Welcome(TableEvent, frozen=True, tag="welcome"):
    """Where the table stands: the first message, and the answer to too large a gap.

    ``receipt`` is the latest ruling on who was first, if there has been one.
    """

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    seq: int
    view: Any
    waiting: Waiting | None
    receipt: Receipt | None = None


class StepMessage(TableEvent, frozen=True, tag="step"):
    """What one accepted move, or one expired deadline, brought about.

    ``seq`` rises by one with each; facts this browser may not know are left out.
    ``view`` is sent only to a browser that asked for it (``?views=1``). ``receipt`` comes with a
    move that several pressed for and says who was first.
    """

    seq: int
    facts: tuple[Any, ...]
    waiting: Waiting | None
    view: Any = None
    receipt: Receipt | None = None


class PeopleChanged(TableEvent, frozen=True, tag="people"):
    """The seats or the audience changed."""

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool


class Said(TableEvent, frozen=True, tag="said"):
    """Somebody said something. ``seat`` is ``null`` for a spectator; ``at`` is seconds since 1970."""

    number: int
    at: float
    name: str
    text: str
    seat: Seat | None = None
    yours: bool = False


class Reacted(TableEvent, frozen=True, tag="reacted"):
    """Somebody made a sign."""

    reaction: Reaction
    name: str
    seat: Seat | None = None
    yours: bool = False


class CommandAccepted(TableEvent, frozen=True, tag="accepted"):
    """A command was carried out and is on disk; ``seq`` is the table's at that moment."""

    command_id: str
    seq: int


class CommandRefused(TableEvent, frozen=True, tag="refused"):
    """A command, or something that was none, was not carried out; nothing changed."""

    code: RefusalCode
    message: str
    command_id: str | None = None
    clause: str | None = None


class Pong(TableEvent, frozen=True, tag="pong"):
    """The answer to ``ping``."""


Outgoing = Welcome | StepMessage | PeopleChanged | Said | Reacted | CommandAccepted | CommandRefused | Pong
