"""What is kept about visitors: device codes, past games, blocks and ratings."""
