"""Holds every import of the house against ``doors.toml``, which says what each package may import.

``python -m tests.tools.doors`` prints what is wrong and fails if anything is.
"""
