"""Players that are not people: generic ones that know only the contract, levels, and the workers they think in."""
