"""The wire under a browser's WebSocket: what is said goes straight to it, and the server's own pings measure it.

A WebSocket ping is answered by the browser itself, before any script of the page runs, so a page has
no say in what is measured. ``uvicorn`` sends the pings; this hears its answers.

A move passes here twice, so messages skip the layers between ``uvicorn`` and the table that are there for
HTTP: several to one browser are one write, and one from a browser needs no task to be woken. A browser's
message is nearly always one text frame that arrives whole and alone; that one is read here, every other
(split, joined, binary, control) by ``websockets``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from kotatsu.table.arbiter import RoundTrip

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiled part for this machine
    from websockets.utils import apply_mask

QUICK = 2.0
"""Seconds between two pings where it matters who is first: a ruling knows the shortest of some fifteen answers.

Elsewhere they are as rare as ``uvicorn`` has it, for each of them wakes a phone.
"""

SHORT = 4_096
"""Bytes of a frame that is read here."""

PULSE = "kotatsu_pulse"
"""Where in a socket's scope its ``Pulse`` is."""


class Pulse:
    """What was measured on one connection, a way to ask for more, and the shortest way to and from its browser.

    ``tell`` sends several texts, unless it would have to wait; ``hear``, once set, is given whatever the
    browser sends.
    """

    __slots__ = ("hear", "quicken", "round_trip", "tell")

    def __init__(self, quicken: Callable[[], None], tell: Callable[[list[bytes]], bool]) -> None:
        self.round_trip = RoundTrip()
        self.quicken = quicken
        self.tell = tell
        self.hear: Callable[[bytes], None] | None = None


class MeasuredWebSocket(WebSocketsSansIOProtocol):
    """``uvicorn``'s WebSocket with a ``Pulse`` in its scope."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.pulse = Pulse(self.quicken, self.tell)
        self._between_frames = True

    def quicken(self) -> None:
        """Ping often from now on."""
        self.ping_interval = QUICK
        if self.ping_timer is not None:  # else an answer is awaited, and the next follows soon
            self.ping_timer.cancel()
            self.send_keepalive_ping()

    def tell(self, messages: list[bytes]) -> bool:
        """Send texts, a frame each and one write for all; not to a browser that is leaving or reads too slowly."""
        if not self.writable.is_set() or self.disconnected or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(b"".join([_header(len(text)) + text for text in messages]))
        return True

    def data_received(self, data: bytes) -> None:
        hear = self.pulse.hear
        if hear is not None and self._between_frames and not self.frames and self.conn.state is State.OPEN:
            text = _only_text(data)
            if text is not None and not self.close_sent:
                hear(text)
                return
        if self.handshake_initiated:
            self._between_frames = self._between_frames and _ends_with_a_frame(data)
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        hear = self.pulse.hear
        if hear is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        hear(data)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:  # else it was refused and has no scope
            self.scope["state"][PULSE] = self.pulse

    def start_keepalive(self) -> None:
        self.send_keepalive_ping()

    def handle_pong(self, event: Frame) -> None:
        awaited = self.pending_ping_payload
        super().handle_pong(event)
        if awaited is not None and self.pending_ping_payload is None:
            self.pulse.round_trip.at_most(self.last_ping_rtt, self.loop.time())


def _only_text(data: bytes) -> bytes | None:
    """What a browser's text frame says if it is all there is, whole and not large (RFC 6455, 5.2)."""
    if len(data) < 6 or data[0] != 0x81:
        return None
    length = data[1] - 0x80
    if 0 <= length < 126:
        return apply_mask(data[6:], data[2:6]) if len(data) == 6 + length else None
    if length == 126 and len(data) == 8 + int.from_bytes(data[2:4]) <= SHORT:
        return apply_mask(data[8:], data[4:8])
    return None


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
