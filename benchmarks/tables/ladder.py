"""The ladder of levels: how careless each is under some rules, and how strong that makes it.

Level 9 plays perfectly. Each other level is so careless that the one above wins `STEP` of the games against it. Where
chance weighs so much that level 1 would be more careless than `MOST`, level 1 is `MOST` careless, and the steps are
smaller, but equal all the same.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from benchmarks.tables.matches import match_odds
from fivedice.players.levels import LEVELS, STEP, habits_of
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.mass_games import play_many
from fivedice.simulation.players import beliefs
from fivedice.solver.approximate_solution import ApproximateSolution, misjudged, scores_of_games
from fivedice.solver.play.distribution import Distribution, result_distribution
from fivedice.solver.slips import Habits
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import Array, States

MOST = 2.0
GRID, FINE_GRID = 24, 192
"""How many kinds of carelessness are measured; between them, mean and deviation are interpolated. Where there are few
turn states, each of which counts for more, they are measured more finely …"""
COARSE_GRID = 10
"""… and where play by approximate values is slow, less finely."""

FEW_STATES = 10_000

MOST_BYTES = 10**8
"""The size of a solution up to which transitions of its levels are listed, which are some hundred times as large."""


def find_carelessness(solution: Solution | ApproximateSolution, games: int) -> list[float]:
    """How careless levels 1 to 8 are under these rules, from so many games of players of every carelessness.

    Scores count as normally distributed, which is near enough: the chances of the ladder are exact.
    """
    size = COARSE_GRID
    if isinstance(solution, Solution):
        size = FINE_GRID if solution.num_turn_states < FEW_STATES else GRID
    grid = MOST * (np.arange(size + 1) / size) ** 2
    scores = (_scores(solution, Habits.of(careless), games) for careless in grid.tolist())  # one at a time is in memory
    means, deviations = np.array([[some.mean(), some.std()] for some in scores]).T
    low, high = 0.0, NormalDist().inv_cdf(STEP)
    if (found := _steps(high, grid, means, deviations))[0] < MOST:
        return found
    for _ in range(50):
        step = (low + high) / 2
        found = _steps(step, grid, means, deviations)
        low, high = (step, high) if found[0] < MOST else (low, step)
    return found


def _scores(solution: Solution | ApproximateSolution, habits: Habits, games: int, seed: int = 1) -> Array:
    """The scores of so many games of a player with these habits."""
    if isinstance(solution, Solution):
        return play_many(beliefs(solution, habits), seed=seed, seat=0, first=0, number=games).scores
    level = misjudged(solution, habits)
    return scores_of_games(level.game, level.weights, games, seed, level.slips)


def _steps(step: float, grid: Array, means: Array, deviations: Array) -> list[float]:
    """How careless levels 1 to 8 are if each step is so many deviations of the difference of two scores."""
    fine = np.linspace(0.0, MOST, 20_001)
    mean, deviation = np.interp(fine, grid, means), np.interp(fine, grid, deviations)
    place, found = 0, list[float]()
    for _ in range(len(LEVELS) - 1):
        apart = (mean[place] - mean) / np.hypot(deviation[place], deviation)
        place += int((apart[place:] < step).argmin()) if (apart[place:] >= step).any() else fine.size - 1 - place
        found.append(round(float(fine[place]), 3))
    return found[::-1]


def first_places(player: Distribution, other: Distribution) -> float:
    """The share of first places of a player against another one, a tie counting half."""
    odds = match_odds(player, other)
    return odds.win + odds.tie / 2


def ladder_table(solution: Solution, games: int, seed: int) -> Iterator[str]:
    """A row for each level under these rules: its exact strength, and the mean of so many games with the number of
    standard errors between both; then the share of first places of every level against every other."""
    ruleset, scores = solution.ruleset, list[Distribution]()
    yield "| level | mean | deviation | lost a decision | first places against the level below | simulated | errors |"
    yield "|---|---|---|---|---|---|---|"
    for number, kind in enumerate(LEVELS, start=1):
        table = beliefs(solution, habits_of(kind, ruleset))
        scores.append(own := result_distribution(table, 0))
        tally = play_many(table, seed=seed, seat=number, first=0, number=games).tally
        loss = (solution.expected_score - own.mean) / (ruleset.rounds * ruleset.rolls)
        won = f"{100 * first_places(own, scores[-2]):.1f} %" if number > 1 else ""
        apart = (tally.mean - own.mean) / tally.standard_error
        yield (
            f"| {number} {LEVELS[kind].name} | {own.mean:.2f} | {own.standard_deviation:.2f} | {abs(loss):.2f} | {won}"
            f" | {tally.mean:.2f} ± {tally.standard_error:.2f} | {apart:+.1f} |"
        ).replace("-", "−")
    yield ""
    yield "| level | " + " | ".join(map(str, range(1, len(scores) + 1))) + " |"
    yield "|---" * (len(scores) + 1) + "|"
    for number, own in enumerate(scores, start=1):
        shares = (f"{100 * first_places(own, other):.1f}" if other is not own else "" for other in scores)
        yield f"| {number} | " + " | ".join(shares) + " |"


def simulated_ladder_table(solution: ApproximateSolution, games: int, seed: int) -> Iterator[str]:
    """A row for each level under rules that are too large to solve: its strength in so many games. The mean of level 9
    is that of the approximate solution, which was measured in more games."""
    yield "| level | mean | deviation | lost a decision | first places against the level below |"
    yield "|---|---|---|---|---|"
    ruleset, measured = solution.ruleset, solution.measured
    below: Array | None = None
    for number, kind in enumerate(LEVELS, start=1):
        own = np.sort(_scores(solution, habits_of(kind, ruleset), games, seed + number))
        mean, deviation = own.mean(), own.std(ddof=1)
        error = deviation / own.size**0.5
        if number == len(LEVELS):
            mean, error = measured.mean, measured.standard_error
        won = ""
        if below is not None:
            ranks = np.searchsorted(below, own, side="left") + np.searchsorted(below, own, side="right")
            won = f"{50 * ranks.mean() / below.size:.1f} %"
        loss, below = max(0.0, measured.mean - mean) / (ruleset.rounds * ruleset.rolls), own
        yield (
            f"| {number} {LEVELS[kind].name} | {mean:.2f} ± {error:.2f} | {deviation:.2f} | {loss:.2f} | {won} |"
        ).replace("-", "−")


def ladders_table(rulesets: Iterable[Ruleset]) -> Iterator[str]:
    """A row for each of these rules whose levels have a strength that can be found exactly in memory: the mean of each
    level, and the least and the most that a level wins against the one below."""
    yield ""
    yield "| rules | " + " | ".join(map(str, range(1, len(LEVELS) + 1))) + " | against the level below |"
    yield "|---" * (len(LEVELS) + 2) + "|"
    for ruleset in rulesets:
        states = States(ruleset)
        if states.obstacle or not states.has_kernels or states.num_bytes > MOST_BYTES:
            continue
        solution = solve(ruleset)
        scores = [result_distribution(beliefs(solution, habits_of(kind, ruleset)), 0) for kind in LEVELS]
        means = " | ".join(f"{one.mean:.0f}" for one in scores)
        won = [100 * first_places(higher, lower) for lower, higher in pairwise(scores)]
        yield f"| `{ruleset.id}` | {means} | {min(won):.1f} to {max(won):.1f} % |"
