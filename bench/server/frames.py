"""As little of a WebSocket client as a load generator needs, so that it weighs less than what it measures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

_KEY = "dGhlIHNhbXBsZSBub25jZQ=="
_PING, _PONG, _CLOSE = 9, 10, 8


class Wire(asyncio.Protocol):
    """Text frames in and out. Masks are zero, which is as good as any other to a server."""

    def __init__(self, hear: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._hear = hear
        self._lost = lost
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self.upgraded: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost(str(exc or "closed by the server"))

    def data_received(self, data: bytes) -> None:
        self._buffer = self._buffer + data if self._buffer else data
        if not self.upgraded.done():
            self._read_upgrade()
        if self.upgraded.done():
            self._read_frames()

    def send(self, text: bytes) -> None:
        self._frame(1, text)

    def close(self) -> None:
        self._lost = lambda _: None
        if self._transport is not None:
            self._transport.close()

    def upgrade(self, host: str, path: str, cookie: str) -> None:
        assert self._transport is not None
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {_KEY}",
            "Sec-WebSocket-Version: 13",
            *([f"Cookie: {cookie}"] if cookie else []),
        ]
        self._transport.write("\r\n".join([*lines, "", ""]).encode())

    def _read_upgrade(self) -> None:
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if found:
            self._buffer = rest
            if b" 101 " in head.partition(b"\r\n")[0]:
                self.upgraded.set_result(None)
            else:
                self.upgraded.set_exception(ConnectionError(head.decode()))

    def _read_frames(self) -> None:
        buffer, at, end = self._buffer, 0, len(self._buffer)
        while end - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                start += 2
                length = int.from_bytes(buffer[at + 2 : start]) if end >= start else end
            elif length == 127:
                start += 8
                length = int.from_bytes(buffer[at + 2 : start]) if end >= start else end
            if start + length > end:
                break
            self._take(buffer[at] & 15, buffer[start : start + length])
            at = start + length
        self._buffer = buffer[at:]

    def _take(self, opcode: int, payload: bytes) -> None:
        if opcode == _PING:
            self._frame(_PONG, payload)
        elif opcode != _CLOSE:
            self._hear(payload)

    def _frame(self, opcode: int, payload: bytes) -> None:
        length = len(payload)
        size = bytes([128 | length]) if length < 126 else b"\xfe" + length.to_bytes(2)
        assert self._transport is not None
        self._transport.write(bytes([128 | opcode]) + size + b"\0\0\0\0" + payload)


async def dial(
    port: int, path: str, hear: Callable[[bytes], None], lost: Callable[[str], None], cookie: str = ""
) -> Wire:
    """A WebSocket to a server on this machine."""
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(lambda: Wire(hear, lost), "127.0.0.1", port)
    wire.upgrade(f"127.0.0.1:{port}", path, cookie)
    await wire.upgraded
    return wire
