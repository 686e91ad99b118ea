"""Whisper: everyone at once writes a secret number, three times. For 2 to 4 players."""
