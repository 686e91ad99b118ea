"""Tournaments between bots: who meets whom, a log that survives a crash, ratings, and a report."""
