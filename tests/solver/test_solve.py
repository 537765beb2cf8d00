"""How `solve` behaves: its progress, its threads, and what it refuses."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core import config
from numba.core.caching import IndexDataCacheFile

from fivedice.rulesets import load_ruleset
from fivedice.simulate.solo_games import Policy, play_games
from fivedice.solver.kernels.jit import compiled
from fivedice.solver.solve import TooLargeError, default_memory_limit, solve
from fivedice.testing import TINY


def test_progress_ends_with_all_cards_solved() -> None:
    seen: list[tuple[int, int]] = []
    solve(TINY["tiny_plain"], progress=lambda solved, cards: seen.append((solved, cards)))
    assert seen[-1] == (8, 8)
    assert seen == sorted(seen)


def test_any_number_of_threads_gives_the_same_table_to_the_last_bit() -> None:
    ruleset = load_ruleset("crag")
    one, many = solve(ruleset, threads=1), solve(ruleset, threads=5)
    assert np.array_equal(one.values, many.values, equal_nan=True)


@pytest.mark.parametrize("ref", ["triple_yahtzee", "maxi_yatzy[saved_rolls=true]"])
def test_a_ruleset_too_large_is_refused_with_its_turn_states_and_the_memory_it_would_need(ref: str) -> None:
    with pytest.raises(TooLargeError, match=rf"{ref.split('[')[0]}.* [\d,]+ turn states need [\d,.]+ GiB of memory"):
        solve(load_ruleset(ref), memory_limit=4 * 2**30)


def test_by_default_the_machines_own_memory_is_the_limit() -> None:
    assert 2**28 < default_memory_limit() < 2**50
    with pytest.raises(TooLargeError, match=r"3,925,868,544\.0 GiB of memory, and [\d,.]+ GiB are allowed"):
        solve(load_ruleset("triple_yahtzee"))


def test_the_memory_allowed_can_be_set() -> None:
    with pytest.raises(TooLargeError, match=r"up to 1,048,576 turn states need 14\.6 MiB of memory, and 1\.0 MiB"):
        solve(load_ruleset("yahtzee"), memory_limit=2**20)


@pytest.mark.parametrize(
    "ref",
    [
        "kismet",
        "generala[first_roll_generala=wins]",
        "crag",
        "yacht",
        "yatzy_american[rounds=13]",
        "yatzy[order=down]",
        "yahtzee[rolls=1]",
        "yahtzee[saved_rolls=true,order=down]",
        "triple_yahtzee[order=down,upper_bonus=35@5]",
    ],
)
def test_games_of_unusual_rulesets_come_to_what_their_solution_expects(ref: str) -> None:
    solution = solve(load_ruleset(ref))
    scores = play_games(solution, Policy("optimal", solution), 2_000, np.random.default_rng(4)).scores
    assert abs(scores.mean() - solution.expected_score) < 4 * scores.std() / scores.size**0.5


def test_kernels_need_no_folder_to_write_to() -> None:
    environment = os.environ | {"NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator", "NUMBA_CACHE_DIR": ""}
    code = "from fivedice.solver.kernels.layers import solve_cards as k; assert type(k._cache).__name__ == 'NullCache'"
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)  # noqa: S603


def test_a_kernel_that_cannot_be_kept_on_a_full_disk_still_runs_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    double = compiled(lambda number: 2 * number)
    with pytest.warns(RuntimeWarning, match="the compiled solver cannot be kept: No space left on device"):
        assert double(21) == 42
