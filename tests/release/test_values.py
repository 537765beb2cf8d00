"""The values that come with the program: those of the most played rulesets, bit for bit as the solver finds them."""

from pathlib import Path

import numpy as np

from fivedice.rulesets import load_ruleset
from fivedice.solver.saved.kinds import SOLUTION
from fivedice.solver.saved.saved_table import MOST_PLAYED
from release.values import main, missing
from tests.solutions import solution_of


def test_a_build_makes_what_is_missing_and_nothing_else(tmp_path: Path) -> None:
    assert missing(tmp_path) == list(MOST_PLAYED)
    main(tmp_path)
    made = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert not missing(tmp_path)
    for id in MOST_PLAYED:
        found = SOLUTION.load(load_ruleset(id), tmp_path)
        assert found
        assert np.array_equal(found.values, solution_of(id).values, equal_nan=True)
    SOLUTION.delete(load_ruleset("generala"), tmp_path)
    main(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == made
