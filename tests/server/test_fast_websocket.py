"""The fast wire under a socket: its pings, and that every frame is read however it arrives."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any
from unittest.mock import Mock

from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from kotatsu.connections.connection import TableConnection
from kotatsu.server.fast_websocket import RACE_PING_INTERVAL_S, FastWebSocketProtocol
from kotatsu.server.run import config
from kotatsu.server.settings import ServerSettings
from tests.tables.people import a_manager


async def test_pings_are_quick_only_where_it_matters_who_is_first() -> None:
    async def nothing(scope: Any, receive: Any, send: Any) -> None:
        return None

    wire = FastWebSocketProtocol(
        config(nothing, ServerSettings()), ServerState(), {}, asyncio.get_running_loop()
    )
    wire.connection_made(a_transport())
    assert wire.ping_interval is not None
    assert wire.ping_interval > RACE_PING_INTERVAL_S
    wire.direct.quicken()
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


def at_a_table(listener: Listener, transport: Mock | None = None) -> FastWebSocketProtocol:
    """A socket whose handshake is over."""
    socket = FastWebSocketProtocol(config(lambda *_: None, ServerSettings()), ServerState(), {})
    socket.connection_made(transport or a_transport())
    socket.conn = ServerProtocol(state=State.OPEN)
    socket.handshake_initiated = socket.handshake_complete = True
    socket.direct.listen(listener)
    return socket


def hearing(chunks: list[bytes]) -> list[str | bytes]:
    """What is heard of what arrives."""
    listener = Listener()

    async def listen() -> None:
        wire = at_a_table(listener).direct
        for chunk in chunks:
            wire.data_received(chunk)

    asyncio.run(listen())
    return listener.heard


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
    listener = Listener()
    socket = at_a_table(listener)
    word = Frame(Opcode.TEXT, b"word").serialize(mask=True)
    socket.direct.data_received(word)
    socket.direct.listen(None)
    socket.direct.data_received(word)
    assert listener.heard == [b"word"]
    assert socket.queue.get_nowait() == {"type": "websocket.receive", "text": "word"}


async def test_texts_are_told_in_one_write_unless_they_would_have_to_wait() -> None:
    transport = a_transport()
    socket = at_a_table(Listener(), transport)
    direct = socket.direct
    assert direct.try_send([b"one", b"two"])
    transport.write.assert_called_once_with(b"\x81\x03one\x81\x03two")
    direct.pause_writing()
    assert not socket.writable.is_set()
    assert not direct.try_send([b"three"])
    direct.resume_writing()
    assert socket.writable.is_set()
    assert direct.try_send([b"three"])
    transport.is_closing.return_value = True
    assert not direct.try_send([b"four"])
    assert transport.write.call_count == 2


async def test_a_lost_wire_is_lost_for_the_application_too() -> None:
    socket = at_a_table(Listener())
    socket.direct.connection_lost(None)
    assert socket.disconnected
    assert socket.queue.get_nowait()["type"] == "websocket.disconnect"
