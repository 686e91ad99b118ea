"""The interface of a game, and what is built on it: registry, driver, records, conformance checks.

Nothing here knows a particular game, the web, a database or a clock.
"""
