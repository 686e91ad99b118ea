"""Any seat, any kind, any time: bots for people and back, guests on one device, whoever is away, who may look on."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from kotatsu.bots.contract import Thought
from kotatsu.connections.connection import NOT_ADMITTED, TableConnection
from kotatsu.protocol.messages import (
    CommandAccepted,
    CommandRefused,
    PeopleChanged,
    Play,
    SeatInfo,
    SetBot,
    SetGuest,
    SetTableSettings,
    Sit,
    Stand,
    Start,
    StepMessage,
    Welcome,
)
from kotatsu.store.contract import TableSettings
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.manager import NotAdmitted, TableManager
from tests.tables.people import LocalThinker, Person, a_manager
from tests.tables.virtual_time import in_virtual_time


def seats(person: Person) -> tuple[SeatInfo, ...]:
    person.collect()
    known: tuple[SeatInfo, ...] = [event for event in person.heard if hasattr(event, "table")][-1].table.seats
    return known


def quiet_bots() -> LocalThinker:
    return LocalThinker(lambda _: Thought(None))


async def at_play(manager: TableManager) -> tuple[str, Person, Person]:
    """Ana hosts, Ben plays too, a bot has the third seat."""
    made = await manager.create("ana", "whisper", {}, ("me", "open", "random"))
    ana, ben = await Person(manager, "ana").enter(made.id), await Person(manager, "ben").enter(made.id)
    await ben.ask(Sit("s", 1))
    await ana.ask(Start("go", "random"))
    await ben.settle()
    return made.id, ana, ben


async def test_the_host_swaps_a_person_for_a_bot_and_back() -> None:
    thinker = quiet_bots()
    manager = a_manager(thinker=thinker)
    _, ana, ben = await at_play(manager)
    asked = len(thinker.asked)
    assert isinstance(await ana.ask(SetBot("1", 1, "novice")), CommandAccepted)
    assert {situation.seat for situation in thinker.asked[asked:]} >= {1}
    seat = seats(ana)[1]
    assert (seat.kind, seat.level, seat.name, seat.stands_in) == ("bot", "novice", "Ben", True)
    assert ben.all(Welcome)[-1].yours == ()
    assert (await ben.play(1, {"move": "write", "number": 3})).code == "not_your_seat"

    assert isinstance(await ana.ask(SetBot("2", 1, None)), CommandAccepted)
    assert (seats(ana)[1].kind, seats(ana)[1].stands_in) == ("person", False)
    assert ben.all(Welcome)[-1].yours == (1,)
    assert isinstance(await ben.play(1, {"move": "write", "number": 3}), CommandAccepted)
    await manager.close()


async def test_whoever_was_stood_in_for_has_the_seat_back_on_return() -> None:
    manager = a_manager(thinker=quiet_bots())
    table, ana, ben = await at_play(manager)
    await ben.ask(Stand("1", 1))
    assert (seats(ana)[1].kind, seats(ana)[1].level) == ("bot", "adept")
    assert isinstance(await ben.ask(Sit("2", 1)), CommandAccepted)
    assert seats(ana)[1].kind == "person"
    await ben.ask(Stand("3", 1))
    ben.leave()
    again = await Person(manager, "ben").enter(table)
    assert again.all(Welcome)[-1].yours == (1,)
    assert (await Person(manager, "zoe").enter(table)).all(Welcome)[-1].yours == ()
    await manager.close()


async def test_nobody_takes_the_seat_of_somebody_who_is_stood_in_for() -> None:
    manager = a_manager(thinker=quiet_bots())
    table, ana, ben = await at_play(manager)
    await ben.ask(Stand("1", 1))
    zoe = await Person(manager, "zoe").enter(table)
    assert (await zoe.ask(Sit("1", 1))).code == "seat_taken"
    assert (await zoe.ask(SetBot("2", 1, None))).code == "not_host"
    assert isinstance(await ana.ask(SetBot("4", 2, None)), CommandAccepted)
    assert isinstance(await zoe.ask(Sit("5", 2)), CommandAccepted)
    assert seats(ana)[2].name == "Zoe"
    await manager.close()


async def test_a_guest_plays_on_the_hosts_device() -> None:
    manager = a_manager(thinker=quiet_bots())
    _, ana, ben = await at_play(manager)
    assert (await ben.ask(SetGuest("0", 2, "Léa"))).code == "not_host"
    assert (await ana.ask(SetGuest("1", 1, "Léa"))).code == "seat_taken"
    assert isinstance(await ana.ask(SetGuest("2", 2, "  Léa\n ")), CommandAccepted)
    assert (seats(ben)[2].name, seats(ben)[2].guest) == ("Léa", True)
    assert ana.all(Welcome)[-1].yours == (0, 2)
    assert isinstance(await ana.play(2, {"move": "write", "number": 5}), CommandAccepted)
    assert isinstance(await ana.ask(SetBot("3", 2, "random")), CommandAccepted)
    assert seats(ana)[2] == SeatInfo("bot", level="random")
    await manager.close()


@in_virtual_time
async def test_only_after_the_tables_patience_may_the_others_put_a_bot_on_an_empty_seat() -> None:
    manager = a_manager(thinker=quiet_bots())
    table, ana, ben = await at_play(manager)
    cleo = await Person(manager, "cleo").enter(table)
    ana.leave()
    assert (await ben.ask(SetBot("1", 0, "random"))).code == "not_host"
    assert not seats(ben)[0].here
    assert seats(ben)[0].away is not None
    await asyncio.sleep(TableSettings().patience + 1)
    assert (await cleo.ask(SetBot("2", 0, "random"))).code == "not_host"
    assert isinstance(await ben.ask(SetBot("3", 0, "random")), CommandAccepted)
    assert (seats(ben)[0].kind, seats(ben)[0].stands_in) == ("bot", True)
    assert ben.all(Welcome)[-1].host, "somebody must be able to decide while the host is gone"
    await Person(manager, "ana").enter(table)
    await ben.settle()
    assert seats(ben)[0].kind == "person"
    assert not ben.all(Welcome)[-1].host
    await manager.close()


async def test_a_finished_game_keeps_its_seats() -> None:
    manager = a_manager()
    _, ana, ben = await at_play(manager)
    for number in range(3):
        await ana.play(0, {"move": "write", "number": number})
        await ben.play(1, {"move": "write", "number": 9})
    assert ana.all(PeopleChanged)[-1].table.status == "over"
    assert (await ana.ask(SetBot("1", 1, "random"))).code == "not_playing"
    assert (await ben.ask(Stand("2", 1))).code == "not_playing"
    await manager.close()


async def test_the_host_shuts_spectators_out_and_lets_them_in_again() -> None:
    manager = a_manager(thinker=quiet_bots())
    table, ana, ben = await at_play(manager)
    zoe = await Person(manager, "zoe").enter(table)
    assert ana.all(PeopleChanged)[-1].table.watching == 1
    shut = SetTableSettings("1", TableSettings(watchable=False))
    assert (await ben.ask(shut)).code == "not_host"
    assert isinstance(await ana.ask(shut), CommandAccepted)
    assert zoe.connection.closed is not None
    assert zoe.connection.closed[0] == NOT_ADMITTED
    zoe.leave()
    with pytest.raises(NotAdmitted):
        await manager.enter(table, TableConnection("zoe"))
    assert ben.connection.closed is None
    await ana.ask(SetTableSettings("2", TableSettings(watchable=True)))
    assert (await Person(manager, "zoe").enter(table)).all(Welcome)[-1].yours == ()
    await manager.close()


async def test_whoever_left_plays_no_seat_that_a_bot_has_by_now() -> None:
    manager = a_manager(thinker=quiet_bots())
    _, ana, ben = await at_play(manager)
    assert ana.table is not None
    ana.table.submit(ana.connection, SetBot("1", 1, "random"))
    ana.table.submit(ben.connection, Play("late", 1, ben.seq, msgspec.Raw(b'{"move":"write","number":3}')))
    ben.leave()
    await ana.settle()
    ben.collect()
    assert ben.answer("late").code == "not_your_seat"
    assert not ana.all(StepMessage)
    await manager.close()


async def test_a_gathering_table_lets_in_whoever_may_sit_down() -> None:
    manager = a_manager(thinker=quiet_bots())
    made = await manager.create("ana", "whisper", {}, ("me", "open"), settings=TableSettings(watchable=False))
    zoe = await Person(manager, "zoe").enter(made.id)
    assert isinstance(await zoe.ask(Sit("1", 1)), CommandAccepted)
    with pytest.raises(NotAdmitted):
        await manager.enter(made.id, TableConnection("max"))
    await manager.close()


async def test_seats_and_manners_survive_a_restart() -> None:
    store = MemoryStore()
    manager = a_manager(store, thinker=quiet_bots())
    table, ana, ben = await at_play(manager)
    await ben.ask(Stand("1", 1))
    await ana.ask(SetGuest("2", 2, "Léa"))
    await ana.ask(SetTableSettings("3", TableSettings(listed=True, patience=60.0)))
    await manager.close()
    again = a_manager(store, thinker=quiet_bots())
    ana = await Person(again, "ana").enter(table)
    assert [seat.name for seat in seats(ana)] == ["", "Ben", "Léa"]
    assert ana.all(Welcome)[-1].table.settings == TableSettings(listed=True, patience=60.0)
    assert ana.all(Welcome)[-1].yours == (0, 2)
    await again.close()


@in_virtual_time
async def test_a_bot_that_thought_for_a_seat_somebody_took_back_is_not_heard() -> None:
    thinking = asyncio.Event()

    class SlowMinds(LocalThinker):
        async def think(self, game: str, level: str, situation: object) -> Thought:
            await thinking.wait()
            return await super().think(game, level, situation)  # type: ignore[arg-type]

    manager = a_manager(thinker=SlowMinds())
    made = await manager.create("ana", "whisper", {}, ("me", "random"), start=True)
    ana = Person(manager, "ana")
    ana.table = await manager.enter(made.id, ana.connection)
    ana.table.submit(ana.connection, SetGuest("1", 1, "Léa"))
    await asyncio.sleep(0.01)
    thinking.set()
    await ana.settle()
    assert not any(isinstance(event, CommandRefused) for event in ana.heard)
    assert ana.all(Welcome)[-1].waiting.acting == (0, 1)
    await manager.close()
