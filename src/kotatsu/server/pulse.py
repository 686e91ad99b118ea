"""The server's own pings: they keep a connection alive and measure how long it takes there and back.

A WebSocket ping is answered by the browser itself, before any script of the page runs, so a page has
no say in what is measured. ``uvicorn`` sends the pings; this hears its answers.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from kotatsu.table.arbiter import RoundTrip

PING_EVERY = 2.0
"""Seconds. A ruling knows the shortest of some fifteen answers (``arbiter.MEMORY_S``)."""

ROUND_TRIP = "kotatsu_round_trip"
"""Where in a socket's scope its ``RoundTrip`` is."""


class MeasuredWebSocket(WebSocketsSansIOProtocol):
    """``uvicorn``'s WebSocket with a ``RoundTrip`` in its scope."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.round_trip = RoundTrip()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:  # else it was refused and has no scope
            self.scope["state"][ROUND_TRIP] = self.round_trip

    def start_keepalive(self) -> None:
        self.send_keepalive_ping()

    def handle_pong(self, event: Frame) -> None:
        awaited = self.pending_ping_payload
        super().handle_pong(event)
        if awaited is not None and self.pending_ping_payload is None:
            self.round_trip.at_most(self.last_ping_rtt, self.loop.time())
