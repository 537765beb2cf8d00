"""A kit for testing rulesets and players: Hypothesis strategies, playthroughs, tiny rulesets and `check_ruleset`.

It needs Hypothesis: `pip install fivedice[testing]`.
"""

from fivedice.testing.conformance import check_ruleset
from fivedice.testing.playthrough import Playthrough, playthrough, random_step
from fivedice.testing.strategies import games, positions, rulesets
from fivedice.testing.tiny import TINY

__all__ = [
    "TINY",
    "Playthrough",
    "check_ruleset",
    "games",
    "playthrough",
    "positions",
    "random_step",
    "rulesets",
]
