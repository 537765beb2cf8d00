"""The players: what decides at a seat."""

from fivedice.players.available import Available, available
from fivedice.players.greedy import Greedy, greedy_work
from fivedice.players.kinds import (
    KINDS,
    Human,
    Optimal,
    Player,
    Random,
    Rival,
    Solve,
    Target,
    kind_name,
    known_kind,
    make_player,
    needs_solution,
    no_human,
)
from fivedice.players.levels import LEVELS, Level

__all__ = [
    "KINDS",
    "LEVELS",
    "Available",
    "Greedy",
    "Human",
    "Level",
    "Optimal",
    "Player",
    "Random",
    "Rival",
    "Solve",
    "Target",
    "available",
    "greedy_work",
    "kind_name",
    "known_kind",
    "make_player",
    "needs_solution",
    "no_human",
]
