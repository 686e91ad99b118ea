"""The odds: for any position, how likely each digit is under each stone.

``odds(visible)`` is exact when few grids fit, and sampled, with a standard error for each figure, when many
do.
"""

from kotatsu.games.kakuzu.odds.posterior import NoGridFits, Odds, odds

__all__ = ["NoGridFits", "Odds", "odds"]
