"""Who sits where and who may change it. Pure: each change gives new seats or a refusal."""

from __future__ import annotations

from msgspec.structs import replace

from kotatsu.engine.contract import Seat
from kotatsu.store.contract import Persona, StoredSeat
from kotatsu.table.refusal import Refusal

Seats = tuple[StoredSeat, ...]
OPEN = StoredSeat()


def held_by(seats: Seats, visitor: str) -> tuple[Seat, ...]:
    """The seats a visitor holds."""
    return tuple(number for number, seat in enumerate(seats) if seat.visitor == visitor)


def check_holds(seats: Seats, number: Seat, visitor: str) -> None:
    """A seat belongs to whoever sat down in it."""
    if _at(seats, number).visitor != visitor:
        raise Refusal("not_your_seat", "That is not your seat.")


def sit(seats: Seats, number: Seat, visitor: str, persona: Persona) -> Seats:
    """Take an open seat; in one's own seat one stays."""
    seat = _at(seats, number)
    if seat.visitor == visitor:
        return seats
    if seat.kind != "open":
        raise Refusal("seat_taken", "Somebody already sits there.")
    return _with(seats, number, seat_of(visitor, persona))


def stand(seats: Seats, number: Seat, visitor: str) -> Seats:
    """Give up a seat one holds; an open one is already given up."""
    if _at(seats, number).kind == "open":
        return seats
    check_holds(seats, number, visitor)
    return _with(seats, number, OPEN)


def set_bot(seats: Seats, number: Seat, level: str | None) -> Seats:
    """Put a bot on a seat nobody holds, or take it away."""
    if _at(seats, number).kind == "person":
        raise Refusal("seat_taken", "Somebody already sits there.")
    return _with(seats, number, OPEN if level is None else StoredSeat("bot", level=level))


def filled(seats: Seats, level: str) -> Seats:
    """Bots take the open seats."""
    return tuple(StoredSeat("bot", level=level) if seat.kind == "open" else seat for seat in seats)


def seat_of(visitor: str, persona: Persona) -> StoredSeat:
    """A person in a seat."""
    return StoredSeat("person", visitor, persona.name, avatar=persona.avatar)


def introduced(seats: Seats, visitor: str, persona: Persona) -> Seats:
    """A visitor's own seats under their new name; guests on their device keep theirs."""
    return tuple(
        replace(seat, name=persona.name, avatar=persona.avatar)
        if seat.visitor == visitor and not seat.guest
        else seat
        for seat in seats
    )


def names(seats: Seats) -> tuple[str, ...]:
    """How a record calls the players."""
    return tuple(
        f"bot:{seat.level}" if seat.kind == "bot" else seat.name or f"seat {number}"
        for number, seat in enumerate(seats)
    )


def _at(seats: Seats, number: Seat) -> StoredSeat:
    if not 0 <= number < len(seats):
        raise Refusal("no_such_seat", f"This table has {len(seats)} seats, the first is 0.")
    return seats[number]


def _with(seats: Seats, number: Seat, seat: StoredSeat) -> Seats:
    return (*seats[:number], seat, *seats[number + 1 :])
