"""The game engine: score cards, positions, actions, notation and records; uses the standard library only."""
