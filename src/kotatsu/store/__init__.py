"""Durable storage: every table's log, the seats, and what is kept about visitors."""
