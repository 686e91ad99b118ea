"""The command line, one module for each command that needs more than a few lines."""
