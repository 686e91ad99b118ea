"""Who may change a seat: oneself, the host, and whoever waits for too long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from kotatsu.bots.levels import levels
from kotatsu.connections.connection import TableConnection
from kotatsu.protocol.messages import SetBot, SetGuest, Sit, Stand
from kotatsu.protocol.refusal import Refusal
from kotatsu.seats.assignment import OPEN
from kotatsu.seats.permissions import STAND_IN, SeatPermissions
from kotatsu.seats.presence import Presence
from kotatsu.store.contract import Persona, StoredSeat, StoredTable, TableSettings
from tests.tables.virtual_time import in_virtual_time

ANA = StoredSeat("person", "ana", "Ana")
BEN = StoredSeat("person", "ben", "Ben")
CLEO = StoredSeat("person", "cleo", "Cleo")


class Door:
    """A table of four: ``ana`` hosts and plays, ``ben`` and ``cleo`` play, a seat is open. All are here."""

    def __init__(self, status: Any = "playing") -> None:
        settings = TableSettings(patience=30.0)
        seats = (ANA, BEN, CLEO, OPEN)
        stored = StoredTable("t", "kimono", "ana", 1.0, 1.0, seats, status=status, settings=settings)
        self.presence = Presence(stored)
        self.permissions = SeatPermissions(self.presence)
        self.people = {
            name: TableConnection(name, Persona(name.title(), "fox"))
            for name in ("ana", "ben", "cleo", "zoe")
        }
        for connection in self.people.values():
            self.presence.arrive(connection)

    def seats(self, who: str, command: Any) -> tuple[StoredSeat, ...]:
        return self.permissions.change(command, self.people[who])

    def refusal(self, who: str, command: Any) -> str:
        with pytest.raises(Refusal) as refused:
            self.permissions.change(command, self.people[who])
        return refused.value.code

    async def leaves(self, who: str, seconds: float) -> None:
        self.presence.depart(self.people[who])
        await asyncio.sleep(seconds)


async def test_anybody_sits_down_under_the_name_they_go_by() -> None:
    door = Door()
    assert door.seats("zoe", Sit("c", 3))[3] == StoredSeat("person", "zoe", "Zoe", avatar="fox")
    assert door.refusal("zoe", Sit("c", 0)) == "seat_taken"


async def test_the_host_sits_with_nobody_they_have_blocked() -> None:
    door = Door()
    door.permissions.blocked = frozenset({"zoe"})
    assert door.refusal("zoe", Sit("c", 3)) == "seat_taken"
    assert door.seats("ben", Sit("c", 3))[3].visitor == "ben"


async def test_who_stands_up_in_the_middle_of_a_game_is_stood_in_for() -> None:
    assert STAND_IN in levels("kimono")
    assert Door().seats("ben", Stand("c", 1))[1] == replace(BEN, kind="bot", level=STAND_IN)
    assert Door("gathering").seats("ben", Stand("c", 1))[1] == OPEN
    assert Door().refusal("zoe", Stand("c", 1)) == "not_your_seat"


async def test_the_host_puts_bots_and_guests_where_they_like() -> None:
    door = Door()
    assert door.seats("ana", SetBot("c", 1, "master"))[1] == replace(BEN, kind="bot", level="master")
    assert door.seats("ana", SetBot("c", 3, "master"))[3] == StoredSeat("bot", level="master")
    assert door.seats("ana", SetBot("c", 1, None))[1] == OPEN
    assert door.seats("ana", SetGuest("c", 3, " Lé\u202ea \n"))[3] == StoredSeat(
        "person", "ana", "Lé a", guest=True
    )
    assert door.refusal("ana", SetGuest("c", 1, "Léa")) == "seat_taken"
    for seat in (4, 31):
        assert door.refusal("ana", SetBot("c", seat, "master")) == "no_such_seat"
        assert door.refusal("ana", SetGuest("c", seat, "Léa")) == "no_such_seat"


async def test_nobody_else_does_while_all_are_here() -> None:
    door = Door()
    for who in ("ben", "zoe"):
        for seat in (0, 1, 2, 3, 4):
            assert door.refusal(who, SetBot("c", seat, "master")) == "not_host"
            assert door.refusal(who, SetBot("c", seat, None)) == "not_host"
            assert door.refusal(who, SetGuest("c", seat, "Léa")) == "not_host"


@in_virtual_time
async def test_whoever_plays_may_have_a_bot_for_somebody_who_is_away_for_too_long() -> None:
    door = Door()
    await door.leaves("cleo", 29.0)
    assert door.refusal("ben", SetBot("c", 2, "novice")) == "not_host"
    await asyncio.sleep(1.0)
    assert door.seats("ben", SetBot("c", 2, "novice"))[2] == replace(CLEO, kind="bot", level="novice")
    assert door.refusal("zoe", SetBot("c", 2, "novice")) == "not_host", "who only looks on waits for nobody"
    assert door.refusal("ben", SetBot("c", 1, "novice")) == "not_host", "ben is here"
    assert door.refusal("ben", SetBot("c", 3, "novice")) == "not_host", "nobody is missing there"
    assert door.refusal("ben", SetBot("c", 4, "novice")) == "not_host", "there is no such seat"
    assert door.refusal("ben", SetBot("c", 2, None)) == "not_host", "nobody is sent away"
    assert door.refusal("ben", SetBot("c", 2, "oracle")) == "no_such_level"


@in_virtual_time
async def test_whoever_plays_decides_once_the_host_is_gone_for_too_long() -> None:
    door = Door()
    await door.leaves("ana", 30.0)
    assert door.seats("ben", SetGuest("c", 3, "Léa"))[3].visitor == "ben"
    assert door.seats("ben", SetBot("c", 1, None))[1] == OPEN
    door.permissions.check_host("ben")
    with pytest.raises(Refusal) as refused:
        door.permissions.check_host("zoe")
    assert refused.value.code == "not_host"


async def test_a_bot_is_one_of_the_games_and_the_refusal_names_them() -> None:
    door = Door()
    for level in levels("kimono"):
        door.permissions.check_level(level)
    with pytest.raises(Refusal) as refused:
        door.permissions.check_level("oracle")
    assert refused.value.code == "no_such_level"
    assert refused.value.message == f"kimono has no such bot; it has {', '.join(levels('kimono'))}."
    assert door.refusal("ana", SetBot("c", 1, "oracle")) == "no_such_level"
    assert door.refusal("ben", SetBot("c", 1, "oracle")) == "no_such_level", (
        "before anything else is looked at"
    )
