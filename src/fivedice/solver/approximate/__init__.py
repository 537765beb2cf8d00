"""Approximate solutions of rules that are too large to solve: the value of a card after a turn, learned."""
