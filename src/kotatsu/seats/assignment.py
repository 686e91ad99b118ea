"""Who sits in which seat of a table, as pure functions: each change returns new seats or raises ``Refusal``.

In every function ``seats`` are the table's present seats, ``number`` is a seat from 0, and ``visitor`` is
the id in a browser's cookie. A ``number`` the table does not have is refused (``no_such_seat``).
"""

from __future__ import annotations

from msgspec.structs import replace

from kotatsu.engine.contract import Seat
from kotatsu.protocol.refusal import Refusal
from kotatsu.store.contract import Persona, StoredSeat

Seats = tuple[StoredSeat, ...]
"""All seats of a table in order."""

OPEN = StoredSeat()
"""A seat nobody has."""


def held_by(seats: Seats, visitor: str) -> tuple[Seat, ...]:
    """Return the seats a ``visitor`` plays, guests on their device included; not those of stand-in bots."""
    return tuple(number for number, seat in enumerate(seats) if _plays(seat, visitor))


def check_holds(seats: Seats, number: Seat, visitor: str) -> None:
    """Check that a ``visitor`` plays a seat.

    Raises:
        Refusal: ``not_your_seat``.
    """
    if not _plays(_at(seats, number), visitor):
        raise Refusal("not_your_seat", "That is not your seat.")


def sit(seats: Seats, number: Seat, visitor: str, persona: Persona) -> Seats:
    """Put a ``visitor`` on an open seat, or give them their own back from the bot that played for them.

    Args:
        seats: the present seats; returned unchanged if the visitor already has the seat.
        number: the seat to take.
        visitor: who takes it.
        persona: the name and avatar shown on it.

    Raises:
        Refusal: ``seat_taken``.
    """
    seat = _at(seats, number)
    if _plays(seat, visitor):
        return seats
    if seat.visitor == visitor:
        return _with(seats, number, _without_bot(seat))
    if seat.kind != "open":
        raise Refusal("seat_taken", "Somebody already sits there.")
    return _with(seats, number, person_seat(visitor, persona))


def stand(seats: Seats, number: Seat, visitor: str, *, stand_in: str | None = None) -> Seats:
    """Take a ``visitor`` off a seat they play; an open seat stays as it is.

    Args:
        seats: the present seats.
        number: the seat to leave.
        visitor: who leaves it.
        stand_in: the level of the bot that plays for them until they come back; ``None`` opens the seat.

    Raises:
        Refusal: ``not_your_seat``.
    """
    if _at(seats, number).kind == "open":
        return seats
    check_holds(seats, number, visitor)
    return _with(seats, number, OPEN) if stand_in is None else set_bot(seats, number, stand_in)


def set_bot(seats: Seats, number: Seat, level: str | None) -> Seats:
    """Put a bot of ``level`` on a seat; it plays for the person who had the seat, if there was one.

    With ``None`` the bot is removed: the person it played for has the seat back, else it is open.
    """
    seat = _at(seats, number)
    if level is None:
        return _with(
            seats, number, OPEN if seat.visitor is None or seat.kind == "person" else _without_bot(seat)
        )
    if seat.visitor is None or seat.guest:
        return _with(seats, number, StoredSeat("bot", level=level))
    return _with(seats, number, replace(seat, kind="bot", level=level))


def set_guest(seats: Seats, number: Seat, visitor: str, name: str) -> Seats:
    """Give a seat to another person who plays on the ``visitor``'s device under the given ``name``.

    Raises:
        Refusal: ``seat_taken``, by a person on another device.
    """
    seat = _at(seats, number)
    if seat.kind == "person" and not _plays(seat, visitor):
        raise Refusal("seat_taken", "Somebody already sits there.")
    return _with(seats, number, StoredSeat("person", visitor, name, guest=True))


def with_visitor_back(seats: Seats, visitor: str) -> Seats:
    """Give a ``visitor`` back every seat that a bot plays for them."""
    return tuple(
        _without_bot(seat) if seat.visitor == visitor and seat.kind == "bot" else seat for seat in seats
    )


def with_bots_on_open_seats(seats: Seats, level: str) -> Seats:
    """Put bots of ``level`` on all open ``seats``."""
    return tuple(StoredSeat("bot", level=level) if seat.kind == "open" else seat for seat in seats)


def person_seat(visitor: str, persona: Persona) -> StoredSeat:
    """Return the seat of a ``visitor`` under the name and avatar of ``persona``."""
    return StoredSeat("person", visitor, persona.name, avatar=persona.avatar)


def with_persona(seats: Seats, visitor: str, persona: Persona) -> Seats:
    """Put the ``persona`` of a ``visitor`` on their own seats; guests on their device keep their names."""
    return tuple(
        replace(seat, name=persona.name, avatar=persona.avatar)
        if seat.visitor == visitor and not seat.guest
        else seat
        for seat in seats
    )


def names(seats: Seats) -> tuple[str, ...]:
    """Return the players' names as a record has them: ``bot:LEVEL`` for bots, ``seat N`` for the nameless."""
    return tuple(
        f"bot:{seat.level}" if seat.kind == "bot" else seat.name or f"seat {number}"
        for number, seat in enumerate(seats)
    )


def _plays(seat: StoredSeat, visitor: str) -> bool:
    return seat.kind == "person" and seat.visitor == visitor


def _without_bot(seat: StoredSeat) -> StoredSeat:
    return replace(seat, kind="person", level=None)


def _at(seats: Seats, number: Seat) -> StoredSeat:
    if not 0 <= number < len(seats):
        raise Refusal("no_such_seat", f"This table has {len(seats)} seats, the first is 0.")
    return seats[number]


def _with(seats: Seats, number: Seat, seat: StoredSeat) -> Seats:
    return (*seats[:number], seat, *seats[number + 1 :])
