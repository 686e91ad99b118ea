"""Computer players: generic ones for any game, the levels of each game, and the worker processes they run in."""
