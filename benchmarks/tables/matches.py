"""Matches of two seats: the odds of one policy against another.

Policies that ignore the other card have independent final scores, so the odds between them follow exactly from their
distributions, and the order of play does not matter. A policy that reacts has to be simulated.

`last_turn_matches` finds what it gains against `optimal` to play the last turn to win instead of for points. Both seats
play optimally until the last turn of one of them, the *rival*. That turn is not rolled but valued exactly, twice: as
optimal play goes on, and as play that maximises P(win) + ½ P(tie) against what is known of the other card: its final
score, or, if the rival moves first, the distribution of it. The difference is the gain of one game. It is never
negative, and its mean is the rival's advantage, because two optimal players are even.

>>> import numpy as np
>>> even = Distribution(200, np.array([0.5, 0.5]))
>>> match_odds(even, even)
Odds(win=0.25, tie=0.5, loss=0.25)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchmarks.solo_games import Policy, play_games
from fivedice.analysis.advice import advise_batch
from fivedice.base.errors import IllegalError
from fivedice.solver.kernels.action_values import score_transitions
from fivedice.solver.play.distribution import Distribution, distributions, side_by_side
from fivedice.solver.play.policy_transitions import Start, list_policy
from fivedice.solver.solution import Solution
from fivedice.solver.solve import workspace
from fivedice.solver.tables.dice_tables import DiceTables, best_keeps, roll_keeps
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
    own, other = side_by_side([first, second])
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


def rival_line(solution: Solution, num_pairs: int, seed: int, progress: Callable[[int, int], None]) -> str:
    """The margin of play to win in the last turn, and its shares of the first place by order."""
    found = last_turn_matches(solution, num_pairs, np.random.default_rng(seed), progress)
    first, second = (interval(2 * (found.share[order] - found.optimal[order])) for order in range(2))
    changed = (found.share - found.optimal > 1e-9).mean()
    return (
        f"{2 * num_pairs:,} games: margin {interval(found.margins)} (moving first {first}, second {second});"
        f" the best last turn differs in {100 * changed:.1f} % of the games"
    )


PLAYED = 20_000
"""Games played at a time: their decisions take about 100 MB."""

PORTION = 2_000
"""Pairs of games at a time: the keeps of their last turns take about 7 MB."""


@dataclass(frozen=True, eq=False)
class LastTurnMatches:
    """N pairs of games, with the rival moving first and then second. All are float64[2, N], by order and pair.

    `share` is the rival's P(win) + ½ P(tie) before its last turn, `optimal` that of optimal play in its place.
    """

    share: Array
    optimal: Array

    @property
    def margins(self) -> Array:
        """float64[N]: what the rival's P(win) − P(loss) exceeds that of optimal play by; the mean of both orders."""
        margins: Array = 2 * (self.share - self.optimal).mean(axis=0)
        return margins


@dataclass(frozen=True, eq=False)
class _LastTurns:
    """N games of optimal play before their last turn, and at their end.

    `state`, int64[N]: the place of the turn state in the tables of `_Turns`; `written` and `final`, int64[N]: points.
    """

    state: Array
    written: Array
    final: Array


@dataclass(frozen=True, eq=False)
class _Turns:
    """The last turns of a ruleset, by turn state.

    `best`, int64[R, states]: the most points to come that a roll can score; `chances`, float64[states, V]: the chances
    of V numbers of points to come in optimal play; `below`, float64[states, V + 1]: what a final score of so many
    points is worth, P(fewer) + ½ P(as many).
    """

    best: Array
    chances: Array
    below: Array


def last_turn_matches(
    solution: Solution, num_pairs: int, chance: np.random.Generator, progress: Callable[[int, int], None] | None = None
) -> LastTurnMatches:
    """Matches of so many pairs. `progress` is called with (pairs valued, pairs).

    Raises `IllegalError` for rules with saved rolls, or with bonuses for a first roll.
    """
    rules = solution.rules
    if rules.has_first or rules.saved_rolls:
        raise IllegalError(f"{solution.ruleset}: want rules without saved rolls and bonuses for a first roll")
    indices, own, other = _played(solution, num_pairs, chance)
    turns = _turns(solution, indices)
    share, optimal = np.empty((2, num_pairs)), np.empty((2, num_pairs))
    for first in range(0, num_pairs, PORTION):
        part = slice(first, min(first + PORTION, num_pairs))
        mine, theirs = (_LastTurns(g.state[part], g.written[part], g.final[part]) for g in (own, other))
        finals = mine.written + turns.best[:, mine.state]
        to_come = mine.written[:, np.newaxis] + np.arange(turns.chances.shape[1])
        chances = turns.chances[mine.state]
        before, after = theirs.written, theirs.final
        share[0, part] = _best_turn(solution.dice, _against_turn(turns, theirs, finals - before), rules.num_turn_rolls)
        optimal[0, part] = (chances * _against_turn(turns, theirs, (to_come - before[:, np.newaxis]).T).T).sum(axis=1)
        share[1, part] = _best_turn(solution.dice, _against_score(finals - after), rules.num_turn_rolls)
        optimal[1, part] = (chances * _against_score(to_come - after[:, np.newaxis])).sum(axis=1)
        if progress:
            progress(part.stop, num_pairs)
    return LastTurnMatches(share, optimal)


def _played(solution: Solution, num_pairs: int, chance: np.random.Generator) -> tuple[Array, _LastTurns, _LastTurns]:
    """The turn states before last turns, and the games of both seats."""
    parts = []
    for first in range(0, 2 * num_pairs, PLAYED):
        games = play_games(solution, Policy("optimal", solution), min(PLAYED, 2 * num_pairs - first), chance)
        ends = np.append(np.flatnonzero(np.diff(games.game)), games.game.size - 1)
        states, rolls, left, choices = (a[ends] for a in (games.states, games.rolls, games.rolls_left, games.choices))
        is_zero, boxes = np.divmod(choices, len(solution.ruleset.boxes))
        after, points = np.zeros(ends.size, dtype=np.int64), np.zeros(ends.size)
        work = workspace(solution.dice, solution.rules)
        given = (states, rolls, left, boxes, is_zero.astype(bool))
        score_transitions(solution.dice, solution.rules, *given, work, after, points)
        parts.append((states, games.results - points - solution.values[after], games.scores))
    states, written, final = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    written, final = (np.rint(points).astype(np.int64) for points in (written, final))
    indices, state = np.unique(states, return_inverse=True)
    halves = (slice(num_pairs), slice(num_pairs, None))
    own, other = (_LastTurns(state[half], written[half], final[half]) for half in halves)
    return indices, own, other


def _turns(solution: Solution, indices: Array) -> _Turns:
    """The last turns from these turn states, int64[states]."""
    num_rolls = solution.dice.num_rolls
    rolls, states = np.tile(np.arange(num_rolls), indices.size), np.repeat(indices, num_rolls)
    best = advise_batch(solution, states, rolls, np.zeros(rolls.size, dtype=np.int64)).best
    starts = [Start(index, -1, solution.ruleset.rolls) for index in indices.tolist()]
    found = distributions(list_policy(solution, starts), starts)
    chances = np.zeros((indices.size, max(one.first + one.chances.size for one in found)))
    for row, one in zip(chances, found, strict=True):
        row[one.first : one.first + one.chances.size] = one.chances
    below = np.cumsum(chances, axis=1) - chances / 2
    return _Turns(
        best=np.ascontiguousarray(np.rint(best).astype(np.int64).reshape(-1, num_rolls).T),
        chances=chances,
        below=np.hstack([below, np.ones((indices.size, 1))]),
    )


def _against_turn(turns: _Turns, other: _LastTurns, lead: Array) -> Array:
    """float64[…, N]: the worth of a lead, int64[…, N], before the other seat's last turn."""
    worth = turns.below[other.state, np.clip(lead, 0, turns.below.shape[1] - 1)]
    return np.where(lead < 0, 0.0, worth)


def _against_score(lead: Array) -> Array:
    """The worth of a lead at the end of the game."""
    return (np.sign(lead) + 1) / 2


def _best_turn(dice: DiceTables, worth: Array, num_turn_rolls: int) -> Array:
    """float64[N]: the best worth of a turn before its first roll; `worth`, float64[R, N], is that of scoring a roll."""
    x = np.empty((dice.num_small + dice.num_rolls, worth.shape[1]))
    x[dice.num_small :] = worth
    for _ in range(num_turn_rolls - 1):
        roll_keeps(dice, x)
        best_keeps(dice, x)
    expected: Array = dice.chance @ x[dice.num_small :]
    return expected
