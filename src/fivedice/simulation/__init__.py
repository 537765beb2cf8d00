"""Simulates thousands of games at once, on arrays, and measures how well policies play."""
