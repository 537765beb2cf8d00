"""Tail chances, against SciPy."""

import pytest

from fivedice.analysis.tail_chances import chi_square_tail, normal_tails, student_quantile

FREEDOMS = [1, 2, 3, 4, 5, 6, 7, 10, 35, 36, 199, 200, 201, 202, 1000, 20_001]


def test_tails_of_the_normal_distribution_are_scipys() -> None:
    from scipy.special import ndtr

    for z in (-8.0, -1.96, 0.0, 0.5, 3.0, 12.0):
        assert normal_tails(z) == pytest.approx(float(2 * ndtr(-abs(z))), rel=1e-12)


def test_tails_of_the_chi_square_distribution_are_scipys() -> None:
    from scipy.special import chdtrc

    for freedom in FREEDOMS:
        for statistic in (0.0, 1e-9, 0.3, freedom / 2, freedom - 1.0, float(freedom), 1.5 * freedom, freedom + 60.0):
            expected = float(chdtrc(freedom, statistic))
            assert chi_square_tail(statistic, freedom) == pytest.approx(expected, rel=1e-9, abs=1e-300), freedom
    assert chi_square_tail(1e6, 3) == 0.0


def test_students_quantiles_are_scipys() -> None:
    from scipy.special import stdtrit

    for freedom in FREEDOMS:
        for confidence in (0.5, 0.9, 0.95, 0.99):
            expected = float(stdtrit(freedom, (1 + confidence) / 2))
            assert student_quantile(freedom, confidence) == pytest.approx(expected, rel=1e-10), freedom
