"""Telling every connection of one table what it may know, encoded once for all that are told the same."""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.protocol.messages import PeopleChanged, Welcome
from kotatsu.seats.presence import Presence
from kotatsu.tables.snapshot import RedactedStep, TableSnapshot

REMEMBERED_STEPS = 64
"""How large a gap is filled step by step."""

_encode = msgspec.json.Encoder().encode


class Broadcaster:
    """Sends the table's messages to those who are present.

    Args:
        presence: who is connected, and which seats they hold.
        forgetful: the game's mark: what was told is not told again, so gaps are never filled with past steps.
    """

    __slots__ = ("_presence", "_recent", "snapshot")

    def __init__(self, presence: Presence, *, forgetful: bool = False) -> None:
        self._presence = presence
        self._recent: deque[RedactedStep] = deque(maxlen=0 if forgetful else REMEMBERED_STEPS)
        self.snapshot: TableSnapshot | None = None

    def forget_steps(self) -> None:
        """The log was read anew; gaps before this moment are not filled."""
        self._recent.clear()

    def welcome_all(self) -> None:
        """Tell everyone where the table stands."""
        self.welcome(*self._presence.connections)

    def welcome(self, *connections: TableConnection) -> None:
        """Tell some where the table stands."""
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
        """Tell everyone, ``but`` excepted, who is here and who sits where."""
        presence = self._presence
        info = presence.info()
        for connection in presence.connections:
            if connection is not but:
                people = PeopleChanged(info, connection.held, presence.hosts(connection.visitor))
                connection.send(_encode(people))

    def step(self, snapshot: TableSnapshot, step: RedactedStep) -> None:
        """Tell everyone what has just happened."""
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
        """Fill the gap after step ``have`` step by step if it is small, else with a welcome."""
        missing = [step for step in self._recent if step.seq > have]
        if self.snapshot is None or not missing or missing[0].seq != have + 1:
            self.welcome(connection)
            return
        viewpoint, held = connection.viewpoint, connection.held
        for step in missing[:-1]:
            connection.send(step.past_step(viewpoint))
        connection.send(self.snapshot.step(missing[-1], viewpoint, held, connection.views))
