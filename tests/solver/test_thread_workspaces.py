"""The working arrays of kernels are kept for each thread and solution."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

from fivedice.solver.solve import solve, thread_workspace
from fivedice.testing import TINY


def test_a_thread_gets_the_same_workspace_again_and_another_thread_a_different_one() -> None:
    solution = solve(TINY["tiny_plain"])
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(thread_workspace, solution).result() is pool.submit(thread_workspace, solution).result()
        assert pool.submit(thread_workspace, solution).result() is not thread_workspace(solution)


def test_a_workspace_is_dropped_with_its_solution() -> None:
    solution = solve(TINY["tiny_plain"])
    kept = weakref.ref(thread_workspace(solution).x)
    assert kept() is not None
    del solution
    gc.collect()
    assert kept() is None
