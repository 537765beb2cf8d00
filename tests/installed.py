"""What a base install can do, and what each command says whose extra is missing."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import distribution, packages_distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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

EXTRA_COMMANDS = {"serve": "serve", "backup backup.txt": "serve", "restore backup.txt": "serve", "grade": "serve"}
"""Commands that need an extra, and its name."""

EXTRA_OPTIONS = {
    "simulate crag --games 10 --out games.parquet": ("research", "Parquet"),
    "simulate crag --games 10 --scheduler tcp://127.0.0.1:1": ("cluster", "--scheduler"),
    "export distribution crag --parquet distribution.parquet": ("research", "fivedice export"),
}
"""Commands with an option that needs an extra, its name, and the words with which their sentence begins."""

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


def base_packages() -> set[str]:
    """The packages that the base brings beside fivedice, as in this environment."""
    found: set[str] = set()
    needed = [Requirement(line) for line in PROJECT["dependencies"]]
    names = [(one.name, "") for one in needed]
    while names:
        name, extra = names.pop()
        for line in distribution(name).requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                wanted = [(requirement.name, one) for one in ("", *requirement.extras)]
                names += [one for one in wanted if one[1] or canonicalize_name(one[0]) not in found]
        found.add(canonicalize_name(name))
    return found


def modules_of(packages: set[str]) -> set[str]:
    """The top-level modules of these packages."""
    return {module for module, names in _owners().items() if packages & {canonicalize_name(name) for name in names}}


@cache
def _owners() -> Mapping[str, list[str]]:
    return packages_distributions()  # takes a second
