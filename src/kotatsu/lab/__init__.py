"""Games without people: simulations and what they show."""
