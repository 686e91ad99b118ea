"""The server's own pings: they keep a connection alive and measure how long it takes there and back.

A WebSocket ping is answered by the browser itself, before any script of the page runs, so a page has
no say in what is measured. ``uvicorn`` sends the pings; this hears its answers.
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
    """What was measured on one connection, and a way to ask for more."""

    __slots__ = ("quicken", "round_trip")

    def __init__(self, quicken: Callable[[], None]) -> None:
        self.round_trip = RoundTrip()
        self.quicken = quicken


class MeasuredWebSocket(WebSocketsSansIOProtocol):
    """``uvicorn``'s WebSocket with a ``Pulse`` in its scope."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.pulse = Pulse(self.quicken)

    def quicken(self) -> None:
        """Ping often from now on."""
        self.ping_interval = QUICK
        if self.ping_timer is not None:  # else an answer is awaited, and the next follows soon
            self.ping_timer.cancel()
            self.send_keepalive_ping()

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
