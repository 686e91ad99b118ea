"""The command line ``kotatsu``: ``main`` has the commands, and those that need more than a few lines have a module."""
