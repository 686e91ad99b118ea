"""The bodies of HTTP requests and responses.

``docs/protocol.md`` explains them. The TypeScript types are generated from these structs, their docstrings
included (``make types``). Times are seconds since 1970.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from kotatsu.engine.contract import Seat
from kotatsu.protocol.messages import TableInfo
from kotatsu.store.contract import PlayerRating, TableSettings
from kotatsu.tables.replay import ReplayStep

# Limits on lengths are chosen by hand: generous for people, too short for abuse.
Name = Annotated[str, msgspec.Meta(max_length=40)]
Avatar = Annotated[str, msgspec.Meta(pattern="^[a-z]{0,16}$")]
SeatChoice = Annotated[
    str, msgspec.Meta(min_length=1, max_length=32, description="`me`, `open`, or the level of a bot")
]


class RequestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request."""


class Introduction(RequestBody, frozen=True):
    """The body of PUT /api/me.

    ``avatar`` names one of the page's drawings; empty for the initial of the name.
    """

    name: Name
    avatar: Avatar = ""


class NewTable(RequestBody, frozen=True):
    """The body of POST /api/tables. Without ``seats`` the visitor gets seat 0 and the others are open."""

    game: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    players: Annotated[int, msgspec.Meta(ge=1, le=32)]
    options: dict[str, Any] = {}
    seats: Annotated[tuple[SeatChoice, ...], msgspec.Meta(max_length=32)] = ()
    start: bool = False
    settings: TableSettings = TableSettings()


class DeviceClaim(RequestBody, frozen=True):
    """The body of POST /api/me/claim."""

    code: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]


class DeviceCode(msgspec.Struct, frozen=True):
    """A code that works once, for so many ``seconds``."""

    code: str
    seconds: float


class Me(msgspec.Struct, frozen=True):
    """The visitor's name and avatar; empty until they are chosen."""

    name: str
    avatar: str = ""


class GameInfo(msgspec.Struct, frozen=True):
    """One game. ``options`` is a JSON schema (an object with ``properties`` and their defaults).

    At the table of a ``silent`` game the chat is closed until it is over. In a ``secretive`` one a seat sees
    what another may not, so that players who share a device hand it over behind a curtain.
    ``listed_defaults`` are the options that have another default at a table listed in the lobby, by name.
    """

    name: str
    seats_min: int
    seats_max: int
    options: dict[str, Any]
    levels: tuple[str, ...]
    silent: bool = False
    secretive: bool = False
    listed_defaults: dict[str, Any] = {}


class TableCard(msgspec.Struct, frozen=True):
    """A table as it is shown to one visitor: ``yours`` are their seats. Times are seconds since 1970."""

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    created: float
    updated: float


class Lobby(msgspec.Struct, frozen=True):
    """The tables anybody may join, the newest first."""

    tables: tuple[TableCard, ...]


class Replay(msgspec.Struct, frozen=True):
    """A finished game step by step, as a seat or, with ``null``, a spectator saw it."""

    table: TableInfo
    viewpoint: Seat | None
    steps: tuple[ReplayStep, ...]


class PastGame(msgspec.Struct, frozen=True):
    """A finished game of the visitor's. ``place`` is their best, from 1; ``ended`` is seconds since 1970."""

    table: TableInfo
    yours: tuple[Seat, ...]
    place: int
    ended: float


class GameHistory(msgspec.Struct, frozen=True):
    """The visitor's results at one kind of game; ``rating`` is ``null`` until a game counted."""

    played: int
    won: int
    rating: PlayerRating | None = None


class History(msgspec.Struct, frozen=True):
    """The visitor's finished games, the latest first, and a summary for each kind of game by its name."""

    games: tuple[PastGame, ...]
    kinds: dict[str, GameHistory]


class Health(msgspec.Struct, frozen=True):
    """The response of GET /healthz: the number of tables in memory and of connections to them."""

    status: Literal["ok"]
    tables: int
    connections: int


ProblemCode = Literal[
    "malformed",
    "unauthorized",
    "forbidden",
    "not_found",
    "no_such_table",
    "no_such_game",
    "bad_table",
    "no_such_level",
    "too_many_tables",
    "not_over",
    "not_seated",
    "not_begun",
    "no_coach",
    "coach_silent",
    "wrong_code",
    "too_fast",
    "too_large",
    "method_not_allowed",
    "busy",
    "internal",
]


class Problem(msgspec.Struct, frozen=True):
    """The body of every response with a status of 400 or more."""

    code: ProblemCode
    message: str
