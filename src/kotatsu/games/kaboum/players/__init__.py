"""Bots that play a turn by the same inputs as people: ``Builder`` and ``Saboteur``."""
