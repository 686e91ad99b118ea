"""The wire under a socket: round trips are measured by the server's own pings, and every frame is read."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from kotatsu.connections.connection import TableConnection
from kotatsu.protocol.messages import CommandAccepted, Receipt, StepMessage
from kotatsu.races.arbiter import LONGEST_ALLOWANCE_MS
from kotatsu.server.fast_websocket import RACE_PING_INTERVAL_S, FastWebSocketProtocol, WebSocketConnection
from kotatsu.server.run import config
from kotatsu.server.settings import ServerSettings
from kotatsu.server.websocket_admission import UnwrappedWebSocket
from tests.browser.server_process import ServerProcess
from tests.server.here import house_here
from tests.server.visitor import Visitor
from tests.tables.people import a_manager

ONE_WAY_S = 0.1


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Everything arrives, in order, a while later."""
    loop = asyncio.get_running_loop()
    while data := await reader.read(65536):
        loop.call_later(ONE_WAY_S, writer.write, data)
    await asyncio.sleep(2 * ONE_WAY_S)
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


@asynccontextmanager
async def long_way(address: str) -> AsyncIterator[str]:
    """The address of the same house, farther away."""
    where = urlsplit(address)
    ways: set[asyncio.Task[None]] = set()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(where.hostname, where.port)
        for way in (_carry(reader, back), _carry(there, writer)):
            ways.add(asyncio.create_task(way))

    server = await asyncio.start_server(connect, "127.0.0.1")
    port = server.sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.close()
    await asyncio.gather(*ways)


@pytest.mark.rule("KB-21")
async def test_whoever_is_farther_away_is_allowed_for(house: ServerProcess, ana: Visitor) -> None:
    """No upper bound is asserted but the rule's own: a busy machine only makes a way longer."""
    async with long_way(house.address) as address, Visitor(address) as ben:
        while True:
            table = await ana.make("kabuki", "me", "open", start=False, window_s=10, turn_s=0)
            hers, his = await ana.join(table), await ben.join(table)
            assert isinstance(await his.ask("sit", seat=1), CommandAccepted)
            assert isinstance(await hers.ask("start", level="random"), CommandAccepted)
            await his.until(lambda event: getattr(event, "seq", 0) == 1)
            if 0 in hers.moves:
                break
        assert isinstance(await hers.play(0, {"move": "place", "stack": 2}), CommandAccepted)
        await his.until(lambda event: isinstance(event, StepMessage))
        assert isinstance(await his.play(1, {"move": "stop"}), CommandAccepted)
        receipt: Receipt = his.all(StepMessage)[-1].receipt
        assert (receipt.seat, receipt.decided_by) == (1, "alone")
        (press,) = receipt.presses
        assert ONE_WAY_S * 1000 <= press.allowed_ms <= LONGEST_ALLOWANCE_MS
        assert (await hers.until(lambda event: isinstance(event, StepMessage))).receipt == receipt


async def test_pings_are_quick_only_where_it_matters_who_is_first() -> None:
    async def nothing(scope: Any, receive: Any, send: Any) -> None:
        return None

    wire = FastWebSocketProtocol(
        config(nothing, ServerSettings()), ServerState(), {}, asyncio.get_running_loop()
    )
    wire.connection_made(a_transport())
    assert wire.ping_interval is not None
    assert wire.ping_interval > RACE_PING_INTERVAL_S
    wire.pulse.quicken()
    assert wire.ping_interval == RACE_PING_INTERVAL_S
    house = a_manager()
    races = {}
    for name in ("kabuki", "kimono"):
        made = await house.create("ana", name, {}, ("me", "open"))
        races[name] = (await house.enter(made.id, TableConnection("ana"))).races
    assert races == {"kabuki": True, "kimono": False}
    await house.close()


def _message(said: bytes, pieces: int, opcode: Opcode) -> list[Frame]:
    """A message in one frame, or in several with a ping between."""
    size = max(1, -(-len(said) // pieces))
    parts = [said[at : at + size] for at in range(0, len(said), size)] or [b""]
    frames = [
        Frame(opcode if not at else Opcode.CONT, part, fin=at == len(parts) - 1)
        for at, part in enumerate(parts)
    ]
    return [frames[0], Frame(Opcode.PING, b"?"), *frames[1:]]


class Listener:
    """Remembers what it heard."""

    def __init__(self) -> None:
        self.heard: list[str | bytes] = []

    def hear(self, text: str | bytes) -> None:
        self.heard.append(text)


def a_transport() -> Mock:
    """A wire that can be written to."""
    transport = Mock(spec=asyncio.Transport)
    transport.get_extra_info.return_value = None
    transport.is_closing.return_value = False
    return transport


def at_a_table(ear: Listener, transport: Mock | None = None) -> FastWebSocketProtocol:
    """A socket whose handshake is over."""
    socket = FastWebSocketProtocol(config(lambda *_: None, ServerSettings()), ServerState(), {})
    socket.connection_made(transport or a_transport())
    socket.conn = ServerProtocol(state=State.OPEN)
    socket.handshake_initiated = socket.handshake_complete = True
    socket.pulse.listen(ear)
    return socket


def hearing(chunks: list[bytes]) -> list[str | bytes]:
    """What is heard of what arrives."""
    ear = Listener()

    async def listen() -> None:
        wire = at_a_table(ear).pulse
        for chunk in chunks:
            wire.data_received(chunk)

    asyncio.run(listen())
    return ear.heard


def _in_chunks(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in pairwise(places)]


said = st.binary(max_size=200) | st.integers(120, 9_000).map(lambda size: b"x" * size)
messages = st.lists(
    st.tuples(said, st.integers(1, 3), st.sampled_from((Opcode.TEXT, Opcode.BINARY))), min_size=1, max_size=6
)


@given(messages=messages, cuts=st.lists(st.integers(0, 30_000), max_size=4), by_frame=st.booleans())
def test_whatever_way_frames_arrive_each_message_is_heard_once_and_in_order(
    messages: list[tuple[bytes, int, Opcode]], cuts: list[int], by_frame: bool
) -> None:
    frames = [frame.serialize(mask=True) for message in messages for frame in _message(*message)]
    heard = hearing(frames if by_frame else _in_chunks(b"".join(frames), cuts))
    assert heard == [message[0] for message in messages]


def test_what_looks_like_a_frame_inside_another_is_not_taken_for_one() -> None:
    inner = Frame(Opcode.TEXT, b"inside").serialize(mask=True)
    outer = bytes([0x82, 0x80 + len(inner), 0, 0, 0, 0])  # its mask changes nothing
    assert hearing([outer, inner]) == [inner]


def test_a_message_within_another_is_an_error_and_not_heard() -> None:
    begun = Frame(Opcode.TEXT, b"one ", fin=False).serialize(mask=True)
    another = Frame(Opcode.TEXT, b"two").serialize(mask=True)
    assert hearing([begun, another]) == []


async def test_whoever_listens_takes_the_place_of_the_application_and_gives_it_back() -> None:
    ear = Listener()
    socket = at_a_table(ear)
    word = Frame(Opcode.TEXT, b"word").serialize(mask=True)
    socket.pulse.data_received(word)
    socket.pulse.listen(None)
    socket.pulse.data_received(word)
    assert ear.heard == [b"word"]
    assert socket.queue.get_nowait() == {"type": "websocket.receive", "text": "word"}


async def test_texts_are_told_in_one_write_unless_they_would_have_to_wait() -> None:
    transport = a_transport()
    socket = at_a_table(Listener(), transport)
    pulse = socket.pulse
    assert pulse.try_send([b"one", b"two"])
    transport.write.assert_called_once_with(b"\x81\x03one\x81\x03two")
    pulse.pause_writing()
    assert not socket.writable.is_set()
    assert not pulse.try_send([b"three"])
    pulse.resume_writing()
    assert socket.writable.is_set()
    assert pulse.try_send([b"three"])
    transport.is_closing.return_value = True
    assert not pulse.try_send([b"four"])
    assert transport.write.call_count == 2


async def test_a_lost_wire_is_lost_for_the_application_too() -> None:
    socket = at_a_table(Listener())
    socket.pulse.connection_lost(None)
    assert socket.disconnected
    assert socket.queue.get_nowait()["type"] == "websocket.disconnect"


def sockets() -> list[object]:
    """What there is of sockets in this process."""
    return [
        one
        for one in gc.get_objects()
        if isinstance(one, FastWebSocketProtocol | WebSocketConnection | UnwrappedWebSocket)
    ]


def test_a_closed_socket_is_gone_without_a_search_for_cycles(tmp_path: Path) -> None:
    """On the event loop the house is served with: transports differ in what they hold on to."""

    async def visit() -> None:
        async with house_here(tmp_path) as address, Visitor(address) as ana:
            table = await ana.make("kimono", "me", "me")
            before = len(sockets())
            line = await ana.join(table)
            assert len(sockets()) == before + 3
            await line.socket.close()
            async with asyncio.timeout(30):
                while len(sockets()) > before:
                    await asyncio.sleep(0.01)

    gc.collect()
    gc.disable()
    try:
        with asyncio.Runner(loop_factory=config(None, ServerSettings()).get_loop_factory()) as runner:
            runner.run(visit())
    finally:
        gc.enable()
