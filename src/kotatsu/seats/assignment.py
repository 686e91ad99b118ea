"""Who sits where and who may change it. Pure: each change gives new seats or a refusal."""

from __future__ import annotations

from msgspec.structs import replace

from kotatsu.engine.contract import Seat
from kotatsu.protocol.refusal import Refusal
from kotatsu.store.contract import Persona, StoredSeat

Seats = tuple[StoredSeat, ...]
OPEN = StoredSeat()


def held_by(seats: Seats, visitor: str) -> tuple[Seat, ...]:
    """The seats a visitor plays, guests on their device included; not those where a bot stands in for them."""
    return tuple(number for number, seat in enumerate(seats) if _plays(seat, visitor))


def check_holds(seats: Seats, number: Seat, visitor: str) -> None:
    """A seat belongs to whoever sat down in it."""
    if not _plays(_at(seats, number), visitor):
        raise Refusal("not_your_seat", "That is not your seat.")


def sit(seats: Seats, number: Seat, visitor: str, persona: Persona) -> Seats:
    """Take an open seat, or one's own back from the bot that stood in; in one's own seat one stays."""
    seat = _at(seats, number)
    if _plays(seat, visitor):
        return seats
    if seat.visitor == visitor:
        return _with(seats, number, _back(seat))
    if seat.kind != "open":
        raise Refusal("seat_taken", "Somebody already sits there.")
    return _with(seats, number, seat_of(visitor, persona))


def stand(seats: Seats, number: Seat, visitor: str, *, stand_in: str | None = None) -> Seats:
    """Give up a seat one holds; in the middle of a game a bot stands in until one comes back."""
    if _at(seats, number).kind == "open":
        return seats
    check_holds(seats, number, visitor)
    return _with(seats, number, OPEN) if stand_in is None else set_bot(seats, number, stand_in)


def set_bot(seats: Seats, number: Seat, level: str | None) -> Seats:
    """Put a bot on a seat; it stands in for the person who had it, if there was one.

    Without a level the bot goes: the person it stood in for has their seat back, else it is open.
    """
    seat = _at(seats, number)
    if level is None:
        return _with(seats, number, OPEN if seat.visitor is None or seat.kind == "person" else _back(seat))
    if seat.visitor is None or seat.guest:
        return _with(seats, number, StoredSeat("bot", level=level))
    return _with(seats, number, replace(seat, kind="bot", level=level))


def set_guest(seats: Seats, number: Seat, visitor: str, name: str) -> Seats:
    """Somebody else plays on a visitor's device, on a seat no other person holds."""
    seat = _at(seats, number)
    if seat.kind == "person" and not _plays(seat, visitor):
        raise Refusal("seat_taken", "Somebody already sits there.")
    return _with(seats, number, StoredSeat("person", visitor, name, guest=True))


def returned(seats: Seats, visitor: str) -> Seats:
    """A visitor is back: the bots that stood in for them go."""
    return tuple(_back(seat) if seat.visitor == visitor and seat.kind == "bot" else seat for seat in seats)


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


def _plays(seat: StoredSeat, visitor: str) -> bool:
    return seat.kind == "person" and seat.visitor == visitor


def _back(seat: StoredSeat) -> StoredSeat:
    return replace(seat, kind="person", level=None)


def _at(seats: Seats, number: Seat) -> StoredSeat:
    if not 0 <= number < len(seats):
        raise Refusal("no_such_seat", f"This table has {len(seats)} seats, the first is 0.")
    return seats[number]


def _with(seats: Seats, number: Seat, seat: StoredSeat) -> Seats:
    return (*seats[:number], seat, *seats[number + 1 :])
