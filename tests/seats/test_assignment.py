"""Who sits where and who may change it: each change gives new seats or a refusal, and touches no other seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kotatsu.protocol.refusal import Refusal
from kotatsu.seats import assignment
from kotatsu.seats.assignment import OPEN, Seats
from kotatsu.store.contract import Persona, StoredSeat

ANA = StoredSeat("person", "ana", "Ana", avatar="fox")
GUEST = StoredSeat("person", "ana", "Léa", guest=True)
BEN = StoredSeat("person", "ben", "Ben")
BOT = StoredSeat("bot", level="novice")
FOR_BEN = StoredSeat("bot", "ben", "Ben", level="adept", avatar="owl")
FOR_GUEST = StoredSeat("bot", "ana", "Léa", level="adept", guest=True)
SEATS: Seats = (ANA, BEN, OPEN, BOT, FOR_BEN, GUEST)
PERSONA = Persona("Zoe", "crane")


def refused(code: str, change: Callable[..., Any], *given: Any, **named: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        change(*given, **named)
    assert refusal.value.code == code
    assert refusal.value.clause is None
    return refusal.value.message


def at(number: int, seat: StoredSeat) -> Seats:
    """The seats with another one somewhere, and nothing else changed."""
    return (*SEATS[:number], seat, *SEATS[number + 1 :])


def test_one_holds_what_one_plays_guests_included_and_not_what_a_bot_plays() -> None:
    assert assignment.held_by(SEATS, "ana") == (0, 5)
    assert assignment.held_by(SEATS, "ben") == (1,)
    assert assignment.held_by(SEATS, "zoe") == ()
    assert assignment.held_by((FOR_GUEST,), "ana") == ()


@pytest.mark.parametrize("number", [-1, -6, 6, 7, 31])
def test_there_are_as_many_seats_as_there_are(number: int) -> None:
    for change, *rest in (
        (assignment.check_holds, "ana"),
        (assignment.sit, "ana", PERSONA),
        (assignment.stand, "ana"),
        (assignment.set_bot, "adept"),
        (assignment.set_bot, None),
        (assignment.set_guest, "ana", "Léa"),
    ):
        told = refused("no_such_seat", change, SEATS, number, *rest)
        assert told == "This table has 6 seats, the first is 0."


def test_a_seat_belongs_to_whoever_plays_it() -> None:
    for number, owner in ((0, "ana"), (1, "ben"), (5, "ana")):
        assignment.check_holds(SEATS, number, owner)
        refused("not_your_seat", assignment.check_holds, SEATS, number, "zoe")
    for number in (2, 3, 4):
        for visitor in ("ana", "ben", "zoe"):
            refused("not_your_seat", assignment.check_holds, SEATS, number, visitor)


def test_sitting_down_takes_an_open_seat_under_ones_own_name() -> None:
    assert assignment.sit(SEATS, 2, "zoe", PERSONA) == at(
        2, StoredSeat("person", "zoe", "Zoe", avatar="crane")
    )
    for number in (0, 1, 3, 4, 5):
        refused("seat_taken", assignment.sit, SEATS, number, "zoe", PERSONA)


def test_sitting_down_where_one_sits_changes_nothing_not_even_ones_name() -> None:
    assert assignment.sit(SEATS, 0, "ana", PERSONA) is SEATS
    assert assignment.sit(SEATS, 5, "ana", PERSONA) is SEATS


def test_sitting_down_takes_ones_own_seat_back_from_the_bot_that_stood_in() -> None:
    back = StoredSeat("person", "ben", "Ben", avatar="owl")
    assert assignment.sit(SEATS, 4, "ben", PERSONA) == at(4, back)
    assert back.level is None


def test_standing_up_opens_the_seat_or_leaves_it_to_a_bot() -> None:
    assert assignment.stand(SEATS, 0, "ana") == at(0, OPEN)
    assert assignment.stand(SEATS, 5, "ana") == at(5, OPEN)
    assert assignment.stand(SEATS, 0, "ana", stand_in="adept") == at(
        0, StoredSeat("bot", "ana", "Ana", level="adept", avatar="fox")
    )
    refused("not_your_seat", assignment.stand, SEATS, 0, "ben")
    refused("not_your_seat", assignment.stand, SEATS, 3, "ana", stand_in="adept")
    refused("not_your_seat", assignment.stand, SEATS, 4, "ben", stand_in="adept")


def test_nobody_has_to_be_told_that_an_open_seat_is_open() -> None:
    assert assignment.stand(SEATS, 2, "zoe") is SEATS
    assert assignment.stand(SEATS, 2, "zoe", stand_in="adept") is SEATS


def test_a_bot_stands_in_for_the_person_who_had_the_seat_and_for_no_guest() -> None:
    assert assignment.set_bot(SEATS, 1, "master") == at(1, StoredSeat("bot", "ben", "Ben", level="master"))
    assert assignment.set_bot(SEATS, 4, "master") == at(
        4, StoredSeat("bot", "ben", "Ben", level="master", avatar="owl")
    )
    for number in (2, 3, 5):
        assert assignment.set_bot(SEATS, number, "master") == at(number, StoredSeat("bot", level="master"))


def test_a_bot_that_goes_gives_the_seat_back_or_leaves_it_open() -> None:
    assert assignment.set_bot(SEATS, 4, None) == at(4, StoredSeat("person", "ben", "Ben", avatar="owl"))
    for number in (0, 1, 2, 3, 5):
        assert assignment.set_bot(SEATS, number, None) == at(number, OPEN)


def test_a_guest_sits_where_nobody_else_does() -> None:
    guest = StoredSeat("person", "ana", "Max", guest=True)
    for number in (0, 2, 3, 4, 5):
        assert assignment.set_guest(SEATS, number, "ana", "Max") == at(number, guest)
    refused("seat_taken", assignment.set_guest, SEATS, 1, "ana", "Max")


def test_whoever_is_back_has_all_their_seats_back() -> None:
    seats = (*SEATS, FOR_GUEST, FOR_BEN)
    back = StoredSeat("person", "ben", "Ben", avatar="owl")
    assert assignment.with_visitor_back(seats, "ben") == (*SEATS[:4], back, GUEST, FOR_GUEST, back)
    assert assignment.with_visitor_back(seats, "ana")[6] == GUEST
    assert assignment.with_visitor_back(seats, "ana")[:6] == SEATS
    assert assignment.with_visitor_back(seats, "zoe") == seats


def test_bots_take_the_open_seats_and_no_others() -> None:
    assert assignment.with_bots_on_open_seats(SEATS, "master") == at(2, StoredSeat("bot", level="master"))
    assert assignment.with_bots_on_open_seats((OPEN, OPEN), "x") == (StoredSeat("bot", level="x"),) * 2


def test_a_new_name_is_that_of_ones_own_seats_and_of_no_guest() -> None:
    assert assignment.with_persona(SEATS, "ana", PERSONA) == at(
        0, StoredSeat("person", "ana", "Zoe", avatar="crane")
    )
    assert assignment.with_persona(SEATS, "ben", PERSONA) == (
        ANA,
        StoredSeat("person", "ben", "Zoe", avatar="crane"),
        OPEN,
        BOT,
        StoredSeat("bot", "ben", "Zoe", level="adept", avatar="crane"),
        GUEST,
    )
    assert assignment.with_persona(SEATS, "zoe", PERSONA) == SEATS


def test_a_record_names_people_bots_and_the_nameless() -> None:
    seats = (*SEATS, StoredSeat("person", "max"))
    assert assignment.names(seats) == ("Ana", "Ben", "seat 2", "bot:novice", "bot:adept", "Léa", "seat 6")
