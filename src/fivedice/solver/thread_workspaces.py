"""`per_thread`: keeps the working arrays of kernels, since making them takes as long as one position does."""

from collections.abc import Callable
from threading import local
from typing import TypeVar
from weakref import WeakKeyDictionary

from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import DiceTables
from fivedice.solver.tables.rule_tables import RuleTables

W = TypeVar("W")


def per_thread(make: Callable[[DiceTables, RuleTables], W]) -> Callable[[Solution], W]:
    """A function that gives the workspace of the calling thread for a solution, made when first asked for.

    A workspace lives as long as its solution and its thread. A kernel may leave anything in it.
    """
    of_thread = local()

    def workspace(solution: Solution) -> W:
        if not hasattr(of_thread, "found"):
            of_thread.found = WeakKeyDictionary()
        found: WeakKeyDictionary[Solution, W] = of_thread.found
        if solution not in found:
            found[solution] = make(solution.dice, solution.rules)
        return found[solution]

    return workspace
