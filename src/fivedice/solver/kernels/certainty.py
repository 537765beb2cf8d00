# mypy: disallow-untyped-defs=False, check-untyped-defs=False, disallow-untyped-decorators=False
"""Helpers that turn points into utilities and back, for means under exponential utility.

With a risk parameter θ, a chance of X points is worth its *certainty equivalent* 1/θ · log E exp(θ X). It is the mean
of utilities, so the solver's additions find it: rolls are written as utilities, averaged, and the means written as
points again. Utilities are relative to the lowest roll of each lane, which is the *shift*. They have three forms, by
the *reach* |θ| · (highest − lowest roll):

- `GENTLE`, up to half: exp(θ d) − 1, which is about θ d for a small θ, so that no digit is lost;
- `STEEP`, up to 600: exp(θ d);
- `EXTREME`: points stay points, and every mean takes its own logarithm, since utilities would overflow or vanish.

The forms differ in nothing but rounding. The maximum over actions is taken of points.
"""

import math

import numpy as np

from fivedice.solver.kernels.jit import helper
from fivedice.solver.kernels.simd import add, broadcast, load, maximum, multiply, store, where_greater
from fivedice.solver.tables.states import BLOCK

GENTLE, STEEP, EXTREME = range(3)
GENTLE_REACH = 0.5
STEEP_REACH = 600.0
"""exp(±709) is the limit of float64."""


@helper
def to_utilities(risk, begin, end, shift, x):
    """Writes the rolls, rows `begin` to `end` of x, as utilities, and the shift of every lane to row `shift`.

    Returns the form. Lanes that play cannot reach may hold anything; infinite and missing points do not count.
    """
    low = load(x, begin)
    high = low
    for roll in range(begin + BLOCK, end, BLOCK):
        value = load(x, roll)
        low = where_greater(low, value, value, low)
        high = maximum(value, high)
    store(x, shift, add(high, multiply(low, broadcast(-1.0))))
    reach = 0.0
    for lane in range(shift, shift + BLOCK):
        if reach < x[lane] < np.inf:
            reach = x[lane]
    reach *= abs(risk)
    store(x, shift, low)
    if reach > STEEP_REACH:
        return EXTREME
    less = multiply(low, broadcast(-1.0))
    for roll in range(begin, end, BLOCK):
        store(x, roll, multiply(add(load(x, roll), less), broadcast(risk)))
        for place in range(roll, roll + BLOCK):
            x[place] = math.exp(x[place]) if reach > GENTLE_REACH else math.expm1(x[place])
    return STEEP if reach > GENTLE_REACH else GENTLE


@helper
def to_points(risk, form, begin, end, shift, x):
    """Writes mean utilities, rows `begin` to `end` of x, as points."""
    scale, low = broadcast(1.0 / risk), load(x, shift)
    for row in range(begin, end, BLOCK):
        for place in range(row, row + BLOCK):
            x[place] = math.log(x[place]) if form == STEEP else math.log1p(x[place])
        store(x, row, add(multiply(load(x, row), scale), low))


@helper
def average_extreme(risk, child, num_children, num_faces, num_small, x):
    """Writes to the row of each smaller keep the certainty equivalent of the keeps with one more die, in points."""
    for keep in range(num_small - 1, -1, -1):
        for lane in range(BLOCK):
            most = -np.inf
            for face in range(num_faces):
                most = max(most, risk * x[child[keep * num_children + face] + lane])
            total = 0.0
            for face in range(num_faces):
                total += math.exp(risk * x[child[keep * num_children + face] + lane] - most)
            x[keep * BLOCK + lane] = (most + math.log(total / num_faces)) / risk


@helper
def expect_extreme(risk, chance, begin, out_row, x):
    """Writes the certainty equivalent of all rolls, whose rows start at `begin`, to the row `out_row`, in points."""
    for lane in range(BLOCK):
        most = -np.inf
        for roll in range(chance.size):
            most = max(most, risk * x[begin + roll * BLOCK + lane])
        total = 0.0
        for roll in range(chance.size):
            total += chance[roll] * math.exp(risk * x[begin + roll * BLOCK + lane] - most)
        x[out_row + lane] = (most + math.log(total)) / risk
