"""`solve`: progress, threads and memory limit, and published figures, each under its own rules."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import numpy as np
import pytest

from fivedice.rulesets import load_ruleset
from fivedice.solver import solve as module
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.solve import TooLargeError, default_memory_limit, solve, thread_workspace
from fivedice.solver.tables.states import TurnState
from fivedice.testing import TINY, TINY_TURNS
from tests.solutions import solution_of


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


def test_what_is_too_large_for_the_machine_for_a_limit_or_for_kernels_is_refused_in_one_sentence() -> None:
    assert 2**28 < default_memory_limit() < 2**50
    with pytest.raises(TooLargeError, match=r"triple_yahtzee .* needs more memory than any computer has; playing it"):
        solve(load_ruleset("triple_yahtzee"))
    with pytest.raises(TooLargeError, match="combines lines with saved rolls, which"):
        solve(load_ruleset("yamb[saved_rolls=true]"))
    with pytest.raises(TooLargeError, match="tiny_line has lines: it has no more than values"):
        find_breakdown(solve(TINY_TURNS["tiny_line"]))
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


EXPECTED_SCORES = {
    "yahtzee_plain": 245.870774514,  # Glenn 2006
    "yahtzee_plain[five_as_house=true]": 245.904728371,  # Holderied
    "yahtzee_no_joker": 253.970241190,  # yatzy-solver
    "yahtzee": 254.587728734,  # jdh8/yahtzee-engine, ysolver
    "yahtzee_free": 254.589609482,  # Verhoeff & Scheffers 1999
    "yatzy": 248.439989378,  # yatzy-solver, dlangk/yatzy
    "yatzy[five_as_house=true]": 248.468090917,  # yatzy-solver 1.0.0, as the next five
    "yatzy[four_as_two_pairs=true]": 248.644058944,
    "yatzy[five_as_house=true,four_as_two_pairs=true]": 248.674882688,
    "yatzy[order=down]": 122.558527396,
    "yatzy[order=down,five_as_house=true]": 122.606353506,
    "yatzy[order=down,four_as_two_pairs=true]": 123.194578108,
    "yacht_dice": 191.774369188,  # ho94949/yacht-dice
}


@pytest.mark.parametrize("ref", EXPECTED_SCORES)
def test_the_expected_score_is_the_published_one(ref: str) -> None:
    assert solution_of(ref).expected_score == pytest.approx(EXPECTED_SCORES[ref], abs=1e-8)


@pytest.mark.parametrize(("ref", "count"), [("yahtzee", 536_448), ("yatzy", 1_430_528)])
def test_the_number_of_reachable_turn_states_is_the_published_one(ref: str, count: int) -> None:
    assert solution_of(ref).num_turn_states == count
    assert solution_of(ref).indices().size == count


def test_2794_pairs_of_filled_upper_boxes_and_total_can_be_reached() -> None:
    found = solution_of("yahtzee_plain")
    rows, totals = np.divmod(found.indices(), found.states.stride)
    upper_boxes = rows // found.states.num_planes % 2**6  # a binary digit for each, in the lowest places
    assert len(set(zip(upper_boxes.tolist(), totals.tolist(), strict=True))) == 2_794


def test_unreachable_entries_are_nan() -> None:
    found = solution_of("yahtzee")
    assert np.isnan(found.values[found.states.index(TurnState(totals=(1,)))])
    with pytest.raises(ValueError, match="cannot arise in a game of yahtzee"):
        found.value(TurnState(totals=(1,)))
