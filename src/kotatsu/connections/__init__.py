"""A browser's connection to a table: its outgoing queue, its measured round trip, and batched sending."""
