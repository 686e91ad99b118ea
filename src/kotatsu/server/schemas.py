"""What the HTTP routes take and give. ``docs/protocol.md`` explains them; TypeScript gets them generated."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from kotatsu.engine.contract import Seat
from kotatsu.protocol.messages import TableInfo
from kotatsu.store.contract import PlayerRating, TableSettings
from kotatsu.tables.replay import ReplayStep

Name = Annotated[str, msgspec.Meta(max_length=40)]
Avatar = Annotated[str, msgspec.Meta(pattern="^[a-z]{0,16}$")]
SeatChoice = Annotated[
    str, msgspec.Meta(min_length=1, max_length=32, description="`me`, `open`, or the level of a bot")
]


class RequestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A body a browser sends."""


class Introduction(RequestBody, frozen=True):
    """PUT /api/me. ``avatar`` names one of the page's drawings; empty for a person's initial."""

    name: Name
    avatar: Avatar = ""


class NewTable(RequestBody, frozen=True):
    """POST /api/tables. Without ``seats`` the maker sits in seat 0 and the others are open."""

    game: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    players: Annotated[int, msgspec.Meta(ge=1, le=32)]
    options: dict[str, Any] = {}
    seats: Annotated[tuple[SeatChoice, ...], msgspec.Meta(max_length=32)] = ()
    start: bool = False
    settings: TableSettings = TableSettings()


class DeviceClaim(RequestBody, frozen=True):
    """POST /api/me/claim."""

    code: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]


class DeviceCode(msgspec.Struct, frozen=True):
    """POST /api/me/code: good for so many seconds, once."""

    code: str
    seconds: float


class Me(msgspec.Struct, frozen=True):
    """Who the browser is to the house; an empty name until one is chosen."""

    name: str
    avatar: str = ""


class GameInfo(msgspec.Struct, frozen=True):
    """One game on the shelf. ``options`` is a JSON schema (an object with ``properties`` and their defaults).

    At the table of a ``silent`` game nobody talks until it is over. In a ``secretive`` one a seat sees
    what another may not, so that those who share a device hand it over behind a curtain.
    """

    name: str
    seats_min: int
    seats_max: int
    options: dict[str, Any]
    levels: tuple[str, ...]
    silent: bool = False
    secretive: bool = False


class TableCard(msgspec.Struct, frozen=True):
    """A table as one visitor knows it. Times are seconds since 1970."""

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    created: float
    updated: float


class Lobby(msgspec.Struct, frozen=True):
    """The tables anybody may join, the newest first."""

    tables: tuple[TableCard, ...]


class Replay(msgspec.Struct, frozen=True):
    """A finished game through the eyes of a seat, or of a spectator."""

    table: TableInfo
    viewpoint: Seat | None
    steps: tuple[ReplayStep, ...]


class PastGame(msgspec.Struct, frozen=True):
    """A finished game one had a seat in. ``place`` counts from 1; ``ended`` is seconds since 1970."""

    table: TableInfo
    yours: tuple[Seat, ...]
    place: int
    ended: float


class GameHistory(msgspec.Struct, frozen=True):
    """How one does at one kind of game; no rating until a game counted."""

    played: int
    won: int
    rating: PlayerRating | None = None


class History(msgspec.Struct, frozen=True):
    """One's finished games, the latest first, and a summary for each kind of game."""

    games: tuple[PastGame, ...]
    kinds: dict[str, GameHistory]


class Health(msgspec.Struct, frozen=True):
    """GET /healthz."""

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
    """The body of every answer with a status of 400 or more."""

    code: ProblemCode
    message: str
