"""Kaboum: one builds towers against the hourglass, the others catapult dice at them. 2 to 5 players, in real time."""
