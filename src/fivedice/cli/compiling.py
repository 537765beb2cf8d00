"""Compiles kernels in a second process while this one compiles the solver, so that a new user waits half as long.

Numba compiles under a lock, so threads would not help. The kernels of the second process arrive through Numba's cache.
"""

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

import numpy as np

from fivedice.rulesets import parse_ruleset
from fivedice.solver.kernels.jit import COMPILES, is_compiled
from fivedice.solver.kernels.layers import solve_cards
from fivedice.solver.kernels.policy_transitions import Transitions, list_transitions
from fivedice.solver.kernels.row_sums import (
    find_ranges,
    spread_chances,
    sum_components,
    sum_distributions,
    sum_moments,
)
from fivedice.solver.play.policy_transitions import list_policy
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import States

TINY = parse_ruleset('id = "tiny"\ndice = 1\nfaces = 2\n[categories]\nany = { scorer = "any_dice" }\n')
"""The smallest game: it compiles the kernels for all games."""


BLAS = "scipy.linalg.cython_blas"


def without_blas() -> None:
    """Let Numba find no SciPy where it looks for linear algebra, as it does before the first kernel.

    No kernel needs linear algebra, and importing SciPy takes a third of a second. This is for processes of our own
    only, since kernels of others could need it.
    """
    if not COMPILES or BLAS in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    sys.modules[BLAS] = None  # type: ignore[assignment]  # its import fails
    try:
        import_module("numba.np.arraymath")
    finally:
        del sys.modules[BLAS]


@contextmanager
def without_collection() -> Iterator[None]:
    """Do not look for garbage while compiling: there are ever more objects, and hardly any of them in cycles to free.

    It took a twelfth of the time of compiling; without it, 45 MB more are in memory.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def compiling_beside(parts: Sequence[str]) -> Iterator[Callable[[], None]]:
    """Compile what these artefacts need beside the solver in a second process, if the solver must be compiled as well.

    Gives a function that waits for the process, which ends with the block at the latest. It takes about as long as the
    solver and the kernels of advice.
    """
    if is_compiled(solve_cards) or is_compiled(list_transitions) or not parts or not sys.executable:
        yield lambda: None
        return
    process = subprocess.Popen(  # noqa: S603  # the names of artefacts
        [sys.executable, "-m", "fivedice.cli.compiling", *parts],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def wait() -> None:
        process.wait()  # after a failure the kernels are compiled when they are called

    try:
        yield wait
    finally:
        process.kill()
        process.wait()


def compile_sums(parts: Sequence[str]) -> None:
    """Compile the kernels that add up these artefacts, with sums over no transition at all."""
    none = Transitions(
        rows=np.zeros(0, dtype=np.int64),
        begin=np.zeros(1, dtype=np.int64),
        after=np.zeros(0, dtype=np.int32),
        points=np.zeros(0, dtype=np.int32),
        box=np.zeros(0, dtype=np.int16),
        chance=np.zeros(0),
    )
    numbers, places = np.zeros(1), np.zeros(1, dtype=np.int64)
    if "breakdown" in parts:
        sum_components(none, numbers, numbers, numbers, 1, np.zeros((1, 3)))
    if "moments" in parts:
        sum_moments(none, numbers, np.zeros((1, 3)))
    if "perfect_scores" in parts or "moments" in parts:
        ranges = np.zeros((1, 2), dtype=np.int64)
        spread_chances(none, numbers, numbers, numbers, numbers)
        find_ranges(none, places, numbers, ranges)
        sum_distributions(none, places, numbers, ranges, places, numbers, numbers)


def compile_listing() -> None:
    """Compile the kernels that list optimal play, without those of the solver: the values of the game are all zero."""
    without_blas()
    states = States(TINY)
    list_policy(Solution(states, np.zeros(states.num_entries), 0, 0.0))


if __name__ == "__main__":
    with without_collection():
        compile_listing()
        compile_sums(sys.argv[1:])
