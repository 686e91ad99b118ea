"""For all tests: none fails because a machine is slow."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.register_profile("mutants", deadline=None, max_examples=20, derandomize=True, database=None)
settings.load_profile("unhurried")
