"""Draws: who plays whom in a round, as a function of the rounds before it and of a published seed."""
