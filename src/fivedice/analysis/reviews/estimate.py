"""`Estimate`: a mean with its confidence interval, by Student's distribution.

Abramowitz and Stegun, *Handbook of Mathematical Functions*, chapter 26. Whole degrees of freedom make its formulas
finite sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, fsum, pi, sin, sqrt, tan
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

CONFIDENCE = 0.95

NORMAL = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""The half-width of the interval of a normal variable, in standard deviations."""

_FEW = 200
"""Up to so many degrees of freedom, Student's quantile is found by bisection; with more, a series is as exact."""

LEAST_GAMES = 10
"""With fewer games, an interval of a mean is wider than the distance between neighbouring levels."""

_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of `num` games, and the half-width of its confidence interval (None for one game)."""

    mean: float
    half_width: float | None
    num: int


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent values with its confidence interval by Student's t distribution."""
    if len(values) < 2:
        return Estimate(fmean(values), None, len(values))
    quantile = student_quantile(len(values) - 1, CONFIDENCE)
    return Estimate(fmean(values), quantile * sqrt(_variance(values) / len(values)), len(values))


def difference(before: Sequence[float], after: Sequence[float]) -> Estimate:
    """How much the mean of `after` is above that of `before`, by Welch's t; both have at least 2 independent values."""
    parts = [(_variance(values) / len(values), len(values) - 1) for values in (before, after)]
    return Estimate(fmean(after) - fmean(before), half_width(parts), len(before) + len(after))


def half_width(parts: Sequence[tuple[float, int]]) -> float:
    """The half-width of the interval of a sum of independent estimates, from their variances, each with its degrees of
    freedom, by Welch and Satterthwaite's formula."""
    total = fsum(variance for variance, _ in parts)
    if not total:
        return 0.0
    freedom = total**2 / fsum(variance**2 / of for variance, of in parts)
    return student_quantile(max(1, int(freedom)), CONFIDENCE) * sqrt(total)


def ratio_half_width(tops: "ArrayLike", bottoms: "ArrayLike") -> float | None:
    """The half-width of the interval of Σ tops / Σ bottoms, from its spread between games; None for one game."""
    import numpy as np  # slow to import, and a single estimate needs none

    of, over = np.asarray(tops, float), np.asarray(bottoms, float)
    num, bottom = len(of), float(over.sum())
    if num < 2 or not bottom:
        return None
    squares = float(((of - of.sum() / bottom * over) ** 2).sum())
    return student_quantile(num - 1, CONFIDENCE) * sqrt(squares * num / (num - 1)) / bottom


def _variance(values: Sequence[float]) -> float:
    mean = fmean(values)
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


@lru_cache(maxsize=2 * _FEW)
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
