"""The wire under a browser's WebSocket: what is said goes straight to it, and the server's own pings measure it.

A WebSocket ping is answered by the browser itself, before any script of the page runs, so a page has
no say in what is measured. ``uvicorn`` sends the pings; this hears its answers.

A move passes here twice, so messages skip the layers between ``uvicorn`` and the table that are there for
HTTP: several to one browser are one write, and one from a browser needs no task to be woken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from kotatsu.table.arbiter import RoundTrip

QUICK = 2.0
"""Seconds between two pings where it matters who is first: a ruling knows the shortest of some fifteen answers.

Elsewhere they are as rare as ``uvicorn`` has it, for each of them wakes a phone.
"""

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
        self.transport.write(b"".join([part for text in messages for part in (_header(len(text)), text)]))
        return True

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


def _header(length: int) -> bytes:
    """Of a whole text frame from a server (RFC 6455, 5.2)."""
    if length < 126:
        return b"\x81" + length.to_bytes()
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2)
    return b"\x81\x7f" + length.to_bytes(8)
