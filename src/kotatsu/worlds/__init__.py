"""Real-time games: the worker processes their physics runs in, and the browsers that watch."""
