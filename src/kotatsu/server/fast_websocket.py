"""The fast wire under a browser's WebSocket: what is said goes straight to it, and the server's own pings measure it.

A WebSocket ping is answered by the browser itself, before any script of the page runs, so a page has
no say in what is measured. ``uvicorn`` sends the pings; this hears its answers.

A move passes here twice, so messages skip the layers between ``uvicorn`` and the table that are there for
HTTP: several to one browser are one write, and one from a browser needs no task to be woken. A browser's
message is nearly always one text frame that arrives whole and alone; that one is read here, every other
(split, joined, binary, control) by ``websockets``.

Most of what this overrides and reads of ``uvicorn`` is not published and may change with any version of it. It is
listed in ``docs/dependencies.md``, and ``uvicorn`` is held below the next version in ``pyproject.toml``; a house
can do without all of it (``kotatsu.server.wire``).
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from kotatsu.connections.round_trip import RoundTripEstimate
from kotatsu.server.wire import CONNECTION_KEY, MessageListener

RACE_PING_INTERVAL_S = 2.0
"""Seconds between two pings where it matters who is first: a ruling knows the shortest of some fifteen answers.

Elsewhere they are as rare as ``uvicorn`` has it, for each of them wakes a phone.
"""

FAST_FRAME_BYTES = 4_096
"""Bytes of a frame that is read here."""


class WebSocketConnection(asyncio.Protocol):
    """What was measured on one connection, a way to ask for more, and the shortest way to and from its browser.

    It takes ``uvicorn``'s place on the wire from ``listen`` on, and hands back whatever is not simple. Nearly all
    messages of all browsers pass here in turn, so what they need lies close together in memory, apart from the rest.
    """

    __slots__ = ("_simple", "_socket", "_transport", "_writable", "listener", "round_trip")

    def __init__(self, socket: FastWebSocketProtocol, transport: asyncio.Transport) -> None:
        self.round_trip = RoundTripEstimate()
        self.listener: MessageListener | None = None
        self._socket = socket
        self._transport = transport
        self._simple = False
        self._writable = True

    def quicken(self) -> None:
        """Ping often from now on."""
        self._socket.quicken()

    def listen(self, listener: MessageListener | None) -> None:
        """From now on a listener is told what the browser says; with ``None``, ``uvicorn``'s application is again."""
        self.listener = listener
        self._simple = self._socket.between_messages
        if not self._transport.is_closing():
            self._transport.set_protocol(self)

    def try_send(self, messages: list[bytes]) -> bool:
        """Send texts, a frame each and one write for all; not to a browser that is leaving or reads too slowly."""
        transport = self._transport
        if not self._writable or transport.is_closing():
            return False
        transport.write(b"".join([_header(len(text)) + text for text in messages]))
        return True

    def data_received(self, data: bytes) -> None:
        if self._simple and self.listener is not None:
            text = _only_text(data)
            if text is not None:
                self.listener.hear(text)
                return
        self._socket.data_received(data)
        self._simple = self._socket.between_messages

    def pause_writing(self) -> None:
        self._writable = False
        self._socket.pause_writing()

    def resume_writing(self) -> None:
        self._writable = True
        self._socket.resume_writing()

    def eof_received(self) -> None:
        self._socket.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._socket.connection_lost(exc)


class FastWebSocketProtocol(WebSocketsSansIOProtocol):
    """``uvicorn``'s WebSocket with a ``WebSocketConnection`` in its scope."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._between_frames = True
        self._state: dict[str, Any] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.direct = WebSocketConnection(self, cast("asyncio.Transport", transport))

    @property
    def between_messages(self) -> bool:
        """Whether what comes next begins a message."""
        return self._between_frames and not self.frames and self.conn.state is State.OPEN

    def quicken(self) -> None:
        """Ping often from now on."""
        self.ping_interval = RACE_PING_INTERVAL_S
        if self.ping_timer is not None:  # else an answer is awaited, and the next follows soon
            self.ping_timer.cancel()
            self.send_keepalive_ping()

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated:
            self._between_frames = self._between_frames and _ends_with_a_frame(data)
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        listener = self.direct.listener
        if listener is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        listener.hear(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Everything here knows everything else; without this it would all wait for a search for cycles."""
        super().connection_lost(exc)
        self._state.pop(CONNECTION_KEY, None)
        del self.direct

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:  # else it was refused and has no scope
            self._state = self.scope["state"]
            self._state[CONNECTION_KEY] = self.direct

    def start_keepalive(self) -> None:
        self.send_keepalive_ping()

    def handle_pong(self, event: Frame) -> None:
        awaited = self.pending_ping_payload
        super().handle_pong(event)
        if awaited is not None and self.pending_ping_payload is None:
            self.direct.round_trip.at_most(self.last_ping_rtt, asyncio.get_running_loop().time())


def _only_text(data: bytes) -> bytes | None:
    """What a browser's text frame says if it is all there is, whole and not large (RFC 6455, 5.2)."""
    if len(data) < 6 or data[0] != 0x81:
        return None
    length = data[1] - 0x80
    if 0 <= length < 126:
        return _unmask(data[6:], data[2:6]) if len(data) == 6 + length else None
    if length == 126 and len(data) == 8 + int.from_bytes(data[2:4]) <= FAST_FRAME_BYTES:
        return _unmask(data[8:], data[4:8])
    return None


def _unmask(data: bytes, mask: bytes) -> bytes:
    """Every byte of a browser's frame is XORed with one of the mask's four in turn (RFC 6455, 5.3)."""
    size = len(data)
    masks = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data) ^ int.from_bytes(masks)).to_bytes(size)


def _ends_with_a_frame(data: bytes) -> bool:
    """Whether a browser's frames, from the beginning of one, are all whole."""
    at = 0
    while at + 2 <= len(data):
        length, extended = data[at + 1] & 0x7F, {126: 2, 127: 8}.get(data[at + 1] & 0x7F, 0)
        if extended:
            length = int.from_bytes(data[at + 2 : at + 2 + extended])
        at += 2 + extended + (4 if data[at + 1] & 0x80 else 0) + length
    return at == len(data)


def _header(length: int) -> bytes:
    """Of a whole text frame from a server (RFC 6455, 5.2)."""
    if length < 126:
        return b"\x81" + length.to_bytes()
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2)
    return b"\x81\x7f" + length.to_bytes(8)
