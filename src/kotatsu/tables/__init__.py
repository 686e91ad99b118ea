"""Live tables, each with a queue, timers, bots, chat and connections; and the table manager."""
