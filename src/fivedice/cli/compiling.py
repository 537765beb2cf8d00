"""Compiles kernels in a second process while this one compiles the solver, so that a new user waits half as long.

Numba compiles under a lock, so threads would not help. The kernels of the second process arrive through Numba's cache.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, TypeAlias

import numpy as np

from fivedice.rulesets import parse_ruleset
from fivedice.solver.breakdown import find_breakdown
from fivedice.solver.distribution import distributions
from fivedice.solver.kernels.jit import is_compiled
from fivedice.solver.kernels.layers import solve_cards
from fivedice.solver.kernels.policy_transitions import list_transitions
from fivedice.solver.kernels.row_sums import sum_distributions
from fivedice.solver.policy_transitions import Start, list_policy
from fivedice.solver.solution import Solution
from fivedice.solver.states import States

Part: TypeAlias = Literal["reasons", "luck"]
"""What a report needs beside the solution: reasons for its best actions, and a scale of luck."""

KERNELS = {"reasons": list_transitions, "luck": sum_distributions}

TINY = parse_ruleset('id = "tiny"\ndice = 1\nfaces = 2\n[categories]\nany = { scorer = "any_dice" }\n')
"""The smallest game: it compiles the kernels for all games."""


@contextmanager
def compiling_beside(parts: Sequence[Part]) -> Iterator[Callable[[], None]]:
    """Compile the kernels of these parts in a second process if the solver has to be compiled as well.

    Gives a function that waits for them. The process ends with the block at the latest.
    """
    missing = [part for part in parts if not is_compiled(KERNELS[part])]
    if is_compiled(solve_cards) or not missing or not sys.executable:
        yield lambda: None
        return
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "fivedice.cli.compiling", *missing],
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


def compile_kernels(parts: Sequence[str]) -> None:
    """Compile the kernels of these parts, without those of the solver: the values of the game are all zero."""
    states = States(TINY)
    unsolved = Solution(states, np.zeros(states.num_entries), 0, 0.0)
    transitions = list_policy(unsolved)
    if "reasons" in parts:
        find_breakdown(unsolved, transitions)
    if "luck" in parts:
        distributions(transitions, [Start(state=0, row=-1, rolls_left=TINY.rolls)])


if __name__ == "__main__":
    compile_kernels(sys.argv[1:])
