"""Advice on a stream of positions: one line of JSON for each line of notation."""
