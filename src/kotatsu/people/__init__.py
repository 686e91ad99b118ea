"""What is remembered of visitors: device codes, past games, blocks and ratings."""
