"""A game whose bots go wrong in every way a bot can."""
