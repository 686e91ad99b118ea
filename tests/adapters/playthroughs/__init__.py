"""Games as OpenSpiel sees them, line by line. ``python -m tests.adapters.playthroughs`` writes them anew."""
