"""The players of mass simulations: those that play by a table, on arrays, and those that the engine asks.

A player by a table takes the best action by it, millions of times a second. `greedy`, `par` and `par_and_bonus` are
planners of the reference population: each plays every turn perfectly for a guess of the points to come. All other
players are those of `fivedice.players`, which decide position by position in Python.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from threading import RLock

import numpy as np

from fivedice.errors import IllegalError, UnknownError, shown, suggest
from fivedice.ruleset import Ruleset
from fivedice.simulation.players.planners import guessing
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.risk import BOLD, CAUTIOUS
from fivedice.solver.saved.cache_folder import solutions_folder
from fivedice.solver.saved.saved_table import UnusableSolutionError
from fivedice.solver.saved.store import load_breakdown, load_risk, load_solution
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States

RISKS = {"optimal": None, "bold": BOLD, "cautious": CAUTIOUS}
PLANNERS = ("greedy", "par", "par_and_bonus")
BY_TABLE = (*RISKS, *PLANNERS)
BY_ENGINE = ("random", "rival", "target_300")
"""The last stands for any other target, too."""

REACTING = "rival"
"""The player that looks at the cards of the others."""

_lock = RLock()  # the threads of a worker find each table once


def check_player(kind: str) -> None:
    """Raise `UnknownError` if there is no such player, and `IllegalError` for a person."""
    if kind == "human":
        raise IllegalError("a simulation has no human players")
    if kind not in (*BY_TABLE, *BY_ENGINE) and not re.fullmatch(r"target_\d{1,5}", kind, re.ASCII):
        raise UnknownError(f"there is no player {shown(kind)}: {suggest(kind, (*BY_TABLE, *BY_ENGINE))}")


def is_by_table(kind: str, ruleset: Ruleset) -> bool:
    """Whether a player plays on arrays. Under rules that cannot be solved, `greedy` does not."""
    return kind in BY_TABLE and not (kind == "greedy" and States(ruleset).obstacle)


def table_of(ruleset: Ruleset, kind: str) -> Solution:
    """The table by which a player plays; raises `TooLargeError`."""
    with _lock:
        return _table_of(ruleset, kind)


@lru_cache(maxsize=16)
def _table_of(ruleset: Ruleset, kind: str) -> Solution:
    if kind in PLANNERS:
        solution = _table_of(ruleset, "optimal")
        pars = np.zeros(len(ruleset.boxes)) if kind == "greedy" else _pars(solution)
        return guessing(solution, pars, is_bonus_planned=kind == "par_and_bonus")
    risk, folder = RISKS[kind], solutions_folder()
    try:
        saved = load_solution(ruleset, folder) if risk is None else load_risk(ruleset, risk, folder)
    except UnusableSolutionError:
        saved = None  # a damaged file is not overwritten here; the command warns of it
    return saved or solve(ruleset, risk=risk)


@lru_cache(maxsize=16)
def _pars(solution: Solution) -> np.ndarray:
    """float64[B]: the mean points of each box in optimal play."""
    try:
        breakdown = load_breakdown(solution, solutions_folder())
    except UnusableSolutionError:
        breakdown = None
    return (breakdown or find_breakdown(solution)).at(0)[: len(solution.ruleset.boxes)]


def solver_for(ruleset: Ruleset) -> Callable[..., Solution]:
    """What `make_player` calls for the tables of these rules."""

    def found(*, risk: float | None = None) -> Solution:
        return table_of(ruleset, next(kind for kind, own in RISKS.items() if own == risk))

    return found
