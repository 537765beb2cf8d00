"""The game in the terminal: score cards on the left, dice and messages on the right."""
