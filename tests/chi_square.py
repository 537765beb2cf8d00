"""The chi-square test, without `scipy.stats`, whose import takes longer than most tests."""

from collections.abc import Sequence

import numpy as np

from fivedice.solver.tables.states import Array


def p_value(found: Sequence[float] | Array, expected: Sequence[float] | Array | None = None) -> float:
    """The chance of counts at least as far from the expected ones, by default from equal ones.

    `found` and `expected` are float[N] with equal sums.
    """
    from scipy.special import chdtrc  # takes longer to import than most tests run

    observed = np.asarray(found, dtype=np.float64)
    means = np.full(observed.size, observed.mean()) if expected is None else np.asarray(expected, dtype=np.float64)
    return float(chdtrc(observed.size - 1, ((observed - means) ** 2 / means).sum()))
