"""Kabuki: a memory game with an interruption. 2 to 6 players."""
