"""Sending every connection of one table what it may know, encoded once for all that get the same message."""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.protocol.messages import PeopleChanged, Welcome
from kotatsu.seats.presence import Presence
from kotatsu.tables.snapshot import RedactedStep, TableSnapshot

CATCH_UP_STEPS = 64
"""The longest gap that is filled with the missing steps instead of a ``welcome``. Chosen by hand: some
minutes of play, as when a phone was locked for a moment."""

_encode = msgspec.json.Encoder().encode


class Broadcaster:
    """Sends the table's messages to its connections; none of its methods waits.

    ``snapshot`` is the present state as it is sent, set by the table; ``None`` before the game begins.

    Args:
        presence: who is connected, and which seats they hold.
        forgetful: as the game declares it: past facts are not sent again, so gaps are never filled with
            steps.
    """

    __slots__ = ("_presence", "_recent", "snapshot")

    def __init__(self, presence: Presence, *, forgetful: bool = False) -> None:
        self._presence = presence
        self._recent: deque[RedactedStep] = deque(maxlen=0 if forgetful else CATCH_UP_STEPS)
        self.snapshot: TableSnapshot | None = None

    def forget_steps(self) -> None:
        """Drop the recent steps, as the log was read again: earlier gaps are answered by a ``welcome``."""
        self._recent.clear()

    def welcome_all(self) -> None:
        """Send a ``welcome`` with the present situation to everyone."""
        self.welcome(*self._presence.connections)

    def welcome(self, *connections: TableConnection) -> None:
        """Send a ``welcome`` with the present situation to some ``connections``."""
        snapshot, presence = self.snapshot, self._presence
        info = presence.info()
        for connection in connections:
            viewpoint, held = connection.viewpoint, connection.held
            welcome = Welcome(
                table=info,
                yours=held,
                host=presence.hosts(connection.visitor),
                seq=0 if snapshot is None else snapshot.seq,
                view=None if snapshot is None else snapshot.view(viewpoint),
                waiting=None if snapshot is None else snapshot.waiting(held),
                receipt=None if snapshot is None else snapshot.receipt,
            )
            connection.send(_encode(welcome))

    def people(self, *, but: TableConnection | None = None) -> None:
        """Send everyone except ``but`` who is connected and who sits where."""
        presence = self._presence
        info = presence.info()
        for connection in presence.connections:
            if connection is not but:
                people = PeopleChanged(info, connection.held, presence.hosts(connection.visitor))
                connection.send(_encode(people))

    def step(self, snapshot: TableSnapshot, step: RedactedStep) -> None:
        """Send everyone the ``step`` that has just happened, with what follows from it in ``snapshot``."""
        self._recent.append(step)
        acting = snapshot.acting
        encoded: dict[Any, bytes] = {}
        for connection in self._presence.connections:
            viewpoint, held = connection.viewpoint, connection.held
            moving = tuple([seat for seat in held if seat in acting])
            same = (step.facts(viewpoint), moving, viewpoint if connection.views else -1)
            message = encoded.get(same)
            if message is None:
                message = encoded[same] = snapshot.step(step, viewpoint, moving, connection.views)
            connection.send(message)

    def catch_up(self, connection: TableConnection, have: int) -> None:
        """Send a ``connection`` all steps after number ``have``, or a ``welcome`` if there are too many."""
        missing = [step for step in self._recent if step.seq > have]
        if self.snapshot is None or not missing or missing[0].seq != have + 1:
            self.welcome(connection)
            return
        viewpoint, held = connection.viewpoint, connection.held
        for step in missing[:-1]:
            connection.send(step.past_step(viewpoint))
        connection.send(self.snapshot.step(missing[-1], viewpoint, held, connection.views))
