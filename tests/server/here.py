"""A house in this very process, so that what it leaves behind can be counted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn

from kotatsu.server.app import create_app
from kotatsu.server.run import address_of, config, listen
from kotatsu.server.settings import ServerSettings
from kotatsu.server.wire import Wire


@asynccontextmanager
async def house_here(folder: Path, wire: Wire) -> AsyncIterator[str]:
    """Its address, while it is open."""
    settings = ServerSettings(
        data=folder,
        pace=0.01,
        linger=0.1,
        bot_workers=1,
        warm_up=False,
        tables_a_day=1_000_000,
        changes_per_second=1e6,
        messages_per_second=1e6,
        message_burst=1_000_000,
        wire=wire,
    )
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(config(create_app(settings), settings))
    running = asyncio.create_task(server.serve([listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield address_of(listener)
    finally:
        server.should_exit = True
        await running
        listener.close()
