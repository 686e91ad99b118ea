"""``kotatsu serve``: listen, say where, and stay until told to stop."""

from __future__ import annotations

import errno
import gc
import os
import socket
import sys
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn

from kotatsu.server.app import create_app
from kotatsu.server.logs import set_up_logging
from kotatsu.server.settings import ServerSettings, read_settings
from kotatsu.server.wire import websocket_protocol
from kotatsu.store.sqlite import SqliteStore

SHUTDOWN_SECONDS = 5


class PortInUse(OSError):
    """Another program already listens there."""


def serve(*, host: str, port: int, data: Path, open_browser: bool, flags: Mapping[str, str]) -> None:
    """Serve until interrupted. Flags come as arguments, the rest from the environment.

    Raises:
        PortInUse: before anything was started.
        DataUnusable: the data directory cannot be used, or another server has it.
        BadSetting: the environment holds a setting that makes no sense.
    """
    settings = read_settings({"host": host, "port": port, "data": data, **flags})
    set_up_logging(settings.log_form, settings.log_level)
    listener = listen(host, port)
    try:
        store = SqliteStore(settings.data)
    except Exception:
        listener.close()
        raise
    address = address_of(listener)
    sys.stdout.write(f"Kotatsu is open at {address} (Ctrl-C closes it)\n")
    if nearby := _address_nearby(listener):
        sys.stdout.write(f"For others on your network: {nearby}\n")
    sys.stdout.flush()
    if open_browser and _has_display():
        webbrowser.open(address)
    server = uvicorn.Server(config(create_app(settings, store), settings))
    _collect_garbage_rarely()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def _collect_garbage_rarely() -> None:
    """Tables, states, messages and sockets hold no cycles and go by themselves: looking for some is wasted time.

    Few objects are looked at in one go, and all of them hardly ever, so that no game waits.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 5, 500)


def config(app: Any, settings: ServerSettings) -> uvicorn.Config:
    """How uvicorn is to run the house."""
    return uvicorn.Config(
        app,
        ws=websocket_protocol(settings.wire),
        ws_max_size=settings.frame_bytes,
        ws_per_message_deflate=False,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        PortInUse: another program has the port.
    """
    family, kind, protocol, _, where = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(where)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(error.errno, f"port {port} is already in use") from None
        raise
    return listener


def address_of(listener: socket.socket) -> str:
    """The address a person types."""
    host, port = listener.getsockname()[:2]
    shown = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1", "::1") else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"


def _address_nearby(listener: socket.socket) -> str | None:
    """What to type on another device at home, if the house listens for it."""
    host, port = listener.getsockname()[:2]
    if host not in ("0.0.0.0", "::"):
        return None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which of our addresses would be used
        return f"http://{probe.getsockname()[0]}:{port}/"
    return None


def _has_display() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
