"""One browser's connection to a table: its outbox, its measured round trip, and sending in batches."""
