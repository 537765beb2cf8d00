"""`frontier`: what risk costs: the exact distribution of final scores for players who avoid or seek it.

>>> from fivedice.rulesets import load_ruleset
>>> for one in frontier(load_ruleset("crag"), (-0.02, 0.0, 0.02)):
...     print(one.risk, round(one.scores.mean, 2), round(one.scores.standard_deviation, 2), one.scores.percentile(0.05))
-0.02 149.79 33.48 89
0.0 149.85 33.62 88
0.02 149.81 33.73 88
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fivedice.ruleset import Ruleset
from fivedice.solver.play.distribution import Distribution, distributions
from fivedice.solver.play.policy_transitions import Start, list_policy
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve


@dataclass(frozen=True, eq=False)
class Frontier:
    """A point of the frontier: a risk parameter, the certainty equivalent of a new game, and the distribution of the
    final scores of the player who maximises it."""

    risk: float
    certain: float
    scores: Distribution


def frontier(
    ruleset: Ruleset, risks: Sequence[float], progress: Callable[[int, int], None] | None = None
) -> Iterator[Frontier]:
    """The points of the frontier for these parameters, in their order; ties are broken as in `policy_transitions`.

    `progress` is called with (points found, points). Raises `TooLargeError`.
    """
    for number, risk in enumerate(risks, start=1):
        table = solve(ruleset, risk=risk)
        yield Frontier(risk, table.expected_score, scores_of(table))
        if progress:
            progress(number, len(risks))


def scores_of(table: Solution) -> Distribution:
    """The distribution of final scores of new games, played by a solution with or without a risk parameter."""
    start = Start(state=0, row=-1, rolls_left=table.ruleset.rolls)
    return distributions(list_policy(table, [start]), [start])[0]
