"""Chances to win, and play for a target or to win."""
