"""Time is charged from when a player may move until the move arrives, whatever their browser does meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from kotatsu.bots.contract import Situation, Thought
from kotatsu.protocol.messages import CommandAccepted, CommandRefused, SetTableSettings, Start, StepMessage
from kotatsu.store.contract import TableSettings
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.manager import ManagerSettings, TableManager
from tests.tables.people import RULES, LocalThinker, Person
from tests.tables.virtual_time import in_virtual_time

EPOCH = 1_800_000_000.0
THOUGHT_S = 20.0
TOLERANCE_S = 0.2
ALONE: tuple[str, ...] = ("me",)


class Evening:
    """A store, and the managers that open its tables one after the other; all clocks are the event loop's."""

    def __init__(self, thinker: LocalThinker | None = None, rules: ManagerSettings = RULES) -> None:
        self.store = MemoryStore()
        self._thinker = thinker or LocalThinker()
        self._rules = rules
        self.manager = self._a_manager()

    async def table(self, game: str, seats: tuple[str, ...], **options: Any) -> str:
        made = await self.manager.create("ana", game, options, seats, start=True)
        return made.id

    async def restart(self) -> None:
        """Close the server and start it again."""
        await self.manager.close()
        self.manager = self._a_manager()

    async def enter(self, table: str) -> Person:
        return await Person(self.manager, "ana").enter(table)

    async def facts(self, table: str, kind: str) -> list[dict[str, Any]]:
        rows = await self.store.steps(table)
        entries = [entry for row in rows for entry in msgspec.json.decode(row.entries)]
        return [entry for entry in entries if entry.get("fact") == kind]

    def _a_manager(self) -> TableManager:
        loop = asyncio.get_running_loop()
        return TableManager(self.store, self._thinker, self._rules, wall=lambda: EPOCH + loop.time())


async def stays(evening: Evening, ana: Person, table: str) -> Person:
    await asyncio.sleep(THOUGHT_S)
    return ana


async def reloads(evening: Evening, ana: Person, table: str) -> Person:
    await asyncio.sleep(THOUGHT_S - 1)
    ana.leave()
    back = await evening.enter(table)
    await asyncio.sleep(1)
    return back


async def opens_a_second_tab(evening: Evening, ana: Person, table: str) -> Person:
    await asyncio.sleep(THOUGHT_S / 2)
    second = await evening.enter(table)
    ana.leave()
    await asyncio.sleep(THOUGHT_S / 2)
    return second


async def closes_the_laptop(evening: Evening, ana: Person, table: str) -> Person:
    """Nobody is connected for most of the time, and the table is closed in memory."""
    await asyncio.sleep(1)
    ana.leave()
    await asyncio.sleep(THOUGHT_S - 2)
    assert evening.manager.tables == 0
    back = await evening.enter(table)
    await asyncio.sleep(1)
    return back


async def sees_the_server_restart(evening: Evening, ana: Person, table: str) -> Person:
    await asyncio.sleep(THOUGHT_S / 2)
    await evening.restart()
    await asyncio.sleep(THOUGHT_S / 2 - 1)
    back = await evening.enter(table)
    await asyncio.sleep(1)
    return back


Behaviour = Callable[[Evening, Person, str], Awaitable[Person]]
BEHAVIOURS: list[Behaviour] = [stays, reloads, opens_a_second_tab, closes_the_laptop, sees_the_server_restart]


@pytest.mark.rule("KZ-22")
@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda each: each.__name__)
def test_the_same_time_is_charged_whatever_the_browser_does(behaviour: Behaviour) -> None:
    @in_virtual_time
    async def thinks_for_a_while() -> None:
        evening = Evening()
        table = await evening.table("kakuzu", ALONE, clock_s=600)
        ana = await evening.enter(table)
        await ana.play(0, {"move": "open", "cell": [0, 0]})
        ana = await behaviour(evening, ana, table)
        assert ana.heard[0].waiting.left == pytest.approx(600, abs=THOUGHT_S + TOLERANCE_S)
        done = await ana.play(0, {"move": "open", "cell": [8, 8]}, command="after thinking")
        assert isinstance(done, CommandAccepted)
        charged = await evening.facts(table, "time_spent")
        assert charged[-1]["ms"] / 1000 == pytest.approx(THOUGHT_S, abs=TOLERANCE_S)
        *_, before, last = await evening.store.steps(table)
        assert charged[-1]["ms"] / 1000 == pytest.approx(last.at - before.at, abs=TOLERANCE_S)
        await evening.manager.close()

    thinks_for_a_while()


@pytest.mark.rule("KZ-22")
@in_virtual_time
async def test_whoever_comes_back_is_told_how_much_time_is_left() -> None:
    evening = Evening()
    table = await evening.table("kakuzu", ALONE, clock_s=600)
    await asyncio.sleep(30)
    await evening.restart()
    await asyncio.sleep(30)
    ana = await evening.enter(table)
    assert ana.heard[0].waiting.left == pytest.approx(540, abs=TOLERANCE_S)
    await evening.manager.close()


@pytest.mark.rule("KZ-22")
@in_virtual_time
async def test_a_time_bank_that_ran_out_meanwhile_expires_when_somebody_comes() -> None:
    evening = Evening()
    table = await evening.table("kakuzu", ALONE, clock_s=600)
    ana = await evening.enter(table)
    ana.leave()
    await asyncio.sleep(3600)
    assert len(await evening.store.steps(table)) == 1
    ana = await evening.enter(table)
    while not ana.all(StepMessage):
        await asyncio.sleep(0.001)
    assert await evening.facts(table, "time_spent") == [{"fact": "time_spent", "seat": 0, "ms": 600_000}]
    assert len(await evening.facts(table, "game_ended")) == 1
    await evening.manager.close()


@in_virtual_time
async def test_an_overdue_move_is_refused_and_then_the_time_is_up() -> None:
    """The event loop was held up, as on a machine that slept: the move is handled before the timer."""
    evening = Evening()
    slept = 0.0
    loop = asyncio.get_running_loop()
    evening.manager = TableManager(
        evening.store, LocalThinker(), RULES, wall=lambda: EPOCH + loop.time() + slept
    )
    table = await evening.table("kakuzu", ("me", "me"), clock_s=60)
    ana = await evening.enter(table)
    (seat,) = ana.heard[0].waiting.acting
    slept = 61.0
    refused = await ana.play(seat, {"move": "open", "cell": [0, 0]})
    answer = next(event for event in ana.all(CommandRefused))
    assert (answer.code, answer.clause) == ("illegal", "time"), refused
    while not ana.all(StepMessage):
        await asyncio.sleep(0.001)
    assert not await evening.facts(table, "opened")
    assert [fact["cause"] for fact in await evening.facts(table, "turn_ended")] == ["time"]
    await evening.manager.close()


@pytest.mark.rule("KB-23")
@in_virtual_time
async def test_a_limit_for_a_turn_runs_on_while_nobody_is_there() -> None:
    evening = Evening()
    table = await evening.table("kabuki", ("me", "me"), turn_s=30)
    ana = await evening.enter(table)
    await asyncio.sleep(10)
    ana.leave()
    await asyncio.sleep(15)
    ana = await evening.enter(table)
    assert ana.heard[0].waiting.left == pytest.approx(5, abs=TOLERANCE_S)
    ana.leave()
    await asyncio.sleep(100)
    await evening.restart()
    ana = await evening.enter(table)
    while not ana.all(StepMessage):
        await asyncio.sleep(0.001)
    assert len(await evening.facts(table, "placed")) == 1
    await evening.manager.close()


@pytest.mark.rule("KB-20")
@in_virtual_time
async def test_the_moment_to_react_rests_while_nobody_is_there() -> None:
    evening = Evening()
    table = await evening.table("kabuki", ("me", "me"), window_s=3)
    ana = await evening.enter(table)
    (seat,) = ana.heard[0].waiting.acting
    assert isinstance(await ana.play(seat, {"move": "place", "stack": 0}), CommandAccepted)
    await asyncio.sleep(1)
    ana.leave()
    await asyncio.sleep(0.01)
    ana = await evening.enter(table)
    assert ana.heard[0].waiting.deadline.waits_for == "window"
    assert ana.heard[0].waiting.left > 1.5
    await evening.manager.close()


@pytest.mark.rule("KB-23")
@in_virtual_time
async def test_the_time_to_place_begins_when_the_moment_to_react_is_over() -> None:
    """The next player may call all the while; that is not time they take to place."""
    evening = Evening()
    table = await evening.table("kabuki", ("me", "me"), window_s=10, turn_s=12)
    ana = await evening.enter(table)
    (first,) = ana.heard[0].waiting.acting
    assert isinstance(await ana.play(first, {"move": "place", "stack": 0}), CommandAccepted)
    await asyncio.sleep(10.5)
    await asyncio.sleep(11)
    ana.collect()
    assert isinstance(await ana.play(1 - first, {"move": "place", "stack": 1}), CommandAccepted)
    await evening.manager.close()


@pytest.mark.rule("KZ-22")
@in_virtual_time
async def test_a_bot_is_charged_what_it_thinks_not_the_pace_nor_the_queue() -> None:
    class Queue(LocalThinker):
        async def think(self, game: str, level: str, situation: Situation) -> Thought:
            await asyncio.sleep(7)
            return Thought(situation.moves[0], after=0.5)

    evening = Evening(Queue(), ManagerSettings(pace=3, linger=0))
    table = await evening.table("kakuzu", ("random",), clock_s=5)
    watcher = Person(evening.manager, "cleo")
    watcher.table = await evening.manager.enter(table, watcher.connection)
    while len(watcher.all(StepMessage)) < 3:
        await asyncio.sleep(0.1)
    charged = await evening.facts(table, "time_spent")
    assert [fact["ms"] for fact in charged[:3]] == [500] * 3
    await evening.manager.close()


@pytest.mark.rule("KZ-22")
@in_virtual_time
async def test_a_bot_that_thinks_for_too_long_is_out_of_time() -> None:
    evening = Evening(LocalThinker(lambda situation: Thought(situation.moves[0], after=4)))
    table = await evening.table("kakuzu", ("random",), clock_s=10)
    await evening.manager.enter(table, Person(evening.manager, "cleo").connection)
    while not await evening.facts(table, "game_ended"):
        await asyncio.sleep(0.1)
    assert [fact["ms"] for fact in await evening.facts(table, "time_spent")] == [4000, 4000, 2000]
    assert len(await evening.facts(table, "opened")) == 2
    await evening.manager.close()


@pytest.mark.rule("KZ-22")
@in_virtual_time
async def test_a_bot_that_waits_lets_its_time_run_out() -> None:
    evening = Evening(LocalThinker(lambda _: Thought(None)))
    table = await evening.table("kakuzu", ("random",), clock_s=10)
    await evening.enter(table)
    while not await evening.facts(table, "game_ended"):
        await asyncio.sleep(0.1)
    assert [fact["ms"] for fact in await evening.facts(table, "time_spent")] == [10_000]
    await evening.manager.close()


@pytest.mark.rule("KB-23")
@in_virtual_time
async def test_the_turn_limit_of_a_table_depends_on_whether_it_is_listed() -> None:
    evening = Evening()
    manager, listed = evening.manager, TableSettings(listed=True)

    async def limit(table: str) -> float:
        stored, info = await manager.find(table)
        assert info.options == stored.options
        limit: float = stored.options["turn_s"]
        return limit

    private = await manager.create("ana", "kabuki", {}, ("me", "open"))
    public = await manager.create("ana", "kabuki", {}, ("me", "open"), settings=listed)
    chosen = await manager.create("ana", "kabuki", {"turn_s": 0}, ("me", "open"), settings=listed)
    slow = await manager.create("ana", "kabuki", {"turn_s": 90}, ("me", "open"))
    assert [await limit(table.id) for table in (private, public, chosen, slow)] == [0, 30, 0, 90]
    for table, before, after in ((private, 30, 0), (slow, 90, 90)):
        ana = await Person(manager, "ana").enter(table.id)
        await ana.ask(SetTableSettings("list", listed))
        assert await limit(table.id) == before
        await ana.ask(SetTableSettings("unlist", TableSettings()))
        assert await limit(table.id) == after
    await manager.close()


@pytest.mark.rule("KB-23")
@in_virtual_time
async def test_the_game_is_played_with_the_limit_the_lobby_shows() -> None:
    evening = Evening()
    made = await evening.manager.create("ana", "kabuki", {}, ("me", "me"))
    ana = await evening.enter(made.id)
    await ana.ask(SetTableSettings("list", TableSettings(listed=True)))
    await ana.ask(Start("start", "random"))
    assert ana.table is not None
    assert ana.table._timer.deadline is not None
    assert ana.table._timer.deadline.seconds == 30
    await evening.manager.close()
