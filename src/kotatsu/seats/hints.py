"""At which tables a coach gives hints. The server decides; browsers are told with the table."""

from __future__ import annotations

from kotatsu.engine.coach import coach
from kotatsu.engine.match import read_options
from kotatsu.engine.registry import game
from kotatsu.seats.rated import is_rated
from kotatsu.store.contract import StoredTable


def gives_hints(table: StoredTable) -> bool:
    """Whether the coach of a ``table`` gives hints now; ``False`` if its game has none.

    While a game lasts, it is silent where the game's options ask for it (a clock, a competition), and where the
    game counts for the ratings: advice would make them worth nothing.
    """
    adviser = coach(table.game)
    if adviser is None:
        return False
    if table.status == "over":
        return True
    return not is_rated(table) and adviser.advises(read_options(game(table.game), table.options))
