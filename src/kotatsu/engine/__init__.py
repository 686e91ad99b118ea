"""The contract a game fulfils, and what follows from it alone: registry, records, matches, conformance.

Nothing here knows a particular game, a web, a database or a clock.
"""
