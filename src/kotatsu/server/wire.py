"""Which WebSocket implementation carries the house's messages, and what a socket may know of it.

``fast`` is ``kotatsu.server.fast_websocket``, which measures round trips and skips layers by means of parts of
``uvicorn`` that are not published. ``plain`` is ``uvicorn``'s own implementation behind ASGI's ``receive`` and
``send``: it stands on published interfaces alone, and measures no round trips. For ``plain`` nothing of ``fast``
is even imported. ``docs/dependencies.md`` lists what is not published; ``docs/hosting.md`` says when to choose which.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Literal, Protocol

from kotatsu.connections.round_trip import RoundTripEstimate

Wire = Literal["fast", "plain"]

CONNECTION_KEY = "kotatsu_direct_connection"
"""Where in the state of a socket's scope its ``DirectConnection`` is, on the fast wire."""


class MessageListener(Protocol):
    """Whoever listens to a browser."""

    def hear(self, text: str | bytes) -> None:
        """It says something."""


class DirectConnection(Protocol):
    """The shortest way to and from one browser. The plain wire has none."""

    @property
    def round_trip(self) -> RoundTripEstimate:
        """What was measured on it."""

    def quicken(self) -> None:
        """Measure often from now on."""

    def listen(self, listener: MessageListener | None) -> None:
        """Tell a listener what the browser says from now on; with ``None``, ASGI's ``receive`` is told again."""

    def try_send(self, messages: list[bytes]) -> bool:
        """Send several texts at once; ``False``, and nothing is sent, if they would have to wait."""


def direct_connection(scope: Mapping[str, Any]) -> DirectConnection | None:
    """The direct connection of a socket's ASGI scope; ``None`` on the plain wire."""
    found: DirectConnection | None = scope["state"].get(CONNECTION_KEY)
    return found


def websocket_protocol(wire: Wire) -> type[asyncio.Protocol] | Literal["websockets-sansio"]:
    """What ``uvicorn.Config`` takes as ``ws``."""
    if wire == "plain":
        return "websockets-sansio"
    from kotatsu.server.fast_websocket import FastWebSocketProtocol

    return FastWebSocketProtocol
