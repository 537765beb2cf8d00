"""Advice on positions and reviews of games, from exact solutions."""
