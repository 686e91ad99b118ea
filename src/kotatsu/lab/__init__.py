"""Research tools: simulations, tournaments of bots, and environments for PettingZoo, Gymnasium and OpenSpiel."""
