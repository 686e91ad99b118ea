"""Who was first, at a real table: presses over simulated links, the freeze, the receipt. KB-20, KB-21."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kotatsu.bots.contract import Situation, Thought
from kotatsu.engine.driver import Driver
from kotatsu.engine.registry import game
from kotatsu.games.kabuki.model import KabukiOptions, PlaceMask, Stop
from kotatsu.protocol.messages import (
    CommandAccepted,
    CommandRefused,
    Play,
    Receipt,
    Sit,
    Start,
    StepMessage,
    Welcome,
)
from kotatsu.races.arbiter import LONGEST_ALLOWANCE_MS
from kotatsu.tables.manager import TableManager
from kotatsu.tables.table_game import record_entries
from tests.races.links import OPENED_AT, AlwaysLate, LateBeforePressing, Link, SometimesLate
from tests.tables.people import FailingStore, LocalThinker, Person, a_manager
from tests.tables.virtual_time import run

STOP = msgspec.Raw(b'{"move":"stop"}')
PLACE = msgspec.Raw(b'{"move":"place","stack":1}')
PASS = msgspec.Raw(b'{"move":"pass"}')
PING_EVERY = 2.0
WINDOW = 10.0


class Player(Person):
    """Somebody at the end of a link, pinged by the server as the server does it."""

    def __init__(self, manager: TableManager, visitor: str) -> None:
        super().__init__(manager, visitor)
        self.link = Link(0.0)
        self.sent = 0

    async def be_pinged(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            sent = loop.time()
            there = self.link.one_way()
            await asyncio.sleep(there)
            await asyncio.sleep(self.link.answers_after(loop.time()) + self.link.one_way())
            self.connection.round_trip.at_most(loop.time() - sent, loop.time())
            await asyncio.sleep(PING_EVERY)

    async def send(self, seat: int, move: msgspec.Raw, *, after: float = 0.0, command: str = "") -> str:
        """Do something after some seconds; it arrives when the link has carried it."""
        assert self.table is not None
        await asyncio.sleep(after)
        self.collect()
        self.sent += 1
        play = Play(command or f"{self.visitor}-{self.sent}", seat, self.seq, move)
        await asyncio.sleep(self.link.one_way())
        self.table.submit(self.connection, play)
        return play.command_id


class Stage:
    """A table of Kabuki on which a mask has just been placed.

    ``left[0]`` is the player to the placer's left, who holds the next mask; ``seats`` theirs.
    """

    def __init__(self, manager: TableManager, table: str, placer: int, players: list[Player]) -> None:
        self.manager = manager
        self.table = table
        count = len(players)
        self.seats = [(placer + n) % count for n in range(1, count)]
        self.left = [players[seat] for seat in self.seats]
        self.placer = players[placer]
        self.players = players

    async def ruled(self) -> Receipt:
        """Wait for the next ruling and give its receipt as everyone was told it."""
        while not (steps := [step for step in self.placer.all(StepMessage) if step.receipt]):
            await asyncio.sleep(0.001)
        for player in self.left:
            assert [step for step in player.all(StepMessage) if step.receipt] == steps
        receipt: Receipt = steps[-1].receipt
        return receipt

    async def answers(self, *commands: tuple[Player, str]) -> list[Any]:
        await asyncio.sleep(0.001)
        for player, _ in commands:
            player.collect()
        return [player.answer(command) for player, command in commands]


Links = Mapping[int, Link]
"""By how many places to the placer's left."""


@asynccontextmanager
async def staged(
    players: int,
    links: Links,
    store: FailingStore | None = None,
    thinker: LocalThinker | None = None,
    bots: int = 0,
) -> AsyncIterator[Stage]:
    manager = a_manager(store, thinker)
    options = {"turn_s": 0, "window_s": WINDOW}
    made = await manager.create(
        "p0", "kabuki", options, ("me", *("open",) * (players - 1 - bots), *("adept",) * bots)
    )
    people = [Player(manager, f"p{seat}") for seat in range(players - bots)]
    for seat, player in enumerate(people):
        player.table = await manager.enter(made.id, player.connection)
        player.table.submit(player.connection, Sit(f"sit{seat}", seat))
    await asyncio.sleep(0.001)
    people[0].table.submit(people[0].connection, Start("start", "adept"))  # type: ignore[union-attr]
    await asyncio.sleep(0.001)
    people[0].collect()
    placer = people[0].all(Welcome)[-1].view["turn"]
    if placer >= len(people):  # a bot begins: the same again until a person does
        await manager.close()
        async with staged(players, links, store, thinker, bots) as stage:
            yield stage
            return
    seated = [*people, *(Player(manager, f"bot{n}") for n in range(bots))]
    stage = Stage(manager, made.id, placer, seated)
    for place, link in links.items():
        stage.left[place].link = link
    pings = [asyncio.create_task(player.be_pinged()) for player in people]
    await asyncio.sleep(OPENED_AT - asyncio.get_running_loop().time())
    await people[placer].send(placer, PLACE)
    await asyncio.sleep(0)
    while not people[0].all(StepMessage):
        await asyncio.sleep(0.0001)
    try:
        yield stage
    finally:
        for ping in pings:
            ping.cancel()
        await manager.close()


def ruling(presses: Mapping[int, tuple[Link, float]], players: int = 3) -> tuple[Receipt, list[int]]:
    """The receipt of presses so many seconds after the placement, and the seats from the placer's left."""

    async def play() -> tuple[Receipt, list[int]]:
        async with staged(players, {place: link for place, (link, _) in presses.items()}) as stage:
            pressing = [
                asyncio.create_task(stage.left[place].send(stage.seats[place], STOP, after=at))
                for place, (_, at) in presses.items()
            ]
            receipt = await stage.ruled()
            await asyncio.wait(pressing)
            return receipt, stage.seats

    return run(play())


@pytest.mark.rule("KB-21")
def test_the_slow_link_wins_by_pressing_first() -> None:
    """20 ms against 200 ms there and back: it pressed 40 ms earlier and arrived 50 ms later."""
    receipt, left = ruling({0: (Link(0.020), 1.040), 1: (Link(0.200), 1.000)})
    assert (receipt.seat, receipt.decided_by, receipt.margin_ms) == (left[1], "time", 40)
    told = {press.seat: (press.arrived_ms, press.allowed_ms, press.behind_ms) for press in receipt.presses}
    assert told == {left[1]: (50, 100, 0), left[0]: (0, 10, 40)}


@pytest.mark.rule("KB-21")
def test_the_quick_link_wins_by_pressing_first() -> None:
    receipt, left = ruling({0: (Link(0.200), 1.010), 1: (Link(0.020), 1.000)})
    assert receipt.seat == left[1]


@pytest.mark.rule("KB-21")
def test_an_exact_tie_goes_to_the_placers_left() -> None:
    receipt, left = ruling({0: (Link(0.200), 1.0), 1: (Link(0.020), 1.0)})
    assert (receipt.seat, receipt.decided_by, receipt.margin_ms) == (left[0], "seat", 0)


@pytest.mark.rule("KB-21")
@settings(max_examples=25, deadline=None)
@given(
    st.floats(0.0, 0.3),
    st.floats(0.0, 0.3),
    st.floats(0.5, 3),
    st.floats(0.002, 0.5),
    st.floats(0, 0.15),
    st.integers(0, 2**32),
)
def test_whoever_pressed_first_by_more_than_the_allowance_wins_in_spite_of_jitter(
    early: float, late: float, at: float, lead: float, jitter: float, seed: int
) -> None:
    first = (Link(early, jitter, seed), at)
    second = (Link(late, jitter, seed + 1), at + LONGEST_ALLOWANCE_MS / 1000 + lead)
    receipt, left = ruling({0: second, 1: first})
    assert receipt.seat == left[1]


@pytest.mark.rule("KB-21")
@pytest.mark.parametrize("liar", [SometimesLate, LateBeforePressing])
@pytest.mark.parametrize("lead", [-0.2, -0.05, -0.001, 0.0, 0.001, 0.05, 0.2])
def test_answering_pings_late_gains_nothing(liar: type[Link], lead: float) -> None:
    def times(link: Link) -> tuple[Any, ...]:
        receipt, left = ruling({0: (link, 1.0), 1: (Link(0.200), 1.0 + lead)})
        return left.index(receipt.seat), receipt.margin_ms, receipt.decided_by

    assert times(liar(0.020)) == times(Link(0.020))


@pytest.mark.rule("KB-21")
@pytest.mark.parametrize("honest", [0.0, 0.020, 0.200, 0.300])
@pytest.mark.parametrize("lead", [0.002, 0.05])
def test_answering_every_ping_late_never_beats_a_lead_of_more_than_the_allowance(
    honest: float, lead: float
) -> None:
    late = 1.0 + LONGEST_ALLOWANCE_MS / 1000 + lead
    receipt, left = ruling({0: (AlwaysLate(0.020), late), 1: (Link(honest), 1.0)})
    assert receipt.seat == left[1]


@pytest.mark.rule("KB-20")
def test_nobody_hears_of_a_press_before_the_ruling_and_other_moves_wait() -> None:
    async def play() -> None:
        async with staged(3, {0: Link(0.0), 1: Link(0.300)}) as stage:
            (quick, slow), (next_seat, slow_seat) = stage.left, stage.seats
            for player in stage.players:
                player.collect()
            frames = [len(player.raw) for player in stage.players]
            pressed = await quick.send(next_seat, STOP)
            passed = await quick.send(next_seat, PASS)
            declined = await slow.send(slow_seat, PASS)
            await asyncio.sleep(0)
            for player, before in zip(stage.players, frames, strict=True):
                player.collect()
                assert len(player.raw) == before
            receipt = await stage.ruled()
            assert (receipt.seat, receipt.decided_by) == (next_seat, "alone")
            answers = await stage.answers((quick, pressed), (quick, passed), (slow, declined))
            assert answers[0] == CommandAccepted(pressed, receipt.seq)
            assert [(answer.code, answer.clause) for answer in answers[1:]] == [
                ("stale", None),
                ("illegal", "KB-8"),
            ]

    run(play())


@pytest.mark.rule("KB-20")
def test_the_clock_stands_still_until_the_ruling() -> None:
    """The window would close while the table waits for a slower link; it does not."""

    async def play() -> None:
        async with staged(3, {0: Link(0.020), 1: Link(0.300)}) as stage:
            pressing = asyncio.create_task(stage.left[0].send(stage.seats[0], STOP, after=WINDOW - 0.015))
            receipt = await stage.ruled()
            await pressing
            facts = [fact["fact"] for step in stage.placer.all(StepMessage) for fact in step.facts]
            assert "window_closed" not in facts
            assert receipt.seat == stage.seats[0]

    run(play())


@pytest.mark.rule("KB-21")
def test_everyone_is_answered() -> None:
    async def play() -> None:
        async with staged(4, {0: Link(0.100), 1: Link(0.200), 2: Link(0.020)}) as stage:
            ann, bea, cat = stage.left
            one, two, three = stage.seats
            again = "bea-again"
            commands = await asyncio.gather(
                ann.send(one, STOP, after=1.03),
                bea.send(two, STOP, after=1.0, command="bea"),
                bea.send(two, STOP, after=1.01, command="bea"),
                bea.send(two, STOP, after=1.02, command=again),
                cat.send(three, STOP, after=1.08),
            )
            receipt = await stage.ruled()
            assert receipt.seat == two
            told = await stage.answers((ann, commands[0]), (bea, "bea"), (bea, again), (cat, commands[4]))
            assert told[1] == CommandAccepted("bea", receipt.seq)
            assert bea.all(CommandAccepted).count(told[1]) == 2
            assert [getattr(answer, "code", None) for answer in told] == [
                "too_late",
                None,
                "stale",
                "too_late",
            ]
            assert told[0].message == "Somebody pressed 30 ms before you."
            late = await cat.send(three, STOP)
            (answer,) = await stage.answers((cat, late))
            assert (answer.code, answer.clause) == ("illegal", "KB-8")

    run(play())


@pytest.mark.rule("KB-21")
def test_a_press_meant_for_the_last_mask_is_no_press_in_this_race() -> None:
    async def play() -> None:
        async with staged(3, {1: Link(0.600)}) as stage:
            (quick, slow), (next_seat, slow_seat) = stage.left, stage.seats
            await quick.send(next_seat, PASS)
            meant = asyncio.create_task(slow.send(slow_seat, STOP, after=WINDOW - 0.1))
            await asyncio.sleep(WINDOW + 0.01)
            await quick.send(next_seat, PLACE)
            (answer,) = await stage.answers((slow, await meant))
            assert (type(answer), answer.code) == (CommandRefused, "stale")
            assert not [step for step in stage.placer.all(StepMessage) if step.receipt]

    run(play())


@pytest.mark.rule("KB-7")
@pytest.mark.rule("KB-21")
@pytest.mark.parametrize(("pressed", "counts"), [(-0.05, True), (0.06, False)])
def test_a_press_made_before_the_next_mask_lies_counts_though_it_arrives_later(
    pressed: float, counts: bool
) -> None:
    """200 ms away: made 50 ms before the next placement it arrives 50 ms after it."""

    async def play() -> None:
        async with staged(3, {1: Link(0.200)}) as stage:
            (quick, slow), (next_seat, slow_seat) = stage.left, stage.seats
            press = asyncio.create_task(slow.send(slow_seat, STOP, after=WINDOW + 0.1 + pressed))
            place = await quick.send(next_seat, PLACE, after=WINDOW + 0.1)
            await asyncio.sleep(0.3)
            answers = await stage.answers((slow, await press), (quick, place))
            codes = [getattr(answer, "code", None) for answer in answers]
            assert codes == ([None, "illegal"] if counts else ["stale", None])

    run(play())


@pytest.mark.rule("KB-21")
def test_nothing_waits_for_presses_that_cannot_come() -> None:
    """The last who could call passes: nobody is left to wait for, however far away."""

    async def play() -> None:
        async with staged(2, {0: Link(0.300)}) as stage:
            (only,), (seat,) = stage.left, stage.seats
            before = asyncio.get_running_loop().time()
            await only.send(seat, PASS)
            await asyncio.sleep(0.0001)
            facts = [fact["fact"] for step in stage.placer.all(StepMessage) for fact in step.facts]
            assert facts[-1] == "window_closed"
            assert asyncio.get_running_loop().time() < before + 0.151

    run(play())


@pytest.mark.parametrize(("pressed", "counts"), [(-0.05, True), (0.06, False)])
def test_a_press_made_before_time_was_up_counts_though_it_arrives_later(pressed: float, counts: bool) -> None:
    async def play() -> None:
        manager = a_manager()
        options = {"seconds": 40, "shouting": True}
        made = await manager.create("ana", "whisper", options, ("me", "me"), start=True)
        ana = Player(manager, "ana")
        ana.link = Link(0.200)
        ana.table = await manager.enter(made.id, ana.connection)
        pinging = asyncio.create_task(ana.be_pinged())
        await ana.send(0, msgspec.Raw(b'{"move":"shout"}'), after=40 + pressed)
        await asyncio.sleep(1)
        facts = [fact["fact"] for fact in ana.all(StepMessage)[0].facts]
        assert ("shouted" in facts) == counts
        pinging.cancel()
        await manager.close()

    run(play())


@pytest.mark.rule("KB-21")
def test_who_has_passed_is_in_no_race() -> None:
    async def play() -> None:
        async with staged(3, {}) as stage:
            await stage.left[0].send(stage.seats[0], PASS)
            await asyncio.sleep(0.01)
            pressed = await stage.left[0].send(stage.seats[0], STOP)
            own = await stage.placer.send(stage.players.index(stage.placer), STOP)
            answers = await stage.answers((stage.left[0], pressed), (stage.placer, own))
            assert [(answer.code, answer.clause) for answer in answers] == [
                ("illegal", "KB-20"),
                ("illegal", "KB-7"),
            ]

    run(play())


def calls_after(seconds: float) -> Callable[[Situation], Thought]:
    def think(situation: Situation) -> Thought:
        if Stop() in situation.moves:
            return Thought(Stop(), max(0.0, seconds - situation.waited))
        return Thought(PlaceMask(0)) if PlaceMask(0) in situation.moves else Thought(None)

    return think


@pytest.mark.rule("KB-21")
@pytest.mark.parametrize(("at", "decided_by", "margin"), [(0.95, "time", 50), (1.05, "alone", 0)])
def test_bots_press_by_the_same_door(at: float, decided_by: str, margin: int) -> None:
    """A person 200 ms away beats a bot to it, or does not, by when they pressed."""

    async def play() -> None:
        links = {0: Link(0.200), 1: Link(0.200)}
        async with staged(3, links, thinker=LocalThinker(calls_after(1.0)), bots=1) as stage:
            person = next(player for player in stage.left if player.table)
            seat = stage.players.index(person)
            pressing = asyncio.create_task(person.send(seat, STOP, after=at))
            while not [step for step in stage.placer.all(StepMessage) if step.receipt]:
                await asyncio.sleep(0.001)
            receipt = next(step.receipt for step in stage.placer.all(StepMessage) if step.receipt)
            await pressing
            assert (receipt.seat == seat) == (at < 1.0)
            assert (receipt.decided_by, receipt.margin_ms) == (decided_by, margin)

    run(play())


def test_a_receipt_outlives_a_restart_and_stays_out_of_the_record() -> None:
    async def play() -> None:
        store = FailingStore()
        async with staged(3, {0: Link(0.020), 1: Link(0.200)}, store) as stage:
            await stage.left[0].send(stage.seats[0], STOP)
            receipt = await stage.ruled()
            back = Person(stage.manager, "p1")
            await stage.manager.enter(stage.table, back.connection)
            assert back.all(Welcome)[0].receipt == receipt
        later = a_manager(store)
        back = Person(later, "nobody")
        await later.enter(stage.table, back.connection)
        assert back.all(Welcome)[0].receipt == receipt
        rows = await store.steps(stage.table)
        entries = [entry for row in rows for entry in msgspec.json.decode(row.entries)]
        kept = [msgspec.convert(entry["receipt"], Receipt) for entry in entries if "receipt" in entry]
        assert kept == [receipt]
        driver = Driver(game("kabuki"), 3, KabukiOptions())
        assert all("fact" in entry or "move" in entry for entry in record_entries(driver, rows))
        await later.close()

    run(play())


def test_a_ruling_that_cannot_be_written_is_no_ruling() -> None:
    async def play() -> None:
        store = FailingStore()
        async with staged(3, {0: Link(0.020), 1: Link(0.200)}, store) as stage:
            player, seat = stage.left[0], stage.seats[0]
            store.fail_before = True
            pressed = await player.send(seat, STOP, command="try")
            await asyncio.sleep(0.3)
            (answer,) = await stage.answers((player, pressed))
            assert (type(answer), answer.code) == (CommandRefused, "busy")
            await player.send(seat, STOP, command="try")
            receipt = await stage.ruled()
            assert await stage.answers((player, "try")) == [CommandAccepted("try", receipt.seq)]

    run(play())


@pytest.mark.rule("KB-20")
def test_the_clock_goes_on_after_a_freeze_that_led_to_nothing() -> None:
    """The table is read anew in the middle of it, and then the ruling cannot be written."""

    async def play() -> None:
        store = FailingStore()
        async with staged(3, {0: Link(0.020), 1: Link(0.300)}, store) as stage:
            table = stage.placer.table
            assert table is not None
            await stage.left[0].send(stage.seats[0], STOP, after=WINDOW - 0.05)
            store.fail_before = True
            table.refresh()
            await asyncio.sleep(WINDOW)
            facts = [fact["fact"] for step in stage.placer.all(StepMessage) for fact in step.facts]
            assert facts[-1] == "window_closed"

    run(play())
