"""Every message between a browser and a table, as JSON over a WebSocket.

``docs/protocol.md`` explains them with examples. The TypeScript types are generated from these structs,
their docstrings included (``make types``).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from kotatsu.engine.contract import Deadline, Outcome, Seat
from kotatsu.store.contract import TableSettings

CommandId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""An id the browser makes up for a command. 64 characters, chosen by hand: a UUID has 36."""

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=31)]
"""A seat, from 0. At most 32 seats, chosen by hand: more than any game has."""

Reaction = Literal["bravo", "laugh", "wow", "ouch", "think", "hurry", "thanks", "heart"]
"""The reactions a browser can show; their pictures are in the page."""

Level = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
"""The level of a bot, one of those the game has. 32 characters, chosen by hand."""


class Command(msgspec.Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """A request of a browser. It is answered by ``accepted`` or ``refused`` with the same ``command_id``."""

    command_id: CommandId


class Play(Command, frozen=True, tag="play"):
    """Make a move for a seat the sender holds; ``seen`` is the last step the player had seen."""

    seat: SeatNumber
    seen: Annotated[int, msgspec.Meta(ge=0)]
    move: msgspec.Raw


class Sit(Command, frozen=True, tag="sit"):
    """Take an open seat, or take one's own seat back from the bot that plays it meanwhile."""

    seat: SeatNumber


class Stand(Command, frozen=True, tag="stand"):
    """Leave a seat. In the middle of a game a bot plays it from then on, and ``sit`` takes the seat back."""

    seat: SeatNumber


class SetBot(Command, frozen=True, tag="set_bot"):
    """Host only: put a bot of ``level`` on a seat, or with ``null`` remove it.

    On a person's seat the bot plays for them until they come back. Any player may put a bot on the seat
    of a player who has been disconnected for longer than the table's ``patience``.
    """

    seat: SeatNumber
    level: Level | None


class SetGuest(Command, frozen=True, tag="set_guest"):
    """Host only: another person plays this seat on the host's device, under the given ``name``."""

    seat: SeatNumber
    name: Annotated[str, msgspec.Meta(max_length=40)]


class SetTableSettings(Command, frozen=True, tag="set_settings"):
    """Host only: replace the table's settings."""

    settings: TableSettings


class Say(Command, frozen=True, tag="say"):
    """Send a chat message to everyone at the table."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class React(Command, frozen=True, tag="react"):
    """Send a reaction to everyone at the table; it is not stored."""

    reaction: Reaction


class Block(Command, frozen=True, tag="block"):
    """Block the sender of chat message ``number``: at every table, and from joining tables one hosts."""

    number: Annotated[int, msgspec.Meta(ge=1)]


class Start(Command, frozen=True, tag="start"):
    """Host only: start the game; bots of ``level`` take the open seats."""

    level: Level


class CatchUp(msgspec.Struct, frozen=True, tag_field="type", tag="catch_up", forbid_unknown_fields=True):
    """Ask for all steps after ``seq`` number ``have``. The answer is those steps, or a new ``welcome``."""

    have: Annotated[int, msgspec.Meta(ge=0)]


class Ping(msgspec.Struct, frozen=True, tag_field="type", tag="ping", forbid_unknown_fields=True):
    """Check that the connection works; answered by ``pong``."""


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
    """One player's press in a race. Times are milliseconds since the first press arrived.

    ``allowed_ms`` compensates for the player's network delay; ``effective_ms`` is ``arrived_ms`` minus
    ``allowed_ms``; ``behind_ms`` is the difference from the winner's ``effective_ms``.
    """

    seat: Seat
    arrived_ms: int
    allowed_ms: int
    effective_ms: int
    behind_ms: int


class Receipt(msgspec.Struct, frozen=True):
    """Who pressed first, with the numbers to check it: the presses, the winner's first.

    ``seq`` is the step the winner's press became, ``seat`` the winner. ``decided_by`` is ``alone`` for a
    single press, ``time``, or ``seat`` for an exact tie. ``margin_ms`` is the lead over the second press.
    """

    seq: int
    seat: Seat
    decided_by: DecidedBy
    margin_ms: int
    presses: tuple[Press, ...]


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits in one seat. ``here`` is whether the person's browser is connected.

    ``away`` is for how many seconds the person has been disconnected from a running game, else ``null``.
    A bot that ``stands_in`` plays for the person whose name it shows, until they come back. A ``guest``
    plays on the device of another person at the table.
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
    """A table as everyone may see it. ``watching`` is the number of spectators.

    ``outcome`` comes with the status ``over``. ``rematch`` is the id of the table at which the same people
    play again; ``settings`` is what the host decided. ``hints``: the game's coach gives hints now.
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
    hints: bool = False


class SeatMoves(msgspec.Struct, frozen=True, gc=False):
    """The legal moves of one of the browser's seats."""

    seat: Seat
    moves: tuple[Any, ...]


class Waiting(msgspec.Struct, frozen=True, gc=False):
    """Whose turn it is, what this browser may do, and how much time is left.

    ``acting`` are the seats that may move. ``left`` is the number of seconds until ``deadline``; both are
    ``null`` if nothing is timed.
    """

    acting: tuple[Seat, ...]
    moves: tuple[SeatMoves, ...]
    deadline: Deadline | None = None
    left: float | None = None


class TableEvent(msgspec.Struct, frozen=True, tag_field="type"):
    """A message from a table to a browser."""


class Welcome(TableEvent, frozen=True, tag="welcome"):
    """The whole present situation: the first message, and the answer to ``catch_up`` after a large gap.

    ``yours`` are this browser's seats; ``host`` is whether it may do what only the host may. ``seq`` is the
    last step, 0 before the game begins. ``receipt`` is the last decision on who pressed first, if any.
    """

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    seq: int
    view: Any
    waiting: Waiting | None
    receipt: Receipt | None = None


class StepMessage(TableEvent, frozen=True, tag="step"):
    """The result of one accepted move or one expired deadline.

    ``seq`` rises by one with each step; facts this browser may not know are left out. ``view`` is sent
    only to a browser that asked for it (``?views=1``). ``receipt`` comes with a move that was a race.
    """

    seq: int
    facts: tuple[Any, ...]
    waiting: Waiting | None
    view: Any = None
    receipt: Receipt | None = None


class PeopleChanged(TableEvent, frozen=True, tag="people"):
    """The seats, the settings or who is connected changed."""

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool


class Said(TableEvent, frozen=True, tag="said"):
    """A chat message. ``seat`` is ``null`` for a spectator; ``at`` is seconds since 1970."""

    number: int
    at: float
    name: str
    text: str
    seat: Seat | None = None
    yours: bool = False


class Reacted(TableEvent, frozen=True, tag="reacted"):
    """A reaction of somebody at the table. ``seat`` is ``null`` for a spectator."""

    reaction: Reaction
    name: str
    seat: Seat | None = None
    yours: bool = False


class CommandAccepted(TableEvent, frozen=True, tag="accepted"):
    """A command was carried out and is on disk; ``seq`` is the table's last step at that moment."""

    command_id: str
    seq: int


class CommandRefused(TableEvent, frozen=True, tag="refused"):
    """A command was not carried out, or a message was not understood; nothing changed.

    ``message`` is one sentence for people; ``clause`` is the rule that forbids the move, if one does.
    """

    code: RefusalCode
    message: str
    command_id: str | None = None
    clause: str | None = None


class Pong(TableEvent, frozen=True, tag="pong"):
    """The answer to ``ping``."""


Outgoing = Welcome | StepMessage | PeopleChanged | Said | Reacted | CommandAccepted | CommandRefused | Pong
