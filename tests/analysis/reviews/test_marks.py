"""Marks and levels: every loss has one mark or none, every error rate one level."""

from itertools import pairwise
from math import inf, nan

import pytest

from fivedice.analysis.reviews.marks import BLUNDER, INACCURACY, LEVELS, MISTAKE, Mark, level_of, mark_of
from fivedice.base.errors import MalformedError


@pytest.mark.parametrize(
    ("loss", "mark"),
    [
        (0.0, None),
        (INACCURACY - 1e-9, None),
        (INACCURACY, Mark.INACCURACY),
        (MISTAKE - 1e-9, Mark.INACCURACY),
        (MISTAKE, Mark.MISTAKE),
        (BLUNDER - 1e-9, Mark.MISTAKE),
        (BLUNDER, Mark.BLUNDER),
        (100.0, Mark.BLUNDER),
    ],
)
def test_a_loss_has_the_mark_whose_threshold_it_reaches(loss: float, mark: Mark | None) -> None:
    assert mark_of(loss) is mark


def test_levels_leave_no_gap_and_do_not_overlap() -> None:
    assert (LEVELS[0].at_least, LEVELS[-1].below) == (0.0, inf)
    assert all(better.below == worse.at_least > better.at_least for better, worse in pairwise(LEVELS))
    for level in LEVELS:
        assert level_of(level.at_least) is level


@pytest.mark.parametrize("rate", [-0.01, inf, nan])
def test_an_invalid_error_rate_is_refused(rate: float) -> None:
    with pytest.raises(MalformedError, match="want points lost per decision, a number of at least 0"):
        level_of(rate)
