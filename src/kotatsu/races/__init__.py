"""Moves that count for the first who makes them: who pressed first, ruled by the server's own clock."""
