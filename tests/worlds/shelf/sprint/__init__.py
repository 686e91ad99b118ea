"""A toy that is run in a world of its own."""
