"""A kit for testing rulesets and players: Hypothesis strategies, playthroughs, tiny rulesets and `check_ruleset`.

The strategies need Hypothesis: `pip install fivedice[testing]`. They are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fivedice.testing.conformance import Playthrough, check_ruleset, playthrough, random_step
from fivedice.testing.tiny import TINY, TINY_TURNS

if TYPE_CHECKING:
    from fivedice.testing.strategies import games, positions, rulesets

__all__ = [
    "TINY",
    "TINY_TURNS",
    "Playthrough",
    "check_ruleset",
    "games",
    "playthrough",
    "positions",
    "random_step",
    "rulesets",
]


def __getattr__(name: str) -> Any:
    if name not in ("games", "positions", "rulesets"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("fivedice.testing.strategies"), name)
