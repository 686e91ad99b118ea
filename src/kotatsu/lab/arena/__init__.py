"""Tournaments between bots: pairings, a log that survives a crash, ratings, and a report."""
