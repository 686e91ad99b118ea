"""Who sits where, who is present, and who may change it."""
