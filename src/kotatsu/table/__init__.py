"""One live game: its mailbox, its seats, its clock, and who may see what. No web, no SQL."""
