"""Kimono: ordered hands, layered combinations. 2 to 4 players."""
