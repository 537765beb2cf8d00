"""`solve`: its progress, its threads and its memory limit."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import numpy as np
import pytest

from fivedice.rulesets import load_ruleset
from fivedice.solver import solve as module
from fivedice.solver.solve import TooLargeError, default_memory_limit, solve, thread_workspace
from fivedice.testing import TINY


def test_progress_ends_with_all_cards_solved() -> None:
    seen: list[tuple[int, int]] = []
    solve(TINY["tiny_plain"], progress=lambda solved, cards: seen.append((solved, cards)))
    assert seen[-1] == (8, 8)
    assert seen == sorted(seen)


def test_the_time_of_a_search_is_without_that_of_loading_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()
    monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    whole = solve(TINY["tiny_plain"])
    monkeypatch.setattr(module, "load_kernels", lambda dice, rules: 1_000.0)
    longer = solve(TINY["tiny_plain"])
    assert (longer.loading, longer.seconds) == (1_000.0, 1 - 1_000.0)
    assert (whole.loading, whole.seconds) == (1.0, 2.0)


def test_the_number_of_threads_does_not_change_a_bit_of_the_table() -> None:
    ruleset = load_ruleset("crag")
    one, many = solve(ruleset, threads=1), solve(ruleset, threads=5)
    assert np.array_equal(one.values, many.values, equal_nan=True)


def test_a_ruleset_too_large_for_the_machine_or_for_a_limit_is_refused_with_the_memory_it_needs() -> None:
    assert 2**28 < default_memory_limit() < 2**50
    with pytest.raises(TooLargeError, match=r"triple_yahtzee .* needs more memory than any computer has; playing it"):
        solve(load_ruleset("triple_yahtzee"))
    with pytest.raises(TooLargeError, match=r"it needs 15\.3 MB of memory, and 1\.05 MB are allowed; playing it"):
        solve(load_ruleset("yahtzee"), memory_limit=2**20)


def test_a_thread_has_a_workspace_of_its_own_which_is_dropped_with_its_solution() -> None:
    solution = solve(TINY["tiny_plain"])
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(thread_workspace, solution).result() is pool.submit(thread_workspace, solution).result()
        assert pool.submit(thread_workspace, solution).result() is not thread_workspace(solution)
    kept = weakref.ref(thread_workspace(solution).x)
    assert kept() is not None
    del solution
    gc.collect()
    assert kept() is None
