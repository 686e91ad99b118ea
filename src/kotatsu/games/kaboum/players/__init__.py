"""Bots that play a turn by the same inputs as people: a hand for the builder, an eye for each saboteur."""
