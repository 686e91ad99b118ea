"""The messages between a browser and a table, and why a command is refused. Data only."""
