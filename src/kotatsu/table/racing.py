"""Moments at which it matters who is first: presses stop the table, and what would end a race waits for them."""

from __future__ import annotations

import asyncio

from kotatsu.engine.contract import Move, Seat
from kotatsu.table.arbiter import allowance_ms
from kotatsu.table.audience import Audience
from kotatsu.table.clock import Clock
from kotatsu.table.freeze import Freeze
from kotatsu.table.letters import InRace, Letter, RulingIsDue
from kotatsu.table.mailbox import Mailbox
from kotatsu.table.progress import Prepared, Progress


class Racing:
    """The races of one table. ``frozen`` is the press, or presses, it stands still for until they are ruled on."""

    __slots__ = (
        "_audience",
        "_clock",
        "_delayed",
        "_held",
        "_loop",
        "_mailbox",
        "_now",
        "_opened",
        "frozen",
    )

    def __init__(self, audience: Audience, clock: Clock, mailbox: Mailbox) -> None:
        self._loop = asyncio.get_running_loop()
        self._now = self._loop.time  # what presses are timed by
        self._audience = audience
        self._clock = clock
        self._mailbox = mailbox
        self.frozen: Freeze | None = None
        self._held: list[Letter] = []
        self._delayed = 0
        self._opened = 0, 0.0

    @property
    def busy(self) -> bool:
        """Whether a ruling, or something that waits for a press, is under way."""
        return bool(self.frozen or self._delayed)

    def look(self, progress: Progress) -> None:
        """Note when a race opened."""
        if progress.race_since != self._opened[0]:
            self._opened = progress.race_since, self._now()

    def is_press(self, progress: Progress, seat: Seat, move: Move) -> bool:
        """Whether a move is the one there is a race for."""
        race = progress.race
        return race is not None and move == race.move and seat in race.seats

    def press(self, progress: Progress, seat: Seat, arrived_at: float) -> Freeze:
        """Somebody pressed: the table stands still until it is ruled who was first."""
        if self.frozen is None:
            race, now = progress.race, self._now()
            assert race is not None
            round_trips = {seat: self._audience.round_trip(seat, now) for seat in race.seats}
            self._clock.pause()
            put = self._mailbox.put
            self.frozen = Freeze(race, self._opened[1], round_trips, lambda due: put(RulingIsDue(due)))
        self.frozen.press(seat, arrived_at)
        return self.frozen

    def hold(self, letter: Letter) -> None:
        """What comes while the table stands still is looked at afterwards."""
        self._held.append(letter)

    def waits(self, progress: Progress, letter: InRace, step: Prepared) -> bool:
        """Whether a step would end a race while a press made before it may be under way; then it comes again."""
        race = progress.race
        if race is None or not step.states:
            return False
        then, now = progress.game.race(step.states[-1]), self._now()
        if then is not None and then.token == race.token:
            return False
        rivals = [seat for seat in race.seats if seat != step.seat]
        lag = max((allowance_ms(self._audience.round_trip(seat, now)) for seat in rivals), default=0)
        until = letter.at + lag / 1000
        if until <= now:
            return False
        self._delayed += 1
        self._loop.call_at(until, self._post_again, letter)
        return True

    def lift(self) -> Freeze | None:
        """The table moves again, first of all with what was held; what it stood still for."""
        freeze, self.frozen = self.frozen, None
        held, self._held = self._held, []
        self._mailbox.put_back(held)
        if freeze is not None:
            freeze.lift()
        return freeze

    def _post_again(self, letter: Letter) -> None:
        self._delayed -= 1
        self._mailbox.put(letter)
