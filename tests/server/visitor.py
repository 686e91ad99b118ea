"""A visitor without a browser: a cookie, the HTTP routes and sockets, against a server process."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kotatsu.protocol.messages import CommandAccepted, CommandRefused, Outgoing, StepMessage, Welcome
from kotatsu.server.schemas import TableCard

read = msgspec.json.Decoder(Outgoing).decode
COOKIE = "kotatsu"


class Visitor:
    """One cookie. ``async with`` it."""

    def __init__(self, address: str) -> None:
        self.http = httpx.AsyncClient(base_url=address, timeout=30)
        self.lines: list[Line] = []

    async def __aenter__(self) -> Self:
        (await self.http.get("/api/me")).raise_for_status()
        return self

    async def __aexit__(self, *_: object) -> None:
        for line in self.lines:
            await line.socket.close()
        await self.http.aclose()

    @property
    def cookie(self) -> str:
        return self.http.cookies[COOKIE]

    async def make(self, game: str, *seats: str, start: bool = True, **options: Any) -> str:
        body = {"game": game, "players": len(seats), "seats": seats, "start": start, "options": options}
        answer = await self.http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        return msgspec.json.decode(answer.content, type=TableCard).table.id

    async def join(self, table: str, query: str = "", *, cookie: str | None = None) -> Line:
        """Connect to a table and hear its welcome."""
        line = await self.dial(table, query, cookie=cookie)
        await line.until(lambda event: isinstance(event, Welcome))
        return line

    async def dial(self, table: str, query: str = "", *, cookie: str | None = None) -> Line:
        """Connect to a table; nothing has been heard yet."""
        address = str(self.http.base_url).replace("http", "ws", 1).rstrip("/")
        headers = {"Cookie": f"{COOKIE}={cookie or self.cookie}"}
        url = f"{address}/api/tables/{table}/socket{query}"
        line = Line(await connect(url, additional_headers=headers, max_size=None, max_queue=None))
        self.lines.append(line)
        return line


class Line:
    """One socket; it keeps every frame as it came."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self.heard: list[Any] = []
        self._commands = 0

    async def hear(self) -> Any:
        frame = await self.socket.recv()
        assert isinstance(frame, str)
        self.frames.append(frame)
        self.heard.append(read(frame))
        return self.heard[-1]

    async def until(self, found: Callable[[Any], bool]) -> Any:
        """Listen until something is heard that was waited for."""
        while not found(event := await self.hear()):
            pass
        return event

    async def send(self, message: Any) -> None:
        await self.socket.send(message if isinstance(message, str) else msgspec.json.encode(message).decode())

    async def ask(self, kind: str, **fields: Any) -> CommandAccepted | CommandRefused:
        """Send a command and wait for its answer."""
        self._commands += 1
        command = fields.pop("command_id", f"c{id(self)}-{self._commands}")
        await self.send({"type": kind, "command_id": command, **fields})
        return await self.answer(command)

    async def answer(self, command: str | None) -> CommandAccepted | CommandRefused:
        answer: CommandAccepted | CommandRefused = await self.until(
            lambda event: isinstance(event, CommandAccepted | CommandRefused) and event.command_id == command
        )
        return answer

    async def play(self, seat: int, move: Any, **fields: Any) -> CommandAccepted | CommandRefused:
        return await self.ask("play", seat=seat, move=move, **{"seen": self.seq, **fields})

    async def reason(self) -> tuple[int | None, str | None]:
        """Why the connection was closed, once it is."""
        with suppress(ConnectionClosed):
            while True:
                await self.hear()
        return self.socket.close_code, self.socket.close_reason

    def all(self, kind: type) -> list[Any]:
        return [event for event in self.heard if isinstance(event, kind)]

    @property
    def seq(self) -> int:
        return max((event.seq for event in self.heard if isinstance(event, Welcome | StepMessage)), default=0)

    @property
    def now(self) -> Welcome | StepMessage:
        """The last thing that said where the table stands."""
        return next(event for event in reversed(self.heard) if isinstance(event, Welcome | StepMessage))

    @property
    def moves(self) -> dict[int, tuple[Any, ...]]:
        """What each of one's seats may do now."""
        waiting = self.now.waiting
        return {} if waiting is None else {each.seat: each.moves for each in waiting.moves}


def log_of(data: Path, table: str) -> list[tuple[Any, ...]]:
    """A table's log as it is on disk."""
    with sqlite3.connect(f"file:{data / 'kotatsu.sqlite3'}?mode=ro", uri=True) as connection:
        return connection.execute(
            "SELECT seq, at, seat, command_id, entries FROM log JOIN tables ON number = table_number"
            " WHERE id = ? ORDER BY seq",
            (table,),
        ).fetchall()
