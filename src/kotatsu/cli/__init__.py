"""The command line ``kotatsu``: ``main`` has the commands, the longer ones have a module each."""
