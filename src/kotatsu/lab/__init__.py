"""Research tools: simulations, tournaments, and environments for PettingZoo, Gymnasium and OpenSpiel."""
