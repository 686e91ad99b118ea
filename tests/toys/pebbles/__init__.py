"""Pebbles: a bowl, and whoever takes the last pebble wins. 2 to 4 players."""
