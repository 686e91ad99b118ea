"""Who is here, who is away and for how long; who decides meanwhile, and who may look on."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kotatsu.connections.connection import TableConnection
from kotatsu.connections.round_trip import RoundTripEstimate
from kotatsu.engine.contract import Outcome
from kotatsu.protocol.messages import SeatInfo
from kotatsu.seats.presence import Presence, may_watch, table_info
from kotatsu.store.contract import StoredSeat, StoredTable, TableSettings
from tests.tables.virtual_time import in_virtual_time

ANA = StoredSeat("person", "ana", "Ana", avatar="fox")
BEN = StoredSeat("person", "ben", "Ben")
GUEST = StoredSeat("person", "ben", "Léa", guest=True)
BOT = StoredSeat("bot", level="novice")
FOR_CLEO = StoredSeat("bot", "cleo", "Cleo", level="adept")
SEATS = (ANA, BEN, BOT, FOR_CLEO)


def a_table(*seats: StoredSeat, **fields: Any) -> StoredTable:
    known = {"status": "playing", **fields}
    return StoredTable("t", "kimono", "ana", 1.0, 1.0, seats or SEATS, **known)


def arrived(presence: Presence, visitor: str, **how: Any) -> TableConnection:
    connection = TableConnection(visitor, **how)
    presence.arrive(connection)
    return connection


async def test_a_browser_holds_the_seats_of_its_visitor() -> None:
    presence = Presence(a_table(ANA, BEN, GUEST))
    ana, ben, zoe = (arrived(presence, visitor) for visitor in ("ana", "ben", "zoe"))
    assert [connection.held for connection in (ana, ben, zoe)] == [(0,), (1, 2), ()]
    assert [connection.viewpoint for connection in (ana, ben, zoe)] == [0, 1, None]
    assert presence.connections == {ana, ben, zoe}
    assert [presence.seat_of(visitor) for visitor in ("ana", "ben", "zoe")] == [0, 1, None]


async def test_whoever_holds_several_seats_chooses_whose_eyes_to_see_through() -> None:
    presence = Presence(a_table(ANA, BEN, GUEST))
    assert arrived(presence, "ben", wanted=2).viewpoint == 2
    assert arrived(presence, "ben", wanted=0).viewpoint == 1, "that seat is ana's"
    assert arrived(presence, "zoe", wanted=0).viewpoint is None


async def test_whoever_only_looks_on_holds_nothing_and_is_not_here_to_play() -> None:
    presence = Presence(a_table())
    screen = arrived(presence, "ana", spectator_only=True)
    assert (screen.held, screen.viewpoint) == ((), None)
    assert presence.away("ana") is not None
    assert presence.info().watching == 1
    assert not presence.info().seats[0].here


async def test_who_leaves_holds_nothing() -> None:
    presence = Presence(a_table())
    ana = arrived(presence, "ana")
    presence.depart(ana)
    assert ana.held == ()
    assert presence.connections == set()
    presence.depart(ana)


async def test_others_who_sit_down_are_others_who_hold() -> None:
    presence = Presence(a_table())
    ana, ben = arrived(presence, "ana"), arrived(presence, "ben")
    presence.update(replace(presence.stored, seats=(BEN, ANA, BOT, FOR_CLEO)))
    assert (ana.held, ana.viewpoint, ben.held, ben.viewpoint) == ((1,), 1, (0,), 0)
    ana.held = (9,)
    presence.update(replace(presence.stored, status="over"))
    assert presence.stored.status == "over"
    assert ana.held == (9,), "the same seats need no second look"


@in_virtual_time
async def test_one_is_away_since_ones_last_browser_left() -> None:
    presence = Presence(a_table())
    assert presence.away("ben") == 0.0
    await asyncio.sleep(5)
    assert presence.away("ben") == 5.0, "nobody was here when the table opened"
    first, second = arrived(presence, "ben"), arrived(presence, "ben")
    assert presence.away("ben") is None
    await asyncio.sleep(5)
    presence.depart(first)
    assert presence.away("ben") is None
    await asyncio.sleep(5)
    presence.depart(second)
    await asyncio.sleep(3)
    assert presence.away("ben") == 3.0
    arrived(presence, "ben")
    assert presence.away("ben") is None


@in_virtual_time
async def test_a_screen_in_the_room_keeps_nobody_present() -> None:
    presence = Presence(a_table())
    phone = arrived(presence, "ben")
    screen = arrived(presence, "ben", spectator_only=True)
    presence.depart(phone)
    await asyncio.sleep(4)
    assert presence.away("ben") == 4.0
    presence.depart(screen)
    await asyncio.sleep(4)
    assert presence.away("ben") == 8.0, "that a screen goes dark changes nothing"
    arrived(presence, "ben", spectator_only=True)
    assert presence.away("ben") == 8.0


@in_virtual_time
async def test_somebody_who_was_never_here_is_away_since_it_is_first_asked() -> None:
    presence = Presence(a_table())
    await asyncio.sleep(7)
    assert presence.away("zoe") == 0.0
    await asyncio.sleep(2)
    assert presence.away("zoe") == 2.0


@in_virtual_time
async def test_patience_ends_after_as_long_as_the_host_said() -> None:
    presence = Presence(a_table(settings=TableSettings(patience=30.0)))
    ben = arrived(presence, "ben")
    await asyncio.sleep(100)
    assert not presence.out_of_patience("ben"), "whoever is here needs none"
    presence.depart(ben)
    await asyncio.sleep(29.5)
    assert not presence.out_of_patience("ben")
    await asyncio.sleep(0.5)
    assert presence.out_of_patience("ben")


@in_virtual_time
async def test_while_the_host_is_gone_for_long_whoever_plays_decides() -> None:
    presence = Presence(a_table(settings=TableSettings(patience=30.0)))
    host, ben, zoe = (arrived(presence, visitor) for visitor in ("ana", "ben", "zoe"))
    assert [presence.hosts(visitor) for visitor in ("ana", "ben", "zoe")] == [True, False, False]
    presence.depart(host)
    await asyncio.sleep(29)
    assert not presence.hosts("ben")
    await asyncio.sleep(1)
    assert [presence.hosts(visitor) for visitor in ("ana", "ben", "zoe", "cleo")] == [
        True,
        True,
        False,
        False,
    ]
    screen = arrived(presence, "ana", spectator_only=True)
    assert not presence.hosts("ben"), "the host looks on"
    presence.depart(screen)
    assert presence.hosts("ben")
    arrived(presence, "ana")
    assert not presence.hosts("ben")
    assert {ben, zoe} < presence.connections


async def test_a_table_whose_host_is_forgotten_is_its_players() -> None:
    presence = Presence(replace(a_table(), host=""))
    assert [presence.hosts(visitor) for visitor in ("ana", "ben", "zoe")] == [True, True, False]


@pytest.mark.parametrize(
    ("visitor", "private", "gathering"),
    [("ana", True, True), ("ben", True, True), ("cleo", True, True), ("zoe", False, True)],
)
async def test_who_may_look_on(visitor: str, private: bool, gathering: bool) -> None:
    """The host, who plays, and whom a bot stands in for; anybody while they might sit down."""
    shut = TableSettings(watchable=False)
    for seats, admitted in ((SEATS, private), ((*SEATS[1:], StoredSeat()), gathering)):
        table = a_table(*seats, settings=shut)
        assert may_watch(table, visitor) is admitted
        assert Presence(table).admits(visitor) is admitted
    assert may_watch(a_table(), visitor)
    assert Presence(a_table()).admits(visitor)
    hosted = replace(a_table(BOT, BOT, settings=shut), host=visitor)
    assert may_watch(hosted, visitor), "a host who plays no seat"
    assert not may_watch(hosted, "max")


@in_virtual_time
async def test_the_shortest_measured_way_to_a_seat_counts() -> None:
    presence = Presence(a_table(ANA, BEN, GUEST))

    def measured(seconds: float) -> RoundTripEstimate:
        estimate = RoundTripEstimate()
        estimate.at_most(seconds, 0.0)
        return estimate

    arrived(presence, "ben", round_trip=measured(0.3))
    arrived(presence, "ben", round_trip=measured(0.2))
    arrived(presence, "ben")
    arrived(presence, "ana", round_trip=measured(0.1), spectator_only=True)
    assert [presence.round_trip(seat, 1.0) for seat in range(3)] == [0.0, 0.2, 0.2]
    assert presence.round_trip(1, 1e9) == 0.0, "old proofs prove nothing"


@in_virtual_time
async def test_what_everyone_may_know_of_a_table() -> None:
    presence = Presence(a_table(*SEATS, StoredSeat(), GUEST))
    arrived(presence, "ana")
    arrived(presence, "zoe")
    await asyncio.sleep(4)
    info = presence.info()
    assert info.seats == (
        SeatInfo("person", "Ana", here=True, avatar="fox"),
        SeatInfo("person", "Ben", away=4.0),
        SeatInfo("bot", level="novice"),
        SeatInfo("bot", "Cleo", "adept", stands_in=True, away=4.0),
        SeatInfo("open"),
        SeatInfo("person", "Léa", guest=True, away=4.0),
    )
    assert info.watching == 1
    assert (info.id, info.game, info.status, info.options, info.outcome) == (
        "t",
        "kimono",
        "playing",
        {},
        None,
    )


def test_a_table_nobody_is_at_as_everyone_may_know_it() -> None:
    over = {"scores": [3, 1, 2, 0], "winners": [0]}
    table = replace(
        a_table(status="over", result=over, options={"seconds": 5.0}, rematch="again"),
        settings=TableSettings(listed=True),
    )
    info = table_info(table)
    assert [seat.here for seat in info.seats] == [False] * 4
    assert [seat.away for seat in info.seats] == [None] * 4
    assert info.outcome == Outcome((3, 1, 2, 0), (0,))
    assert (info.status, info.options, info.rematch) == ("over", {"seconds": 5.0}, "again")
    assert info.settings == TableSettings(listed=True)
    assert info.watching == 0


def test_how_long_somebody_is_away_matters_only_while_a_game_goes_on() -> None:
    away = {"ana": None, "ben": 9.0, "cleo": 3.0}
    for status, told in (("gathering", None), ("playing", 9.0), ("over", None)):
        info = table_info(a_table(status=status), away, 2)
        assert (info.seats[0].here, info.seats[0].away) == (True, None)
        assert (info.seats[1].here, info.seats[1].away) == (False, told)
        assert info.watching == 2


def test_no_visitors_id_is_told() -> None:
    secret = replace(a_table(StoredSeat("person", "id-of-ana", "Ana"), FOR_CLEO), host="id-of-host")
    told = msgspec.json.encode(table_info(secret, {"id-of-ana": None, "cleo": 1.0}, 1))
    assert b"id-of" not in told
    assert b"cleo" not in told
