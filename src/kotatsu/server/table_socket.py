"""The wire of one browser at one table: strict decoding, limits, and a clear word before every close."""

from __future__ import annotations

import asyncio
import logging

import msgspec
from litestar import websocket
from litestar.datastructures import State
from litestar.params import FromPath

from kotatsu.connections.batch import LoopBatch
from kotatsu.connections.connection import INTERNAL_ERROR, NOT_ADMITTED, TableConnection
from kotatsu.engine.contract import Seat
from kotatsu.protocol.messages import CommandRefused, Incoming, RefusalCode
from kotatsu.server.limits import TokenBucket
from kotatsu.server.settings import ServerSettings
from kotatsu.server.websocket_admission import POLICY, AnySocket, admit_websocket
from kotatsu.server.wire import direct_connection
from kotatsu.tables.live_table import LiveTable
from kotatsu.tables.manager import NoSuchTable, NotAdmitted, TableManager

logger = logging.getLogger(__name__)

NO_SUCH_TABLE = 4404
PATIENCE = 20
"""Bad messages in a row before the connection is closed."""

_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(Incoming).decode


@websocket("/api/tables/{table:str}/socket")
async def table_socket(socket: AnySocket, table: FromPath[str], state: State) -> None:
    """From the handshake to the close."""
    async with admit_websocket(socket, state) as visitor:
        if visitor is not None:
            await _visit(socket, table, visitor, state)


async def _visit(socket: AnySocket, name: str, visitor: str, state: State) -> None:
    manager: TableManager = state.manager
    query = socket.query_params
    direct = direct_connection(socket.scope)
    connection = TableConnection(
        visitor,
        await manager.persona(visitor),
        views=query.get("views") == "1",
        blocked=await manager.blocked_ids(visitor),
        wanted=_seat(query.get("seat")),
        spectator_only=query.get("as") == "spectator",
        round_trip=direct.round_trip if direct else None,
        sink=direct,
        sending=state.sending,
    )
    try:
        table = await manager.enter(name, connection)
    except NoSuchTable:
        await socket.close(NO_SUCH_TABLE, "there is no such table")
        return
    except NotAdmitted as refused:
        await socket.close(NOT_ADMITTED, str(refused))
        return
    except Exception:
        logger.exception("table %s cannot be opened", name)
        await socket.close(INTERNAL_ERROR, "the table cannot be opened")
        return
    if direct is not None and table.races:
        direct.quicken()
    writing = asyncio.create_task(_write(socket, connection))
    reader = _SocketReader(socket, connection, table, state.settings, state.heard)
    try:
        if direct is not None:
            direct.listen(reader)
        await reader.read()
    finally:
        if direct is not None:
            direct.listen(None)
        table.leave(connection)
        connection.close(1000, "")
        writing.cancel()
        await asyncio.wait([writing])


async def _write(socket: AnySocket, connection: TableConnection) -> None:
    """Send what did not go out at once; when the table says no more, close with its reason."""
    send = socket.send
    try:
        while messages := await connection.take():
            for message in messages:
                await send({"type": "websocket.send", "bytes": None, "text": message.decode()})
        code, reason = connection.closed or (1000, "")
        await socket.close(code, reason)
    except Exception:  # noqa: BLE001 - the browser is gone; the reader hears of it
        connection.close(1000, "")


class _SocketReader:
    """Reads what a browser sends and keeps it to the limits."""

    __slots__ = ("_bad", "_bucket", "_connection", "_heard", "_limit", "_socket", "_table")

    def __init__(
        self,
        socket: AnySocket,
        connection: TableConnection,
        table: LiveTable,
        settings: ServerSettings,
        heard: InboundBatch,
    ) -> None:
        self._socket = socket
        self._connection = connection
        self._table = table
        self._limit = settings.message_bytes
        self._bucket = TokenBucket(settings.messages_per_second, settings.message_burst)
        self._heard = heard
        self._bad = 0

    async def read(self) -> None:
        """Until the browser leaves or is shown out."""
        receive, connection = self._socket.receive, self._connection
        while connection.closed is None:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            if message["type"] == "websocket.receive":
                self.hear(message.get("text") or message.get("bytes") or "")
        while (await receive())["type"] != "websocket.disconnect":
            pass  # shown out: what it still says is not heard

    def hear(self, text: str | bytes) -> None:
        """One message, to be dealt with when its turn comes."""
        self._heard.add((self, text))

    def handle(self, text: str | bytes) -> None:
        """One message; nothing is heard of whoever is being shown out."""
        if self._connection.closed is not None:
            return
        if not self._bucket.take():
            self._refuse("too_fast", "That is too fast; slow down.")
        elif len(text) > self._limit:
            self._refuse("too_large", f"A message has at most {self._limit} bytes.")
        else:
            try:
                incoming = _decode(text)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                self._refuse("malformed", f"That is no message of ours: {error}")
                return
            self._bad = 0
            self._table.submit(self._connection, incoming)

    def _refuse(self, code: RefusalCode, message: str) -> None:
        self._bad += 1
        self._connection.send(_encode(CommandRefused(code, message)))
        if self._bad >= PATIENCE:
            self._connection.close(POLICY, f"too many bad messages: {code}")


InboundBatch = LoopBatch[tuple[_SocketReader, str | bytes]]
"""What browsers have said and nobody has dealt with yet."""


def handle_inbound(heard: tuple[_SocketReader, str | bytes]) -> None:
    """A browser said something: its turn has come."""
    reader, text = heard
    reader.handle(text)


def _seat(value: str | None) -> Seat | None:
    return int(value) if value is not None and value.isascii() and value.isdigit() else None
