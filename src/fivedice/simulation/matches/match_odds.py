"""Matches of two seats: the odds of one policy against another.

Policies that ignore the other card have independent final scores, so the odds between them follow exactly from their
distributions, and the order of play does not matter. A policy that reacts has to be simulated, as `last_turn` does.

>>> import numpy as np
>>> even = Distribution(200, np.array([0.5, 0.5]))
>>> match_odds(even, even)
Odds(win=0.25, tie=0.5, loss=0.25)
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from fivedice.simulation.matches.last_turn import last_turn_matches
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.play.frontier import scores_of
from fivedice.solver.risk import BOLD, CAUTIOUS
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import Array

Z = 2.5758293035489004
"""A normal number lies within ±Z standard deviations with a chance of 99 %."""


class Odds(NamedTuple):
    """The chances of the first of two seats."""

    win: float
    tie: float
    loss: float

    @property
    def margin(self) -> float:
        """The chance to win minus the chance to lose."""
        return self.win - self.loss


class Interval(NamedTuple):
    """A mean and the half width of its 99 % confidence interval."""

    mean: float
    half_width: float

    def __str__(self) -> str:
        """In percent, as in a table."""
        return f"{100 * self.mean:+.2f} ± {100 * self.half_width:.2f} %".replace("-", "−")


def match_odds(first: Distribution, second: Distribution) -> Odds:
    """The odds between two independent final scores."""
    begin = min(first.first, second.first)
    size = max(one.first + one.chances.size for one in (first, second)) - begin
    own, other = (np.zeros(size) for _ in range(2))
    for row, one in ((own, first), (other, second)):
        row[one.first - begin :][: one.chances.size] = one.chances
    at_most = np.cumsum(other)
    win, tie = float(own @ (at_most - other)), float(own @ other)
    return Odds(win, tie, max(0.0, 1.0 - win - tie))


def ceiling(distribution: Distribution, scores: Array, chances: Array) -> float:
    """The share of the first place, P(win) + ½ P(tie), that no player can exceed against a rival who does not react.

    It is that of an opponent who knows the final score of her rival before the game. `distribution` is that of the
    rival's score. `scores`, int64[n], ascending, and `chances`, float64[n], are the best chances of at least each
    score: 1 below the first, and 0 beyond the last. Against T points, no policy has a greater share than
    ½ P*(T) + ½ P*(T + 1), and the mean over T is returned.
    """
    best = np.append(chances, 0.0)
    win, no_loss = (best[np.searchsorted(scores, distribution.scores + more)] for more in (1, 0))
    return float(distribution.chances @ (win + no_loss) / 2)


def interval(samples: Array) -> Interval:
    """The mean of independent samples, float64[N], with its interval."""
    return Interval(float(samples.mean()), float(Z * samples.std(ddof=1) / samples.size**0.5))


def matches_table(solution: Solution) -> Iterator[str]:
    """The odds of every pair of the policies that ignore the other card."""
    tables = {"optimal": solution}
    tables |= {name: solve(solution.ruleset, risk=risk) for name, risk in (("cautious", CAUTIOUS), ("bold", BOLD))}
    scores = {name: scores_of(table) for name, table in tables.items()}
    yield "| player | against | wins | ties | loses | margin |"
    yield "|---|---|---|---|---|---|"
    for first, second in combinations(scores, 2):
        odds = match_odds(scores[first], scores[second])
        cells = " | ".join(f"{100 * share:.2f} %" for share in odds)
        yield f"| {first} | {second} | {cells} | {100 * odds.margin:+.2f} % |".replace("-", "−")


def rival_line(solution: Solution, num_pairs: int, seed: int, progress: Callable[[int, int], None]) -> str:
    """The margin of play to win in the last turn, and its shares of the first place by order."""
    found = last_turn_matches(solution, num_pairs, np.random.default_rng(seed), progress)
    first, second = (interval(2 * (found.share[order] - found.optimal[order])) for order in range(2))
    changed = (found.share - found.optimal > 1e-9).mean()
    return (
        f"{2 * num_pairs:,} games: margin {interval(found.margins)} (moving first {first}, second {second});"
        f" the best last turn differs in {100 * changed:.1f} % of the games"
    )
