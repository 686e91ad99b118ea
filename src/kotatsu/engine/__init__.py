"""The interface of a game, and what is built on it alone: registry, driver, records, matches, conformance checks.

Nothing here knows a particular game, the web, a database or a clock.
"""
