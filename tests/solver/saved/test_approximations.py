"""Approximate solutions come with the program where no exact one can be had, and are saved and found again."""

from pathlib import Path

import pytest

from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.approximate.approximate_solution import approximate
from fivedice.solver.approximate.learn import Learning
from fivedice.solver.saved.approximations import APPROXIMATE, shipped_approximation
from fivedice.solver.saved.saved_table import SHIPPED, UnusableSolutionError, has_approximation
from fivedice.solver.tables.states import States

LARGEST = 1_000_000
"""Bytes of a file that comes with the program."""


def test_what_comes_with_the_program_is_usable_and_of_rules_that_cannot_be_solved() -> None:
    shipped = [ruleset for ruleset in map(load_ruleset, ruleset_ids()) if has_approximation(ruleset)]
    assert len(shipped) == len(list(SHIPPED.glob("*.approximate"))) > 0
    for ruleset in shipped:
        states = States(ruleset)
        assert states.obstacle or states.num_bytes > 2**31, ruleset
        solution = shipped_approximation(ruleset)
        assert solution
        assert solution.measured.games >= 40_000
        assert abs(solution.expected_score / solution.measured.mean - 1) < 0.03, ruleset
        assert solution.decision_error >= abs(solution.expected_score - solution.measured.mean)


def test_the_files_that_come_with_the_program_are_small() -> None:
    files = list(SHIPPED.iterdir())
    assert files
    assert all(file.stat().st_size <= LARGEST for file in files)


def test_a_learned_solution_is_saved_and_found_again(tmp_path: Path) -> None:
    ruleset = load_ruleset("crag")
    learned = approximate(ruleset, Learning(seed=5, games=256, rounds=1), measured_games=256)
    path = APPROXIMATE.save(ruleset, learned, tmp_path)
    found = APPROXIMATE.load(ruleset, tmp_path)
    assert found
    assert found.weights.tobytes() == learned.weights.tobytes()
    assert (found.learning, found.measured) == (learned.learning, learned.measured)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(UnusableSolutionError, match="truncated"):
        APPROXIMATE.load(ruleset, tmp_path)
