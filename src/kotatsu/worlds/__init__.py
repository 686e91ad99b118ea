"""Games played in real time: the worker processes their physics runs in, and the browsers that watch."""
