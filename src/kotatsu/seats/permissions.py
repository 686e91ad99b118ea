"""Who may change a seat. Works out the new seats or raises ``Refusal``; stores and announces nothing."""

from __future__ import annotations

from kotatsu.bots.levels import levels
from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Seat
from kotatsu.protocol.messages import SetBot, SetGuest, Sit, Stand
from kotatsu.protocol.refusal import Refusal
from kotatsu.seats import assignment
from kotatsu.seats.presence import Presence
from kotatsu.store.contract import clean_name

STAND_IN = "adept"
"""The level of the bot that plays for somebody who leaves a running game; every game has this level."""

SeatCommand = Sit | Stand | SetBot | SetGuest


class SeatPermissions:
    """Checks and works out changes of one table's seats.

    ``blocked`` are the visitors its host has blocked: they may not sit down. The table keeps it up to date.

    Args:
        presence: the table's seats and connections.
    """

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self.blocked: frozenset[str] = frozenset()

    def change(self, command: SeatCommand, connection: TableConnection) -> assignment.Seats:
        """Return the seats after ``command``, sent over ``connection``.

        Raises:
            Refusal: the visitor may not do that, or the seat or level does not exist.
        """
        stored, visitor = self._presence.stored, connection.visitor
        seats, seat = stored.seats, command.seat
        match command:
            case Sit():
                if visitor in self.blocked:
                    raise Refusal("seat_taken", "The host does not want you at this table.")
                return assignment.sit(seats, seat, visitor, connection.persona)
            case Stand():
                stand_in = STAND_IN if stored.status == "playing" else None
                return assignment.stand(seats, seat, visitor, stand_in=stand_in)
            case SetBot(level=level):
                self._check_may_set_bot(visitor, seat, level)
                return assignment.set_bot(seats, seat, level)
            case SetGuest(name=name):
                self.check_host(visitor)
                return assignment.set_guest(seats, seat, visitor, clean_name(name))

    def check_host(self, visitor: str) -> None:
        """Check that a visitor may do what only the host may.

        Raises:
            Refusal: ``not_host``.
        """
        if not self._presence.hosts(visitor):
            raise Refusal("not_host", "Only the host of the table may do that.")

    def check_level(self, level: str) -> None:
        """Check that the table's game has a bot of this level.

        Raises:
            Refusal: ``no_such_level``.
        """
        game = self._presence.stored.game
        known = levels(game)
        if level not in known:
            raise Refusal("no_such_level", f"{game} has no such bot; it has {', '.join(known)}.")

    def _check_may_set_bot(self, visitor: str, seat: Seat, level: str | None) -> None:
        """The host may; other players may for somebody who has been disconnected for too long."""
        stored = self._presence.stored
        if level is not None:
            self.check_level(level)
        absent = seat < stored.players and stored.seats[seat].visitor
        plays = bool(assignment.held_by(stored.seats, visitor))
        if level is None or not plays or not absent or not self._presence.out_of_patience(absent):
            self.check_host(visitor)
