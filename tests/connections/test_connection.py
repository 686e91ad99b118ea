"""One browser's outbox: in order, bounded, sent together, and closed for good."""

from __future__ import annotations

import asyncio

from kotatsu.connections.batch import LoopBatch
from kotatsu.connections.connection import MAX_QUEUED_MESSAGES, TRY_AGAIN_LATER, TableConnection
from kotatsu.connections.round_trip import RoundTripEstimate
from kotatsu.store.contract import Persona


class Wire:
    """Takes what it is told, unless it is full."""

    def __init__(self) -> None:
        self.told: list[list[bytes]] = []
        self.full = False

    def try_send(self, messages: list[bytes]) -> bool:
        if not self.full:
            self.told.append(list(messages))
        return not self.full


async def turns(number: int = 3) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def test_a_browser_is_somebody_and_holds_nothing_yet() -> None:
    connection = TableConnection("ana")
    assert (connection.visitor, connection.persona) == ("ana", Persona())
    assert (connection.held, connection.viewpoint, connection.wanted) == ((), None, None)
    assert (connection.views, connection.spectator_only) == (False, False)
    assert (connection.blocked, connection.closed) == (frozenset(), None)
    assert connection.round_trip.seconds(0.0) == 0.0
    estimate = RoundTripEstimate()
    told = TableConnection(
        "ben",
        Persona("Ben"),
        views=True,
        wanted=2,
        spectator_only=True,
        round_trip=estimate,
        blocked=frozenset({"zoe"}),
    )
    assert (told.persona, told.views, told.wanted, told.spectator_only) == (Persona("Ben"), True, 2, True)
    assert told.round_trip is estimate
    assert told.blocked == {"zoe"}


async def test_messages_come_out_in_the_order_they_went_in() -> None:
    connection = TableConnection("ana")
    for message in (b"1", b"2", b"3"):
        connection.send(message)
    assert await connection.take() == [b"1", b"2", b"3"]
    connection.send(b"4")
    assert await connection.take() == [b"4"]


async def test_whoever_takes_waits_for_the_first_message() -> None:
    connection = TableConnection("ana")
    taking = asyncio.create_task(connection.take())
    await turns()
    assert not taking.done()
    connection.send(b"1")
    connection.send(b"2")
    assert await taking == [b"1", b"2"]


async def test_what_is_sent_in_one_turn_goes_over_the_wire_in_one_go() -> None:
    wire = Wire()
    connection = TableConnection("ana", sink=wire)
    taking = asyncio.create_task(connection.take())
    await turns()
    connection.send(b"1")
    connection.send(b"2")
    assert wire.told == []
    await turns()
    assert wire.told == [[b"1", b"2"]]
    assert not taking.done(), "the owner of the wire is needed only when it is full"
    connection.send(b"3")
    await turns()
    assert wire.told == [[b"1", b"2"], [b"3"]]
    taking.cancel()


async def test_what_a_full_wire_does_not_take_waits_for_its_owner() -> None:
    wire = Wire()
    connection = TableConnection("ana", sink=wire)
    taking = asyncio.create_task(connection.take())
    await turns()
    wire.full = True
    connection.send(b"1")
    await turns()
    assert wire.told == []
    assert await taking == [b"1"]


async def test_while_its_owner_is_busy_nothing_overtakes() -> None:
    wire = Wire()
    connection = TableConnection("ana", sink=wire)
    connection.send(b"1")
    await turns()
    assert wire.told == [], "its owner may be sending something earlier"
    connection.send(b"2")
    await turns()
    assert await connection.take() == [b"1", b"2"]
    assert wire.told == []


async def test_flushing_nothing_wakes_nobody() -> None:
    wire = Wire()
    connection = TableConnection("ana", sink=wire)
    taking = asyncio.create_task(connection.take())
    await turns()
    connection.flush()
    await turns()
    assert wire.told == []
    assert not taking.done()
    taking.cancel()


async def test_connections_that_send_together_are_flushed_in_one_round() -> None:
    flushed: list[str] = []
    sending: LoopBatch[TableConnection] = LoopBatch(lambda one: flushed.append(one.visitor))
    ana, ben = (TableConnection(name, sending=sending) for name in ("ana", "ben"))
    for connection in (ben, ana, ben):
        connection.send(b"x")
    await turns(1)
    assert flushed == ["ben", "ana"], "each once, in the order they began"


async def test_whoever_lets_too_many_pile_up_is_closed_and_hears_nothing_more() -> None:
    connection = TableConnection("ana")
    for number in range(MAX_QUEUED_MESSAGES):
        connection.send(b"%d" % number)
    assert connection.closed is None
    connection.send(b"one too many")
    assert connection.closed == (TRY_AGAIN_LATER, "too slow")
    connection.send(b"later")
    assert await connection.take() == []


async def test_exactly_as_many_as_allowed_are_kept() -> None:
    connection = TableConnection("ana")
    for number in range(MAX_QUEUED_MESSAGES):
        connection.send(b"%d" % number)
    assert len(await connection.take()) == MAX_QUEUED_MESSAGES


async def test_what_was_queued_before_the_end_still_goes_out() -> None:
    connection = TableConnection("ana")
    connection.send(b"last words")
    connection.close(4000, "enough")
    connection.send(b"too late")
    assert await connection.take() == [b"last words"]
    assert await connection.take() == []


async def test_the_first_reason_to_close_is_the_reason() -> None:
    connection = TableConnection("ana")
    connection.close(4000, "first")
    connection.close(4001, "second")
    assert connection.closed == (4000, "first")


async def test_closing_wakes_whoever_waits_for_a_message() -> None:
    connection = TableConnection("ana")
    taking = asyncio.create_task(connection.take())
    await turns()
    connection.close(4000, "enough")
    connection.close(4000, "enough")
    assert await taking == []


async def test_whoever_stops_waiting_can_wait_again() -> None:
    wire = Wire()
    connection = TableConnection("ana", sink=wire)
    taking = asyncio.create_task(connection.take())
    await turns()
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)
    connection.send(b"1")
    await turns()
    assert wire.told == [], "nobody owns the wire at the moment"
    assert await connection.take() == [b"1"]
