"""What becomes of a move that somebody makes at a table: a step, a refusal, or a press in a race.

Nothing happens here: a step that comes out is for the table to commit, then broadcast.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from random import Random

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import AnyGame, IllegalMove, Move, Seat
from kotatsu.protocol.messages import Play, Receipt
from kotatsu.protocol.refusal import Refusal
from kotatsu.races.freeze import Freeze
from kotatsu.races.tracker import RaceTracker
from kotatsu.seats import assignment
from kotatsu.seats.presence import Presence
from kotatsu.tables.bot_runner import any_move
from kotatsu.tables.mail import BotMoved, CommandReceived, RaceMail
from kotatsu.tables.table_game import PendingStep, TableGame
from kotatsu.tables.timers import ThinkingTime
from kotatsu.worlds.table_world import TableWorld

logger = logging.getLogger(__name__)


@cache
def _move_decoder(game: AnyGame) -> Callable[[msgspec.Raw], Move]:
    """Reads the moves of a game as they come over the wire, at all its tables."""
    return msgspec.json.Decoder(game.move_type).decode


class MoveIntake:
    """Turns the moves of people and bots into steps that could happen.

    Args:
        game: the table's game so far.
        presence: who holds which seat.
        races: where it may matter who is first.
        thinking_time: how long each seat has been thinking.
        world: the table's real-time world, if its game has one.
        rng: where chance is drawn from.
    """

    __slots__ = ("_game", "_presence", "_races", "_read_move", "_rng", "_thinking_time", "_world")

    def __init__(
        self,
        game: TableGame,
        presence: Presence,
        races: RaceTracker[RaceMail],
        thinking_time: ThinkingTime,
        world: TableWorld | None,
        rng: Random,
    ) -> None:
        self._game = game
        self._presence = presence
        self._races = races
        self._thinking_time = thinking_time
        self._world = world
        self._rng = rng
        self._read_move = _move_decoder(game.game)

    def made_before(self, connection: TableConnection, command: Play) -> int | None:
        """The step a move led to when it was sent for the first time; ``None`` if this is the first time.

        Raises:
            Refusal: the seat is not theirs.
        """
        seat = command.seat
        if seat not in connection.held:
            if connection.spectator_only:
                raise Refusal("not_your_seat", "Whoever looks on does not play.")
            assignment.check_holds(self._presence.stored.seats, seat, connection.visitor)
        return self._game.answered(seat, command.command_id)

    def decide(self, received: CommandReceived, command: Play) -> PendingStep | None:
        """What a person's move brings about. ``None``: it has to wait, and is answered later.

        Raises:
            Refusal: and nothing has changed.
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
            seconds = self._thinking_time.seconds(seat)
            step = game.play(seat, move, self._rng, seconds=seconds, command_id=command.command_id)
        except IllegalMove as illegal:
            raise Refusal("illegal", illegal.message, illegal.clause) from None
        return None if races is not None and self.must_wait(received, step) else step

    def decide_for_bot(self, answer: BotMoved) -> PendingStep | None:
        """What a bot's move brings about; ``None`` if the table has moved on and the bot has to think again."""
        game, seconds = self._game, self._thinking_time.seconds(answer.seat)
        try:
            return game.play(answer.seat, answer.move, self._rng, seconds=seconds)
        except IllegalMove as illegal:
            if answer.seq != game.seq:
                return None
            table, clause = self._presence.stored.id, illegal.clause
            logger.warning("table %s: the bot of seat %d moved against %s", table, answer.seat, clause)
        instead = any_move(game, answer.seat)
        return None if instead is None else game.play(answer.seat, instead, self._rng, seconds=seconds)

    def decide_race(self, freeze: Freeze) -> tuple[PendingStep, Receipt]:
        """What the winner's press brings about, and the ruling that says who won."""
        receipt = freeze.rule(self._game.seq + 1)
        step = self._game.play(
            receipt.seat,
            freeze.race.move,
            self._rng,
            seconds=self._thinking_time.seconds(receipt.seat),
            command_id=freeze.command_of(receipt.seat),
            receipt=receipt,
        )
        return step, receipt

    def expire(self) -> PendingStep:
        """What follows when the deadline passes."""
        return self._game.expire(self._rng)

    def must_wait(self, arrival: RaceMail, step: PendingStep) -> bool:
        """Whether a step would end a race that somebody may have pressed in; then it comes again."""
        game = self._game
        return self._races.must_wait(game.game, game.race, step.seat, step.state, arrival)

    def is_press(self, seat: Seat, move: Move) -> bool:
        """Whether a move is the one there is a race for now."""
        return self._races.is_press(self._game.race, seat, move)

    def press_of_bot(self, answer: BotMoved) -> bool:
        """A bot presses; ``False`` if it thought of an earlier race."""
        race = self._game.race
        if race is None or answer.seq < self._game.race_since:
            return False
        self._races.press(race, answer.seat, answer.at)
        return True

    def _press(self, received: CommandReceived, command: Play, move: Move) -> bool:
        """Whether a person's move is a press; it is answered when it is ruled on."""
        race = self._game.race
        if race is None or not self._races.is_press(race, command.seat, move):
            return False
        if command.seen < self._game.race_since:
            raise Refusal("stale", "The table has moved on since; look again.")
        freeze = self._races.press(race, command.seat, received.at)
        freeze.pressed.append((received.connection, command))
        return True
