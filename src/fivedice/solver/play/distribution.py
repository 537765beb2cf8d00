"""`Distribution`: the exact chances of every final number of points under optimal play.

>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.solver.solve import solve
>>> crag = solve(load_ruleset("crag"))
>>> new_game = forecast(crag, Start(state=0, row=-1, rolls_left=2))
>>> round(new_game.points.mean, 6) == round(crag.expected_score, 6)
True
>>> round(new_game.points.standard_deviation, 3), new_game.points.percentile(0.5)
(33.617, 152)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any, Literal

import numpy as np

from fivedice.base.errors import wrong_type
from fivedice.solver.kernels.policy_transitions import Transitions, find_ranges, sum_distributions
from fivedice.solver.kernels.simd import aligned_zeros
from fivedice.solver.play.policy_transitions import PolicyTransitions, Progress, Start, list_policy
from fivedice.solver.solution import Solution
from fivedice.solver.solve import check_memory, in_threads, mapping
from fivedice.solver.tables.states import BLOCK, Array


@dataclass(frozen=True, eq=False, repr=False)
class Distribution:
    """The chances of a whole number: `chances[i]`, float64[n], is that of `first + i`. Both ends are positive."""

    first: int
    chances: Array

    @classmethod
    def of(cls, numbers: Array) -> "Distribution":
        """The shares of numbers, int64[N], from the least to the greatest."""
        first = int(numbers.min())
        return cls(first, np.bincount(numbers - first) / numbers.size)

    def __repr__(self) -> str:
        last = self.first + self.chances.size - 1
        return f"<Distribution {self.first} to {last}, mean {self.mean:.2f} ± {self.standard_deviation:.2f}>"

    @property
    def scores(self) -> Array:
        """int64[n]: the numbers in order, without gaps."""
        return self.first + np.arange(self.chances.size)

    @cached_property
    def mean(self) -> float:
        """The expected number."""
        return float(self.chances @ self.scores)

    @cached_property
    def standard_deviation(self) -> float:
        """The square root of the mean squared difference from the mean."""
        return float(np.sqrt(self._central(2)))

    @cached_property
    def skewness(self) -> float:
        """The third central moment divided by the cube of the standard deviation; 0 for a single number."""
        return self._central(3) / self.standard_deviation**3 if self.standard_deviation else 0.0

    @property
    def mode(self) -> int:
        """The likeliest number; the least of equally likely ones."""
        return self.first + int(self.chances.argmax())

    def at_least(self, score: int) -> float:
        """The chance of this number or more."""
        if not isinstance(score, Integral):
            raise wrong_type("a whole number of points", score)
        return min(1.0, float(self.chances[max(0, score - self.first) :].sum())) if score > self.first else 1.0

    def percentile(self, share: float) -> int:
        """The least number that is not exceeded with a chance of `share`, from 0 to 1."""
        return self.first + int(np.searchsorted(self.chances.cumsum(), share).clip(0, self.chances.size - 1))

    def _repr_html_(self) -> str:
        """The mean, the deviation, five percentiles and bars for notebooks."""
        from fivedice.rulesets.notebook import bars_svg, table

        shares = (0.05, 0.25, 0.5, 0.75, 0.95)
        head = ["mean", "standard deviation", *(f"{100 * share:.0f} %" for share in shares)]
        label = f"chances of {self.first} to {self.first + self.chances.size - 1} points"
        row = [self.mean, self.standard_deviation, *map(self.percentile, shares)]
        return table(head, [row]) + bars_svg(self.chances.tolist(), label)

    def plot(self, axes: Any = None) -> Any:
        """The chances by points, as a Matplotlib figure; scores with a chance beyond 1 in 2,000 at either end are left
        out. `axes` are those to draw on, by default new ones. Raises `MissingExtraError` without Matplotlib."""
        from fivedice.base.plots import bars

        low, high = self.percentile(0.0005) - self.first, self.percentile(0.9995) - self.first
        scores, chances = self.scores[low : high + 1].tolist(), self.chances[low : high + 1].tolist()
        return bars("distribution.plot()", scores, chances, mean=self.mean, axes=axes)

    def shifted(self, points: int) -> "Distribution":
        """The distribution of the number plus `points`."""
        return Distribution(self.first + points, self.chances)

    def _central(self, power: int) -> float:
        return float(self.chances @ (self.scores - self.mean) ** power)


def side_by_side(found: Sequence[Distribution]) -> Array:
    """float64[D, n]: the chances of D numbers, all from the least number on that any of them can be."""
    first = min(one.first for one in found)
    rows = np.zeros((len(found), max(one.first + one.chances.size for one in found) - first))
    for row, one in zip(rows, found, strict=True):
        row[one.first - first :][: one.chances.size] = one.chances
    return rows


@dataclass(frozen=True, eq=False)
class Forecast:
    """What optimal play brings from one moment on.

    `points` is the distribution of the points to come, `upper_bonus` that of the upper bonus, multipliers included,
    and `num_extras` that of the number of extra bonuses to come. `boxes`, float64[B], has the chance that each box is
    filled above zero from now on. `outright` is the chance to win the game outright; `results` is the distribution of
    the points together with what such a win counts.
    """

    points: Distribution
    results: Distribution
    outright: float
    upper_bonus: Distribution
    num_extras: Distribution
    boxes: Array


def forecast(
    solution: Solution, start: Start, *, memory_limit: int | None = None, progress: Progress | None = None
) -> Forecast:
    """What optimal play brings from one moment of an unfinished game on, exactly.

    `progress` and `memory_limit` are as for `list_policy`. Raises `TooLargeError` if there is too little memory.
    """
    transitions = list_policy(solution, [start], memory_limit=memory_limit, progress=progress)
    chances = transitions.chances(transitions.from_starts([start]))
    ends = transitions.ends
    bonus = np.bincount(ends.bonuses.astype(np.int64), chances.ends)
    outright = float(chances.ends[ends.outright > 0].sum())
    (points,) = distributions(transitions, [start], memory_limit=memory_limit)
    results = distributions(transitions, [start], of="results", memory_limit=memory_limit)[0] if outright else points
    has_extras = solution.states.ruleset.extra_bonus > 0
    extras = distributions(transitions, [start], of="extras")[0] if has_extras else _CERTAINLY_0
    return Forecast(points, results, outright, _trimmed(0, bonus), extras, chances.boxes)


def result_distribution(solution: Solution, state: int) -> Distribution:
    """The distribution of the points to come from a turn state of an unfinished game, with those of an outright win."""
    start = Start(state, -1, solution.rules.num_turn_rolls + int(solution.saved_rolls(np.array([state]))[0]))
    (found,) = distributions(list_policy(solution, [start]), [start], of="results")
    return found


def _num_extras(solution: Solution, boxes: Array) -> Array:
    """int32[…]: the extra bonuses earned with transitions into these boxes, as `PolicyTransitions` writes them."""
    times = (solution.rules.extra_bonus / solution.states.ruleset.extra_bonus).astype(np.int32)
    return np.where(boxes < 0, times[-1 - boxes], np.int32(0))


def distributions(
    transitions: PolicyTransitions,
    starts: Sequence[Start],
    *,
    of: Literal["points", "results", "extras"] = "points",
    memory_limit: int | None = None,
) -> list[Distribution]:
    """The distributions of the points to come, with or without those of an outright win, or of the extra bonuses, from
    moments of unfinished games.

    The transitions must be those of all turn states or from these starts. Two layers of rows are in memory at a time;
    `memory_limit` is in bytes, by default that of `solve`. Raises `TooLargeError` when they exceed it.
    """
    roots = transitions.from_starts(starts)
    reach = transitions.chances(roots).reach
    values, bonuses = transitions.ends.values, transitions.ends.bonuses
    ends = {"points": bonuses, "results": values, "extras": np.zeros(values.size)}[of].astype(np.int64)
    ranges = np.zeros((reach.size, 2), dtype=np.int64)
    places = np.zeros(reach.size, dtype=np.int64)
    by_layer: list[list[Transitions]] = []
    sizes: list[int] = []
    found: dict[int, Distribution] = {}
    with in_threads() as pool:
        for layer in range(len(transitions.layers) - 1, -1, -1):
            parts = [*transitions.layers[layer], *([roots[layer]] if layer in roots else [])]
            if of == "extras":
                parts = [part._replace(points=_num_extras(transitions.solution, part.box)) for part in parts]
            rows = np.concatenate([part.rows for part in parts] or [np.zeros(0, dtype=np.int64)])
            for _ in mapping(pool, rows.size)(lambda part: find_ranges(part, ends, reach, ranges), parts):
                pass
            rows = rows[reach[rows] > 0]
            # Whole blocks, and one of zeros behind them.
            lengths = (-(-(ranges[rows, 1] - ranges[rows, 0] + 1) // BLOCK) + 1) * BLOCK
            places[rows] = BLOCK + np.cumsum(lengths) - lengths
            by_layer.append(parts)
            sizes.append(BLOCK + int(lengths.sum()))
        # Layers take turns in two tables, since new memory would take as long as half of the sums.
        most = [max(sizes[first::2], default=0) for first in (0, 1)]
        what = f"the distribution of scores of {transitions.solution.ruleset} is too large to find"
        check_memory(f"{what}: two layers of rows need", 8 * sum(most), memory_limit)
        after, table = (aligned_zeros(size) for size in most[::-1])
        for layer, parts in zip(range(len(by_layer) - 1, -1, -1), by_layer, strict=True):

            def fill(part: Transitions, table: Array = table, after: Array = after) -> None:
                sum_distributions(part, ends, reach, ranges, places, after, table)

            for _ in mapping(pool, sum(part.rows.size for part in parts))(fill, parts):
                pass
            for row in roots[layer].rows.tolist() if layer in roots else []:
                low, high = ranges[row].tolist()
                found[row] = _trimmed(low, table[places[row] : places[row] + high - low + 1])
            after, table = table, after
    return [found[transitions.num_rows + number] for number in range(len(starts))]


_CERTAINLY_0 = Distribution(0, np.ones(1))


def _trimmed(first: int, chances: Array) -> Distribution:
    positive = np.flatnonzero(chances)
    low, high = int(positive[0]), int(positive[-1])
    return Distribution(first + low, chances[low : high + 1].copy())
