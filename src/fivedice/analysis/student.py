"""Quantiles of Student's distribution, for confidence intervals.

Formulas: Abramowitz and Stegun, *Handbook of Mathematical Functions*, chapter 26. Whole degrees of freedom make them
finite sums.
"""

from math import cos, fsum, pi, sin, sqrt, tan
from statistics import NormalDist

_FEW = 200
"""Up to so many degrees of freedom, Student's quantile is found by bisection; with more, a series is as exact."""

_HALVINGS = 60


def student_quantile(freedom: int, confidence: float) -> float:
    """The t with P(|T| ≤ t) = confidence, for Student's T with `freedom` ≥ 1 degrees of freedom.

    The relative error is below 1e-10 (26.7.3, 26.7.4, and the series 26.7.5 for many degrees of freedom).
    """
    if freedom > _FEW:
        return _expansion(NormalDist().inv_cdf((1 + confidence) / 2), freedom)
    low, high = 0.0, pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _within(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return sqrt(freedom) * tan(low)


def _within(angle: float, freedom: int) -> float:
    """P(|T| ≤ √freedom · tan(angle)), 26.7.3 for odd and 26.7.4 for even degrees of freedom."""
    is_odd = freedom % 2
    term = cos(angle) if is_odd else 1.0
    terms = []
    # The factors are 2/3, 4/5, … for odd degrees of freedom and 1/2, 3/4, … for even ones.
    for top in range(1 + is_odd, freedom, 2):
        terms.append(term)
        term *= cos(angle) ** 2 * top / (top + 1)
    total = sin(angle) * fsum(terms)
    return (2 / pi) * (angle + total) if is_odd else total


def _expansion(x: float, freedom: int) -> float:
    """Student's quantile from the normal quantile x, 26.7.5."""
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return fsum(term / freedom**power for power, term in enumerate(terms))
