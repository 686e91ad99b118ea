"""Live tables: a queue of commands, timers, bots, chat and connected browsers for each, and the table manager."""
