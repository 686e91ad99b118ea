"""Moves that count for the first who makes them: who pressed first, decided by the server's own clock."""
