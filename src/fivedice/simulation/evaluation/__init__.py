"""How well an agent plays: its score and its exact loss, beside the optimum of the rules."""
