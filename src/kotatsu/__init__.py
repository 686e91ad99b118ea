"""Kotatsu: a games table that is open day and night.

>>> import kotatsu
>>> match = kotatsu.start("kimono", players=2, seed=7)
>>> while match.outcome is None:
...     seat = min(match.acting)
...     _ = match.play(seat, match.moves(seat)[0])
>>> len(match.outcome.scores)
2
"""

from kotatsu.engine.contract import IllegalMove
from kotatsu.engine.driver import NothingAwaited, UnknownSeat
from kotatsu.engine.match import BadTable, Match, replay, start
from kotatsu.engine.record import BadRecord
from kotatsu.engine.registry import UnknownGame, games

__version__ = "0.1.0"
__all__ = [
    "BadRecord",
    "BadTable",
    "IllegalMove",
    "Match",
    "NothingAwaited",
    "UnknownGame",
    "UnknownSeat",
    "games",
    "replay",
    "start",
]
