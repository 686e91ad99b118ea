"""Every store keeps the same promises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from kotatsu.store.contract import (
    LoggedStep,
    Persona,
    PlayerRating,
    Saying,
    SeqTaken,
    Store,
    StoredSeat,
    StoredTable,
    StoreError,
    TableChange,
    TableSettings,
    TooManyTables,
)
from kotatsu.store.memory import MemoryStore
from kotatsu.store.sqlite import SqliteStore


@pytest.fixture(params=["sqlite", "memory"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened: Store = SqliteStore(tmp_path) if request.param == "sqlite" else MemoryStore()
    yield opened
    await opened.close()


def a_table(name: str = "t1", host: str = "ana", created: float = 100.0) -> StoredTable:
    seats = (StoredSeat("person", host, "Ana"), StoredSeat(), StoredSeat("bot", level="novice"))
    return StoredTable(name, "kimono", host, created, created, seats, {"accessory_combo": True})


def a_step(seq: int, entries: bytes = b'[{"fact":"x"}]') -> LoggedStep:
    return LoggedStep(seq, 200.0 + seq, entries, seat=0, command_id=f"c{seq}")


async def make(store: Store, table: StoredTable) -> None:
    await store.create(table, limit=100, since=0)


async def test_a_table_comes_back_as_it_was(store: Store) -> None:
    await make(store, a_table())
    assert await store.table("t1") == a_table()
    assert await store.table("t2") is None


async def test_the_log_comes_back_in_order_and_to_the_byte(store: Store) -> None:
    await make(store, a_table())
    steps = [a_step(1), LoggedStep(2, 202.0, '[{"fact":"é","n":1.5}]'.encode()), a_step(3)]
    for step in steps:
        await store.append("t1", step)
    assert await store.steps("t1") == steps
    found = await store.table("t1")
    assert found is not None
    assert found.updated == 203.0


async def test_a_log_goes_on_whether_its_table_was_looked_at_or_not(store: Store) -> None:
    await store.create(a_table(), limit=9, since=0)
    steps = [a_step(seq) for seq in range(1, 6)]
    for step in steps:
        await store.append("t1", step)
        if step.seq == 2:
            assert await store.table("t1") is not None
    with pytest.raises(SeqTaken):
        await store.append("t1", steps[-1], TableChange(status="over"))
    assert await store.steps("t1") == steps


async def test_nobody_has_to_wait_for_a_step_to_be_written(store: Store) -> None:
    await store.create(a_table(), limit=9, since=0)
    told: asyncio.Queue[Exception | None] = asyncio.Queue()
    for _ in range(2):
        store.append_then("t1", a_step(1), None, told.put_nowait)
        assert told.empty()
    assert await told.get() is None
    assert isinstance(await told.get(), SeqTaken)
    store.append_then("t1", a_step(2), TableChange(status="over"), told.put_nowait)
    assert await told.get() is None
    assert await store.steps("t1") == [a_step(1), a_step(2)]


async def test_a_step_is_written_once(store: Store) -> None:
    await make(store, a_table())
    await store.append("t1", a_step(1))
    with pytest.raises(SeqTaken):
        await store.append("t1", a_step(1, b"[]"), TableChange(status="over"))
    found = await store.table("t1")
    assert found is not None
    assert found.status == "gathering"
    assert await store.steps("t1") == [a_step(1)]


async def test_of_many_writers_of_one_step_one_wins_and_the_others_are_told(store: Store) -> None:
    for name in ("t1", "t2"):
        await make(store, a_table(name))
    rivals = [store.append("t1", a_step(1, b"[%d]" % n)) for n in range(20)]
    elsewhere = [store.append("t2", a_step(seq)) for seq in range(1, 21)]
    outcomes = await asyncio.gather(*rivals, *elsewhere, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes[:20]].count(type(None)) == 1
    assert all(isinstance(outcome, SeqTaken) for outcome in outcomes[:20] if outcome is not None)
    assert outcomes[20:] == [None] * 20
    assert len(await store.steps("t1")) == 1
    assert [step.seq for step in await store.steps("t2")] == list(range(1, 21))


async def test_a_step_of_an_unknown_table_is_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.append("nowhere", a_step(1))


async def test_a_change_comes_with_its_step(store: Store) -> None:
    await make(store, a_table())
    seats = (
        StoredSeat("person", "ana", "Ana"),
        StoredSeat("bot", level="adept"),
        StoredSeat("bot", level="x"),
    )
    await store.append("t1", a_step(1), TableChange(status="playing", seats=seats))
    await store.append("t1", a_step(2), TableChange(status="over", result={"scores": [1, 2, 3]}))
    found = await store.table("t1")
    assert found is not None
    assert (found.status, found.seats, found.result) == ("over", seats, {"scores": [1, 2, 3]})


async def test_seats_change(store: Store) -> None:
    await make(store, a_table())
    seats = (StoredSeat(), StoredSeat("person", "ben", "Ben"), StoredSeat())
    await store.set_seats("t1", seats, 300.0)
    found = await store.table("t1")
    assert found is not None
    assert (found.seats, found.updated) == (seats, 300.0)


async def test_my_tables_are_those_i_made_or_sit_at_the_liveliest_first(store: Store) -> None:
    await make(store, a_table("made", created=1))
    await make(store, a_table("other", host="ben", created=2))
    await make(store, a_table("joined", host="ben", created=3))
    await store.set_seats("joined", (StoredSeat("person", "ana", "Ana"), StoredSeat(), StoredSeat()), 5)
    await store.append("made", a_step(1))
    assert [table.id for table in await store.tables_of("ana")] == ["made", "joined"]
    assert [table.id for table in await store.tables_of("ana", limit=1)] == ["made"]
    assert await store.tables_of("nobody") == []


async def test_a_new_name_shows_where_one_still_plays(store: Store) -> None:
    assert await store.persona("ana") == Persona()
    for name in ("live", "done"):
        await make(store, a_table(name))
    await store.append("done", a_step(1), TableChange(status="over"))
    await store.set_persona("ana", Persona("Anaïs", "crane"), 1.0)
    await store.set_persona("ana", Persona("Anna", "fox"), 2.0)
    assert await store.persona("ana") == Persona("Anna", "fox")
    seats = {table.id: table.seats[0] for table in await store.tables_of("ana")}
    assert (seats["live"].name, seats["live"].avatar) == ("Anna", "fox")
    assert (seats["done"].name, seats["done"].avatar) == ("Ana", "")


async def test_a_guest_keeps_their_own_name(store: Store) -> None:
    await make(store, a_table())
    guest = StoredSeat("person", "ana", "Grandma", avatar="cat", guest=True)
    await store.set_seats("t1", (StoredSeat("person", "ana", "Ana"), guest, StoredSeat()), 1.0)
    await store.set_persona("ana", Persona("Anna"), 2.0)
    found = await store.table("t1")
    assert found is not None
    assert [seat.name for seat in found.seats] == ["Anna", "Grandma", ""]
    assert found.seats[1] == guest


async def test_a_host_decides_the_manners_of_a_table(store: Store) -> None:
    await make(store, replace(a_table(), settings=TableSettings(listed=True)))
    await make(store, a_table("t2", created=120.0))
    assert [table.id for table in await store.lobby_tables()] == ["t1"]
    await store.set_settings("t1", TableSettings(listed=False, watchable=False, patience=30.0), {})
    await store.set_settings("t2", TableSettings(listed=True), {"turn_s": 30.0})
    found = await store.table("t1")
    assert found is not None
    assert found.settings == TableSettings(False, False, 30.0)
    other = await store.table("t2")
    assert other is not None
    assert (found.options, other.options) == ({}, {"turn_s": 30.0})
    assert [table.id for table in await store.lobby_tables()] == ["t2"]


async def test_the_lobby_shows_tables_one_can_join_the_newest_first(store: Store) -> None:
    for number, name in enumerate(("old", "full", "begun", "new")):
        await make(store, replace(a_table(name, created=float(number)), settings=TableSettings(listed=True)))
    await store.set_seats("full", (StoredSeat("bot", level="x"),) * 3, 1.0)
    await store.append("begun", a_step(1), TableChange(status="playing"))
    assert [table.id for table in await store.lobby_tables()] == ["new", "old"]
    assert [table.id for table in await store.lobby_tables(limit=1)] == ["new"]


async def test_a_table_has_one_rematch(store: Store) -> None:
    await make(store, a_table())
    first = await store.create_rematch("t1", a_table("again"))
    second = await store.create_rematch("t1", a_table("too_late"))
    assert (first.id, second.id) == ("again", "again")
    assert await store.table("too_late") is None
    found = await store.table("t1")
    assert found is not None
    assert found.rematch == "again"


async def test_a_code_works_once_and_not_for_ever(store: Store) -> None:
    await store.add_device_code("first", "ana", until=10.0)
    await store.add_device_code("second", "ana", until=10.0)
    assert await store.redeem_device_code("first", 5.0) is None
    assert await store.redeem_device_code("second", 5.0) == "ana"
    assert await store.redeem_device_code("second", 5.0) is None
    await store.add_device_code("late", "ana", until=10.0)
    assert await store.redeem_device_code("late", 11.0) is None


async def test_what_was_said_comes_back_in_order(store: Store) -> None:
    await make(store, a_table())
    said = [Saying(number, float(number), "ana", "Ana", f"word {number}", 0) for number in (1, 2, 3)]
    for saying in said:
        await store.add_saying("t1", saying)
    with pytest.raises(SeqTaken):
        await store.add_saying("t1", said[1])
    assert await store.sayings("t1", 10) == said
    assert await store.sayings("t1", 2) == said[1:]
    assert await store.sayings("nowhere", 2) == []


async def test_a_block_is_remembered_until_it_is_lifted(store: Store) -> None:
    await store.block("ana", "ben", "Ben", 1.0)
    await store.block("ana", "ben", "Benoît", 2.0)
    await store.block("zoe", "ben", "Ben", 3.0)
    (blocked,) = await store.blocks("ana")
    assert blocked.name == "Ben"
    assert await store.blocked_ids("ana") == {"ben"}
    assert await store.blocked_ids("ben") == frozenset()
    await store.unblock("zoe", blocked.number)
    assert await store.blocked_ids("ana") == {"ben"}
    await store.unblock("ana", blocked.number)
    assert await store.blocked_ids("ana") == frozenset()
    assert await store.blocked_ids("zoe") == {"ben"}
    await store.delete_visitor("ben", "adept")
    assert await store.blocked_ids("zoe") == frozenset()


async def test_a_game_is_rated_once(store: Store) -> None:
    for name in ("t1", "t2"):
        await make(store, a_table(name))
        await store.append(name, a_step(1), TableChange(status="over", result={}))
    assert [table.id for table in await store.unrated_tables()] == ["t1", "t2"]
    await store.save_ratings(
        "t1", "kimono", {"ana": PlayerRating(26.0, 7.0, 1), "ben": PlayerRating(24.0, 7.0, 1)}
    )
    await store.save_ratings("t1", "kimono", {"ana": PlayerRating(99.0, 1.0, 2)})
    assert [table.id for table in await store.unrated_tables()] == ["t2"]
    assert await store.ratings("kimono", ["ana", "nobody"]) == {"ana": PlayerRating(26.0, 7.0, 1)}
    assert await store.ratings_of("ben") == {"kimono": PlayerRating(24.0, 7.0, 1)}


async def test_a_visitor_is_forgotten_and_the_games_of_others_stay(store: Store) -> None:
    others = (StoredSeat("person", "ana", "Ana", avatar="fox"), StoredSeat("person", "ben", "Ben"))
    for name, change in (
        ("gathering", None),
        ("playing", TableChange(status="playing")),
        ("over", TableChange(status="over", result={"winners": [0]})),
    ):
        await make(store, replace(a_table(name), seats=others, settings=TableSettings(listed=True)))
        if change is not None:
            await store.append(name, a_step(1), change)
    await store.set_persona("ana", Persona("Ana", "fox"), 1.0)
    await store.add_saying("playing", Saying(1, 1.0, "ana", "Ana", "hello", 0))
    await store.add_saying("playing", Saying(2, 1.0, "ben", "Ben", "hello Ana", 1))
    await store.save_ratings(
        "over", "kimono", {"ana": PlayerRating(26.0, 7.0, 1), "ben": PlayerRating(24.0, 7.0, 1)}
    )
    await store.add_device_code("code", "ana", until=10.0)

    await store.delete_visitor("ana", stand_in="adept")

    assert await store.persona("ana") == Persona()
    assert await store.tables_of("ana") == []
    assert await store.redeem_device_code("code", 1.0) is None
    assert await store.ratings("kimono", ["ana", "ben"]) == {"ben": PlayerRating(24.0, 7.0, 1)}
    assert [saying.number for saying in await store.sayings("playing", 9)] == [2]
    assert await store.lobby_tables() == []
    seats = {table.id: table.seats[0] for table in await store.tables_of("ben")}
    assert seats == {
        "gathering": StoredSeat(),
        "playing": StoredSeat("bot", level="adept"),
        "over": StoredSeat("person"),
    }


async def test_unfinished_tables_are_limited_even_when_made_at_once(store: Store) -> None:
    made = await asyncio.gather(
        *(store.create(a_table(f"t{n}"), limit=3, since=50) for n in range(5)), return_exceptions=True
    )
    assert sum(isinstance(outcome, TooManyTables) for outcome in made) == 2
    assert sum(outcome is None for outcome in made) == 3
    await store.append("t0", a_step(1), TableChange(status="over"))
    await store.create(a_table("t6"), limit=3, since=50)
    await store.create(a_table("t7", created=200), limit=3, since=150)


async def test_an_id_is_used_once(store: Store) -> None:
    await make(store, a_table())
    with pytest.raises(StoreError):
        await make(store, a_table(host="ben"))
    found = await store.table("t1")
    assert found is not None
    assert found.host == "ana"


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await make(store, a_table())
    with pytest.raises(StoreError, match="closed"):
        await store.table("t1")


async def test_a_limit_counts_unfinished_tables_of_that_host_since_then(store: Store) -> None:
    await make(store, a_table("old", created=50))
    await make(store, a_table("at_once", created=100))
    await make(store, a_table("later", created=101))
    await make(store, a_table("other", host="ben", created=101))
    await store.append("later", a_step(1), TableChange(status="playing"))
    with pytest.raises(TooManyTables, match="you have begun 1 tables lately"):
        await store.create(a_table("no", created=102), limit=1, since=100)
    await store.create(a_table("yes", created=102), limit=2, since=100)
    assert await store.table("no") is None
    assert issubclass(TooManyTables, StoreError)


async def test_everything_of_a_table_comes_back(store: Store) -> None:
    seats = (
        StoredSeat("person", "ana", "Ana", avatar="fox"),
        StoredSeat("person", "ana", "Léa", guest=True),
        StoredSeat("bot", "ben", "Ben", "adept", "owl"),
        StoredSeat("bot", level="novice"),
        StoredSeat(),
    )
    full = replace(
        a_table("full"),
        seats=seats,
        options={"seconds": 1.5, "names": ["é"]},
        settings=TableSettings(listed=True, watchable=False, patience=33.5),
    )
    await make(store, full)
    assert await store.table("full") == full
    assert await store.tables_of("ben") == [full]


async def test_a_change_leaves_alone_what_it_does_not_name(store: Store) -> None:
    await make(store, a_table())
    await make(store, a_table("other"))
    seats = (StoredSeat("bot", level="x"),) * 3
    await store.append("t1", a_step(1), TableChange(seats=seats))
    await store.append("t1", a_step(2), TableChange(status="over", result={"a": 1}))
    await store.append("t1", a_step(3), TableChange())
    found = await store.table("t1")
    assert found == replace(a_table(), seats=seats, status="over", result={"a": 1}, updated=203.0)
    assert await store.table("other") == a_table("other")


async def test_the_settings_of_one_table_are_not_anothers(store: Store) -> None:
    for name in ("t1", "t2"):
        await make(store, a_table(name))
    await store.set_settings("t1", TableSettings(True, False, 44.0), a_table().options)
    assert await store.table("t1") == replace(a_table(), settings=TableSettings(True, False, 44.0))
    assert await store.table("t2") == a_table("t2")


async def test_steps_of_one_table_are_not_anothers_and_come_in_their_order(store: Store) -> None:
    for name in ("t1", "t2"):
        await make(store, a_table(name))
    for seq in (3, 1, 2):
        await store.append("t1", a_step(seq))
    await store.append("t2", a_step(1, b"[2]"))
    assert [step.seq for step in await store.steps("t1")] == [1, 2, 3]
    assert await store.steps("t2") == [a_step(1, b"[2]")]
    assert await store.steps("nowhere") == []


async def test_a_step_may_be_nobodys_and_of_no_command(store: Store) -> None:
    await make(store, a_table())
    nobodys = LoggedStep(1, 1.25, b"[]")
    await store.append("t1", nobodys)
    assert await store.steps("t1") == [nobodys]


async def test_my_tables_come_by_their_last_step_or_change(store: Store) -> None:
    for number, name in enumerate(("a", "b", "c", "d")):
        await make(store, a_table(name, created=float(number)))
    await store.set_seats("a", a_table().seats, 50.0)
    await store.append("b", LoggedStep(1, 70.0, b"[]"))
    await store.append("c", LoggedStep(1, 60.0, b"[]"), TableChange(status="playing"))
    tables = await store.tables_of("ana")
    assert [table.id for table in tables] == ["b", "c", "a", "d"]
    assert [table.updated for table in tables] == [70.0, 60.0, 50.0, 3.0]
    assert len(await store.tables_of("ana", limit=3)) == 3


async def test_as_many_of_my_tables_as_asked_for_and_a_hundred_otherwise(store: Store) -> None:
    for number in range(101):
        shown = TableSettings(listed=True)
        await make(store, replace(a_table(f"t{number}", created=float(number)), settings=shown))
    assert len(await store.tables_of("ana")) == 100
    assert len(await store.tables_of("ana", 101)) == 101
    assert len(await store.lobby_tables()) == 100
    assert len(await store.lobby_tables(101)) == 101


async def test_a_name_is_changed_in_ones_own_seats_alone(store: Store) -> None:
    bot = StoredSeat("bot", "ana", "Ana", level="adept")
    ben = StoredSeat("person", "ben", "Ben")
    await make(store, replace(a_table(), seats=(StoredSeat("person", "ana", "Ana"), ben, bot)))
    await store.append("t1", a_step(1), TableChange(status="playing"))
    await store.set_persona("ana", Persona("Anna", "fox"), 1.0)
    await store.set_persona("zoe", Persona("Zoe"), 1.0)
    found = await store.table("t1")
    assert found is not None
    assert found.seats == (
        StoredSeat("person", "ana", "Anna", avatar="fox"),
        ben,
        replace(bot, name="Anna", avatar="fox"),
    )
    assert await store.persona("ben") == Persona()
    assert await store.persona("zoe") == Persona("Zoe")


async def test_the_lobby_shows_what_is_listed_gathering_and_open(store: Store) -> None:
    shown = TableSettings(listed=True)
    await make(store, replace(a_table("yes"), settings=shown))
    await make(store, a_table("unlisted"))
    await make(store, replace(a_table("full"), settings=shown, seats=(StoredSeat("person", "ana"),)))
    for status in ("playing", "over"):
        await make(store, replace(a_table(status), settings=shown))
        await store.append(status, a_step(1), TableChange(status=status))
    assert [table.id for table in await store.lobby_tables()] == ["yes"]


async def test_a_rematch_is_a_table_like_any_other(store: Store) -> None:
    await make(store, a_table())
    again = replace(a_table("again"), host="ben", settings=TableSettings(listed=True))
    assert await store.create_rematch("t1", again) == again
    await store.append("again", a_step(1), TableChange(status="playing"))
    assert await store.steps("again") == [a_step(1)]
    assert (await store.create_rematch("t1", a_table("later"))).status == "playing"
    found = await store.table("t1")
    assert found == replace(a_table(), rematch="again")


async def test_codes_are_each_visitors_own(store: Store) -> None:
    await store.add_device_code("a", "ana", until=10.0)
    await store.add_device_code("b", "ben", until=20.0)
    assert await store.redeem_device_code("nobodys", 5.0) is None
    assert await store.redeem_device_code("a", 10.0) == "ana", "until then"
    assert await store.redeem_device_code("b", 20.0) == "ben"
    await store.add_device_code("late", "ana", until=10.0)
    assert await store.redeem_device_code("late", 10.5) is None
    assert await store.redeem_device_code("late", 5.0) is None, "asking uses it up"


async def test_what_was_said_is_kept_word_by_word(store: Store) -> None:
    for name in ("t1", "t2"):
        await make(store, a_table(name))
    said = [
        Saying(1, 1.5, "ana", "Ana", "salut", 0),
        Saying(2, 2.5, "zoe", "Zoé", "je regarde"),
        Saying(4, 4.5, "ben", "Ben", "…", 1),
        Saying(3, 3.5, "ben", "Ben", "!", 1),
    ]
    for saying in said:
        await store.add_saying("t1", saying)
    await store.add_saying("t2", said[0])
    assert await store.sayings("t1", 9) == sorted(said, key=lambda saying: saying.number)
    assert [saying.number for saying in await store.sayings("t1", 2)] == [3, 4]
    assert await store.sayings("t2", 9) == said[:1]
    with pytest.raises(SeqTaken, match="saying 1 of table t1 is already written"):
        await store.add_saying("t1", said[0])
    with pytest.raises(SeqTaken):
        await store.add_saying("nowhere", said[0])


async def test_blocks_have_numbers_of_their_own_and_an_order(store: Store) -> None:
    for other in ("ben", "cleo", "dan"):
        await store.block("ana", other, other.title(), 1.0)
    blocks = await store.blocks("ana")
    assert [blocked.name for blocked in blocks] == ["Ben", "Cleo", "Dan"]
    assert len({blocked.number for blocked in blocks}) == 3
    await store.unblock("ana", blocks[1].number)
    await store.unblock("ana", 999)
    assert await store.blocked_ids("ana") == {"ben", "dan"}
    await store.block("ana", "cleo", "Cleo", 2.0)
    assert [blocked.name for blocked in await store.blocks("ana")] == ["Ben", "Dan", "Cleo"]
    assert await store.blocks("zoe") == []


async def test_ratings_are_by_game_and_player(store: Store) -> None:
    for name in ("t1", "t2", "t3"):
        await make(store, a_table(name))
        await store.append(name, a_step(1), TableChange(status="over", result={}))
    await store.save_ratings(
        "t1", "kimono", {"ana": PlayerRating(26.0, 7.0, 1), "ben": PlayerRating(24.0, 7.5, 1)}
    )
    await store.save_ratings("t2", "kakuzu", {"ana": PlayerRating(30.0, 5.0, 1)})
    await store.save_ratings("t3", "kimono", {"ana": PlayerRating(27.0, 6.0, 2)})
    assert await store.ratings("kimono", ["ana", "ben", "zoe"]) == {
        "ana": PlayerRating(27.0, 6.0, 2),
        "ben": PlayerRating(24.0, 7.5, 1),
    }
    assert await store.ratings("kakuzu", ["ben"]) == {}
    assert list((await store.ratings_of("ana")).items()) == [
        ("kakuzu", PlayerRating(30.0, 5.0, 1)),
        ("kimono", PlayerRating(27.0, 6.0, 2)),
    ]
    assert await store.ratings_of("zoe") == {}


async def test_what_is_to_be_rated_is_over_and_comes_in_the_order_it_ended(store: Store) -> None:
    for number, name in enumerate(("late", "early", "on")):
        await make(store, a_table(name, created=float(number)))
    await store.append("late", LoggedStep(1, 9.0, b"[]"), TableChange(status="over", result={"x": 1}))
    await store.append("early", LoggedStep(1, 8.0, b"[]"), TableChange(status="over"))
    await store.append("on", LoggedStep(1, 7.0, b"[]"), TableChange(status="playing"))
    assert [table.id for table in await store.unrated_tables()] == ["early", "late"]
    assert (await store.unrated_tables())[1].result == {"x": 1}
    await store.save_ratings("early", "kimono", {})
    assert [table.id for table in await store.unrated_tables()] == ["late"]


async def test_of_somebody_forgotten_nothing_is_left_anywhere(store: Store) -> None:
    guest = StoredSeat("person", "ana", "Léa", avatar="cat", guest=True)
    stood_in = StoredSeat("bot", "ana", "Ana", level="master", avatar="fox")
    ben = StoredSeat("person", "ben", "Ben", avatar="owl")
    for name in ("gathering", "playing", "over"):
        hosted = replace(a_table(name, host="ben"), seats=(guest, stood_in, ben))
        await make(store, replace(hosted, settings=TableSettings(listed=True, patience=50.0)))
        if name != "gathering":
            await store.append(name, a_step(1), TableChange(status=name))
    await store.block("ana", "ben", "Ben", 1.0)
    await store.block("ben", "ana", "Ana", 1.0)
    await store.block("ben", "cleo", "ana", 1.0)
    await store.add_device_code("a", "ana", until=10.0)
    await store.add_device_code("b", "ben", until=10.0)
    await store.set_persona("ben", Persona("Ben", "owl"), 1.0)

    await store.delete_visitor("ana", stand_in="adept")

    found = {table.id: table for table in await store.tables_of("ben")}
    assert [seat.kind for seat in found["gathering"].seats] == ["open", "open", "person"]
    assert found["gathering"].seats == (StoredSeat(), StoredSeat(), ben)
    assert found["playing"].seats == (
        StoredSeat("bot", level="adept"),
        StoredSeat("bot", level="master"),
        ben,
    )
    assert found["over"].seats == (StoredSeat("person"), StoredSeat("bot", level="master"), ben)
    assert {table.host for table in found.values()} == {"ben"}
    assert {table.settings for table in found.values()} == {TableSettings(listed=True, patience=50.0)}
    assert await store.blocked_ids("ana") == frozenset()
    assert await store.blocked_ids("ben") == {"cleo"}
    assert (await store.redeem_device_code("a", 5.0), await store.redeem_device_code("b", 5.0)) == (
        None,
        "ben",
    )
    assert await store.persona("ben") == Persona("Ben", "owl")


async def test_a_table_whose_host_is_forgotten_is_nobodys_and_in_no_lobby(store: Store) -> None:
    shown = TableSettings(listed=True, watchable=False, patience=50.0)
    await make(store, replace(a_table(), settings=shown))
    await store.delete_visitor("ana", stand_in="adept")
    found = await store.table("t1")
    assert found is not None
    assert (found.host, found.settings) == ("", replace(shown, listed=False))
    assert await store.lobby_tables() == []


async def test_what_follows_from_a_write_comes_later_and_in_order(store: Store) -> None:
    await make(store, a_table())
    order: list[int] = []
    done = asyncio.Event()

    def then(number: int, failure: Exception | None) -> None:
        assert failure is None
        order.append(number)
        if number == 10:
            done.set()

    for seq in range(1, 11):
        store.append_then("t1", a_step(seq), None, lambda failure, seq=seq: then(seq, failure))  # type: ignore[misc]
    assert order == []
    await done.wait()
    assert order == list(range(1, 11))


@pytest.mark.parametrize(
    "question",
    [
        lambda store: store.set_seats("t1", (), 1.0),
        lambda store: store.set_settings("t1", TableSettings(), {}),
        lambda store: store.create_rematch("t1", a_table("x")),
        lambda store: store.set_persona("ana", Persona(), 1.0),
        lambda store: store.persona("ana"),
        lambda store: store.delete_visitor("ana", "adept"),
        lambda store: store.add_device_code("c", "ana", 1.0),
        lambda store: store.redeem_device_code("c", 1.0),
        lambda store: store.tables_of("ana"),
        lambda store: store.lobby_tables(),
        lambda store: store.add_saying("t1", Saying(1, 1.0, "ana", "Ana", "x")),
        lambda store: store.sayings("t1", 1),
        lambda store: store.block("ana", "ben", "Ben", 1.0),
        lambda store: store.unblock("ana", 1),
        lambda store: store.blocks("ana"),
        lambda store: store.blocked_ids("ana"),
        lambda store: store.ratings("kimono", []),
        lambda store: store.ratings_of("ana"),
        lambda store: store.save_ratings("t1", "kimono", {}),
        lambda store: store.unrated_tables(),
        lambda store: store.steps("t1"),
        lambda store: store.append("t1", a_step(1)),
    ],
)
async def test_a_closed_store_answers_no_question(
    store: Store, question: Callable[[Store], Awaitable[object]]
) -> None:
    await make(store, a_table())
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="the store is closed"):
        await question(store)
