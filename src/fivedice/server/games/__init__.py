"""Computations over many games: the games of a holder, lessons and dice counts."""
