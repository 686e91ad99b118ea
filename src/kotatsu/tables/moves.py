"""What a move at a table leads to: a step, a refusal, or a press in a race.

Nothing is stored or sent here: the table commits, then broadcasts, the step that is returned.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from random import Random

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import AnyGame, IllegalMove, Move, Seat
from kotatsu.engine.driver import TIME
from kotatsu.protocol.messages import Play, Receipt
from kotatsu.protocol.refusal import Refusal
from kotatsu.races.freeze import Freeze
from kotatsu.races.tracker import RaceTracker
from kotatsu.seats import assignment
from kotatsu.seats.presence import Presence
from kotatsu.tables.bot_runner import random_legal_move
from kotatsu.tables.mail import BotMoved, CommandReceived, RaceMail
from kotatsu.tables.table_clock import TableClock
from kotatsu.tables.table_game import PendingStep, TableGame
from kotatsu.worlds.table_world import TableWorld

logger = logging.getLogger(__name__)


@cache
def _move_decoder(game: AnyGame) -> Callable[[msgspec.Raw], Move]:
    """The decoder of a game's moves from JSON, one for all its tables."""
    return msgspec.json.Decoder(game.move_type).decode


class MoveIntake:
    """Turns the moves of people and bots into steps that are not committed yet.

    Args:
        game: the table's game so far.
        presence: who holds which seat.
        races: the table's races.
        clock: turns the time of an arrival into seconds since 1970.
        world: the table's real-time world, if its game has one.
        rng: the source of randomness.
    """

    __slots__ = ("_clock", "_game", "_presence", "_races", "_read_move", "_rng", "_world")

    def __init__(
        self,
        game: TableGame,
        presence: Presence,
        races: RaceTracker[RaceMail],
        clock: TableClock,
        world: TableWorld | None,
        rng: Random,
    ) -> None:
        self._game = game
        self._presence = presence
        self._races = races
        self._clock = clock
        self._world = world
        self._rng = rng
        self._read_move = _move_decoder(game.game)

    def made_before(self, connection: TableConnection, command: Play) -> int | None:
        """Return the step a ``command`` led to when it was sent before; ``None`` if it is new.

        Raises:
            Refusal: the visitor of ``connection`` does not hold the seat.
        """
        seat = command.seat
        if seat not in connection.held:
            if connection.spectator_only:
                raise Refusal("not_your_seat", "Whoever looks on does not play.")
            assignment.check_holds(self._presence.stored.seats, seat, connection.visitor)
        return self._game.answered(seat, command.command_id)

    def decide(self, received: CommandReceived, command: Play) -> PendingStep | None:
        """Work out a person's move.

        Args:
            received: the command with its connection and time of arrival.
            command: the same command.

        Returns:
            The step to commit; ``None`` if it is a press or has to wait for one, and is answered later.

        Raises:
            Refusal: nothing has changed.
        """
        seat, game = command.seat, self._game
        if self._presence.stored.status != "playing":
            raise Refusal("not_playing", "There is no game going on at this table.")
        if not game.last_step_of.get(seat, 0) <= command.seen <= game.seq:
            raise Refusal("stale", "The table has moved on since; look again.")
        try:
            move = self._read_move(command.move)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Refusal("malformed", f"{game.game.name} has no such move: {error}") from None
        if self._world is not None and self._world.running:
            raise Refusal("illegal", "While this turn runs, hands move in its world.", "world")
        races = None if game.race is None else self._races
        if races is not None and self._press(received, command, move):
            return None
        if races is not None and races.frozen:
            races.hold(received)
            return None
        try:
            seconds = game.seconds_thought(seat, self._clock.moment(received.at))
            step = game.play(seat, move, self._rng, seconds=seconds, command_id=command.command_id)
        except IllegalMove as illegal:
            raise Refusal("illegal", illegal.message, illegal.clause) from None
        return None if races is not None and self.must_wait(received, step) else step

    def decide_for_bot(self, answer: BotMoved) -> PendingStep | None:
        """Work out a bot's move.

        Returns:
            The step to commit, with a random move if the bot's is illegal, or without one if it thought until its
            time was up; ``None`` if there were steps since and the bot has to think again.
        """
        game, seconds = self._game, answer.seconds
        try:
            return game.play(answer.seat, answer.move, self._rng, seconds=seconds)
        except IllegalMove as illegal:
            if answer.seq != game.seq:
                return None
            if illegal.clause == TIME:
                return self.expire()
            table, clause = self._presence.stored.id, illegal.clause
            logger.warning(
                "table %s: the bot in seat %d made an illegal move (%s)", table, answer.seat, clause
            )
        instead = random_legal_move(game, answer.seat)
        return None if instead is None else game.play(answer.seat, instead, self._rng, seconds=seconds)

    def decide_race(self, freeze: Freeze) -> tuple[PendingStep, Receipt]:
        """Decide who was first; return the step of the winner's press, and the receipt of the decision."""
        receipt = freeze.rule(self._game.seq + 1)
        seconds = self._game.seconds_thought(
            receipt.seat, self._clock.moment(freeze.pressed_at(receipt.seat))
        )
        deadline = self._game.deadline
        if deadline is not None and deadline.times(receipt.seat):
            seconds = min(seconds, deadline.seconds)  # an overdue press was refused when it arrived
        step = self._game.play(
            receipt.seat,
            freeze.race.move,
            self._rng,
            seconds=seconds,
            command_id=freeze.command_of(receipt.seat),
            receipt=receipt,
        )
        return step, receipt

    def expire(self) -> PendingStep:
        """Return the step that follows when the present deadline passes.

        Raises:
            NothingAwaited: there is none.
        """
        return self._game.expire(self._rng)

    def must_wait(self, arrival: RaceMail, step: PendingStep) -> bool:
        """Whether ``step`` would end a race in which a press may come; ``arrival`` is then handled later."""
        game = self._game
        return self._races.must_wait(game.game, game.race, step.seat, step.state, arrival)

    def is_press(self, seat: Seat, move: Move) -> bool:
        """Whether ``move`` by ``seat`` is the one there is a race for now."""
        return self._races.is_press(self._game.race, seat, move)

    def press_of_bot(self, answer: BotMoved) -> bool:
        """Add a bot's press to the present race; ``False`` if it was meant for an earlier one."""
        race = self._game.race
        if race is None or answer.seq < self._game.race_since:
            return False
        self._races.press(race, answer.seat, answer.at)
        return True

    def _press(self, received: CommandReceived, command: Play, move: Move) -> bool:
        """Add a person's press, if their move is one; it is answered when the race is decided."""
        race = self._game.race
        if race is None or not self._races.is_press(race, command.seat, move):
            return False
        if command.seen < self._game.race_since:
            raise Refusal("stale", "The table has moved on since; look again.")
        game, seat = self._game, command.seat
        seconds = game.seconds_thought(seat, self._clock.moment(received.at))
        if game.driver.overdue(game.state, seat, seconds):
            raise Refusal("illegal", "That press comes too late: the time for it is up.", TIME)
        freeze = self._races.press(race, seat, received.at)
        freeze.pressed.append((received.connection, command))
        return True
