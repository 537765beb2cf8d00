"""Matches of two seats: the odds of one policy against another, and the gain of playing the last turn to win."""

from fivedice.simulation.matches.match_odds import Interval, Odds, ceiling, interval, match_odds

__all__ = ["Interval", "Odds", "ceiling", "interval", "match_odds"]
