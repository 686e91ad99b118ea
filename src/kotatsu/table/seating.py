"""Who may change a seat, and what comes of it. Nothing here happens yet: it gives new seats or a refusal."""

from __future__ import annotations

from kotatsu.bots.levels import levels
from kotatsu.engine.contract import Seat
from kotatsu.store.contract import clean_name
from kotatsu.table import roster
from kotatsu.table.audience import Audience
from kotatsu.table.connection import Connection
from kotatsu.table.refusal import Refusal
from kotatsu.table.wire import SetBot, SetGuest, Sit, Stand

STAND_IN = "adept"
"""The level of the bot that plays on for whoever leaves; every game has it."""

SeatCommand = Sit | Stand | SetBot | SetGuest


class Seating:
    """The seats of one table as those at it may change them. The host does not sit with whom they have blocked."""

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self.blocked: frozenset[str] = frozenset()

    def change(self, command: SeatCommand, connection: Connection) -> roster.Seats:
        """The seats after a command.

        Raises:
            Refusal: they may not do that.
        """
        stored, visitor = self._audience.stored, connection.visitor
        seats, seat = stored.seats, command.seat
        match command:
            case Sit():
                if visitor in self.blocked:
                    raise Refusal("seat_taken", "The host does not want you at this table.")
                return roster.sit(seats, seat, visitor, connection.persona)
            case Stand():
                stand_in = STAND_IN if stored.status == "playing" else None
                return roster.stand(seats, seat, visitor, stand_in=stand_in)
            case SetBot(level=level):
                self._check_may_set_bot(visitor, seat, level)
                return roster.set_bot(seats, seat, level)
            case SetGuest(name=name):
                self.check_host(visitor)
                return roster.set_guest(seats, seat, visitor, clean_name(name))

    def check_host(self, visitor: str) -> None:
        """Some things only the host decides."""
        if not self._audience.hosts(visitor):
            raise Refusal("not_host", "Only the host of the table may do that.")

    def check_level(self, level: str) -> None:
        """A bot must be one of the game's."""
        game = self._audience.stored.game
        known = levels(game)
        if level not in known:
            raise Refusal("no_such_level", f"{game} has no such bot; it has {', '.join(known)}.")

    def _check_may_set_bot(self, visitor: str, seat: Seat, level: str | None) -> None:
        """The host may; whoever plays may for somebody who has been away for too long."""
        stored = self._audience.stored
        if level is not None:
            self.check_level(level)
        waited_for = seat < stored.players and stored.seats[seat].visitor
        plays = bool(roster.held_by(stored.seats, visitor))
        if level is None or not plays or not waited_for or not self._audience.out_of_patience(waited_for):
            self.check_host(visitor)
