"""Computer players: generic ones for any game, the levels of each game, and their worker processes."""
