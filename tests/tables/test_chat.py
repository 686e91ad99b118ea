"""Talking at a table: heard by all who want to, kept, slowed down, and not while a game needs silence."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from kotatsu.bots.contract import Thought
from kotatsu.protocol.messages import Block, CommandAccepted, Incoming, React, Reacted, Said, Say, Sit
from kotatsu.store.contract import Persona, StoreError
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.chat import HISTORY_MESSAGES, RATE_LIMIT_MESSAGES, RATE_LIMIT_SECONDS
from kotatsu.tables.manager import TableManager
from tests.tables.people import LocalThinker, Person, a_manager
from tests.tables.virtual_time import in_virtual_time


async def together(manager: TableManager, game: str = "whisper") -> tuple[str, Person, Person]:
    await manager.set_persona("ana", Persona("Ana"))
    start = game != "whisper"
    choices = ("me", "random") if start else ("me", "open")
    made = await manager.create("ana", game, {}, choices, start=start)
    ana, ben = await Person(manager, "ana").enter(made.id), await Person(manager, "ben").enter(made.id)
    return made.id, ana, ben


def a_quiet_house(store: MemoryStore | None = None) -> TableManager:
    return a_manager(store, thinker=LocalThinker(lambda _: Thought(None)))


def words(person: Person) -> list[Any]:
    return [(said.number, said.seat, said.name, said.text, said.yours) for said in person.all(Said)]


@in_virtual_time
async def test_everyone_hears_and_whoever_comes_later_hears_it_too() -> None:
    store = MemoryStore()
    manager = a_quiet_house(store)
    table, ana, ben = await together(manager)
    assert isinstance(await ana.ask(Say("1", "  Hello <b>you</b>\n\x07 ")), CommandAccepted)
    await ben.ask(Sit("2", 1))
    await ben.ask(Say("3", "Bonsoir"))
    await ana.settle()
    assert words(ana) == [
        (1, 0, "Ana", "Hello <b>you</b>", True),
        (2, 1, "Ben", "Bonsoir", False),
    ]
    await manager.close()
    later = await Person(a_quiet_house(store), "zoe").enter(table)
    assert [said.text for said in later.all(Said)] == ["Hello <b>you</b>", "Bonsoir"]
    assert not any(b"ana" in frame for frame in later.raw), "a visitor's id is nobody else's business"


@in_virtual_time
async def test_nothing_is_not_said() -> None:
    manager = a_quiet_house()
    _, ana, ben = await together(manager)
    assert (await ana.ask(Say("1", " \n\t "))).code == "malformed"
    assert words(ben) == []
    await manager.close()


@in_virtual_time
async def test_signs_are_seen_and_not_kept() -> None:
    manager = a_quiet_house()
    table, ana, ben = await together(manager)
    assert isinstance(await ben.ask(React("1", "bravo")), CommandAccepted)
    await ana.settle()
    assert ana.all(Reacted) == [Reacted("bravo", "Ben", None, False)]
    assert ben.all(Reacted)[0].yours
    await ana.ask(React("2", "ouch"))
    assert ben.all(Reacted)[-1] == Reacted("ouch", "Ana", 0, False)
    assert (await Person(manager, "zoe").enter(table)).all(Reacted) == []
    await manager.close()


@in_virtual_time
async def test_who_talks_too_much_is_slowed_down_alone() -> None:
    manager = a_quiet_house()
    _, ana, ben = await together(manager)
    answers = [await ana.ask(Say(f"{n}", f"word {n}")) for n in range(RATE_LIMIT_MESSAGES + 1)]
    assert all(isinstance(answer, CommandAccepted) for answer in answers[:-1])
    assert answers[-1].code == "too_fast"
    assert (await ana.ask(React("r", "wow"))).code == "too_fast"
    assert isinstance(await ben.ask(Say("b", "my turn")), CommandAccepted)
    await asyncio.sleep(RATE_LIMIT_SECONDS - 0.1)
    assert (await ana.ask(Say("s", "still too soon"))).code == "too_fast"
    await asyncio.sleep(0.1)
    for number in range(RATE_LIMIT_MESSAGES):
        assert isinstance(await ana.ask(React(f"a{number}", "wow")), CommandAccepted)
    assert (await ana.ask(React("b", "wow"))).code == "too_fast"
    await manager.close()


@in_virtual_time
async def test_whoever_comes_late_hears_the_last_hundred_things() -> None:
    store = MemoryStore()
    manager = a_quiet_house(store)
    table, ana, _ = await together(manager)
    for number in range(1, HISTORY_MESSAGES + 6):
        assert isinstance(await ana.ask(Say(f"{number}", f"word {number}")), CommandAccepted)
        await asyncio.sleep(RATE_LIMIT_SECONDS)
    said = list(range(6, HISTORY_MESSAGES + 6))
    assert [each.number for each in (await Person(manager, "zoe").enter(table)).all(Said)] == said
    await manager.close()
    later = a_quiet_house(store)
    ana = await Person(later, "ana").enter(table)
    assert [each.number for each in ana.all(Said)] == said
    await ana.ask(Say("next", "and on it goes"))
    assert ana.all(Said)[-1].number == HISTORY_MESSAGES + 6
    assert ana.all(Said)[-1].at > 1_600_000_000
    await later.close()


@in_virtual_time
async def test_who_was_blocked_in_the_middle_is_not_heard_in_any_of_ones_browsers() -> None:
    store = MemoryStore()
    manager = a_quiet_house(store)
    table, ana, ben = await together(manager)
    phone = await Person(manager, "ana").enter(table)
    zoe = await Person(manager, "zoe").enter(table)
    await ben.ask(Say("1", "something unpleasant"))
    await zoe.ask(Say("2", "oh"))
    for person in (ana, phone):
        person.collect()
    assert isinstance(await phone.ask(Block("3", 1)), CommandAccepted)
    assert await manager.blocked_ids("ana") == {"ben"}
    assert [blocked.name for blocked in await store.blocks("ana")] == ["Ben"]
    await ben.ask(Say("4", "more"))
    await zoe.ask(Say("5", "dear me"))
    assert [[said.number for said in person.all(Said)] for person in (ana, phone, zoe)] == [
        [1, 2, 4],
        [1, 2, 4],
        [1, 2, 3, 4],
    ]
    assert isinstance(await phone.ask(Block("6", 2)), CommandAccepted)
    assert phone.connection.blocked == ana.connection.blocked == {"ben", "zoe"}
    assert zoe.connection.blocked == frozenset()
    await manager.close()


@in_virtual_time
async def test_a_saying_that_cannot_be_written_is_told_to_nobody() -> None:
    class Full(MemoryStore):
        async def add_saying(self, table: str, saying: Any) -> None:
            raise StoreError("the disk is full")

    manager = a_quiet_house(Full())
    _, ana, ben = await together(manager)
    assert (await ana.ask(Say("1", "hello"))).code == "busy"
    assert words(ben) == words(ana) == []
    await manager.close()


@in_virtual_time
async def test_words_are_one_line_without_odd_characters() -> None:
    manager = a_quiet_house()
    _, ana, ben = await together(manager)
    await ana.ask(Say("1", "  a\u202eb \t c\n\nd  "))
    assert [said.text for said in ben.all(Said)] == ["a b c d"]
    await manager.close()


@in_virtual_time
async def test_a_blocked_person_is_not_heard_at_any_table_and_not_seated_at_ones_own() -> None:
    manager = a_quiet_house()
    table, ana, ben = await together(manager)
    await ben.ask(Say("1", "something unpleasant"))
    await ana.settle()
    assert (await ana.ask(Block("2", 99))).code == "no_such_saying"
    assert (await ben.ask(Block("3", 1))).code == "no_such_saying"
    assert isinstance(await ana.ask(Block("4", 1)), CommandAccepted)
    await ben.ask(Say("5", "more of it"))
    await ben.ask(React("6", "laugh"))
    await ana.settle()
    assert [said.number for said in ana.all(Said)] == [1]
    assert ana.all(Reacted) == []
    assert [said.number for said in ben.all(Said)] == [1, 2]

    other, ana_there, ben_there = await together(manager)
    ana_there.connection.blocked = await manager.blocked_ids("ana")
    await ben_there.ask(Say("7", "and more"))
    await ana_there.settle()
    assert words(ana_there) == []
    assert (await ben_there.ask(Sit("8", 1))).code == "seat_taken"
    assert table != other
    await manager.close()


@in_virtual_time
async def test_a_game_of_memory_is_played_in_silence_but_for_signs() -> None:
    manager = a_quiet_house()
    _, ana, ben = await together(manager, "kabuki")
    assert (await ana.ask(Say("1", "the fox is on the left"))).code == "quiet"
    assert isinstance(await ana.ask(React("2", "think")), CommandAccepted)
    assert words(ben) == []
    await manager.close()


@pytest.mark.parametrize("text", ["", "x" * 301])
def test_a_saying_has_a_length(text: str) -> None:
    frame = msgspec.json.encode({"type": "say", "command_id": "1", "text": text})
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(frame, type=Incoming)
