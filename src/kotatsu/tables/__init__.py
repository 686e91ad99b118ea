"""Live tables: each with its mailbox, its timers, its bots and those who are told what happens at it."""
