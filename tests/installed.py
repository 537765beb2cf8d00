"""What a base install can do, and how large it is."""

import tomllib

from tests.repository import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

BASE_COMMANDS = {
    "--version": "0.",
    "--help": "review",
    "serve --help": "--database-url",
    "rules": "yahtzee",
    "rules crag": "Odd Straight",
    "rules crag --check": "the rules are valid",
    "legal 'crag - 445 r1'": "keep 44",
    "advise 'crag - 445 r1'": "keep",
    "chances 'crag - 445 r1'": "standard deviation",
    "solve crag": "crag",
    "simulate crag --games 10 --seed 1": "optimal",
    "odds 'crag -/- 445 r1'": "seat 1",
    "play --rules crag --seats greedy,random --seed 1 --record game.txt": "Greedy",
    "play --rules crag --plain --seats human,greedy --record other.txt": "The input ended before the game did.",
    "replay game.txt": "score even_straight = 20",
    "verify game.txt": "the record carries no proof",
    "review game.txt": "luck",
    "stats game.txt": "lost per game",
    "me": "no finished game of a person",
    "learn game.txt": "no human player",
    "quiz --rules crag": "1 of 10",
    "games": "saved games",
}
"""Commands that need no extra, in an order in which they can run, and a part of their output."""

IMPORTS = {
    "research": "import gymnasium, pettingzoo, pyarrow",
    "cluster": "import distributed, pyarrow",
    "plot": "import matplotlib.pyplot",
    "testing": "import fivedice.testing.strategies",
}
"""Extra → what can be imported with it."""

MAX_BASE_PACKAGES = 19
MAX_BASE_MEBIBYTES = 85
"""Limits of the base: packages with fivedice itself, and their size without bytecode."""
