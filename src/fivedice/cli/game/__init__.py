"""A game at one terminal, as lines of text."""
