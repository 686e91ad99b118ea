"""The messages between a browser and a table, and the error for a refused command. Data only."""
