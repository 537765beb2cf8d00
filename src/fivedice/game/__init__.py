"""The readable engine: score cards, positions, actions, their notation and whole games; standard library only."""
