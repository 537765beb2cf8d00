"""Quantiles of Student's distribution, against SciPy."""

import pytest

from fivedice.analysis.reviews.player_figures import student_quantile

FREEDOMS = [1, 2, 3, 4, 5, 6, 7, 10, 35, 36, 199, 200, 201, 202, 1000, 20_001]


def test_students_quantiles_are_scipys() -> None:
    from scipy.special import stdtrit

    for freedom in FREEDOMS:
        for confidence in (0.5, 0.9, 0.95, 0.99):
            expected = float(stdtrit(freedom, (1 + confidence) / 2))
            assert student_quantile(freedom, confidence) == pytest.approx(expected, rel=1e-10), freedom
