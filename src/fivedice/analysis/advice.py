"""`Advice` on a position: every legal action with its value, best first.

A *value* is the expected final score of the seat to move under optimal play: the points and bonuses on its card plus
those to come. The *loss* of an action is the best value minus its own.

>>> from fivedice import load_ruleset, parse_position
>>> from fivedice.solver.solve import solve
>>> crag = solve(load_ruleset("crag"))
>>> advice = advise(crag, parse_position("crag - 445 r0"))
>>> [(str(a.action), round(a.value, 2), round(a.loss, 2)) for a in advice.actions[:2]]
[('score crag', 161.77, 0.0), ('score thirteen', 151.1, 10.67)]
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fivedice.dice import Dice, sub_keeps
from fivedice.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.solver.dice_tables import keep_lists, roll_indices
from fivedice.solver.kernels.action_values import action_values, empty_outputs
from fivedice.solver.solution import Solution
from fivedice.solver.solve import num_processors, workspace
from fivedice.solver.states import Array

BATCH = 4_096
"""Positions in one task of a thread: many enough for little overhead, few enough to share the work evenly."""


@dataclass(frozen=True, slots=True)
class Advised:
    """A legal action with its value and its loss. `points` are those written in the box, None for a keep."""

    action: Action
    value: float
    loss: float
    points: int | None


@dataclass(frozen=True, slots=True)
class Advice:
    """A position with its value and its legal actions, best first; none before the first roll or after the end."""

    position: Position
    value: float
    actions: tuple[Advised, ...]

    @property
    def best(self) -> Advised:
        """The best action; raises `IllegalError` if there is none."""
        if not self.actions:
            raise IllegalError(f"{self.position} has no legal action")
        return self.actions[0]

    def of(self, action: Action) -> Advised:
        """The entry of one action; raises `IllegalError` if it is not legal."""
        for advised in self.actions:
            if advised.action == action:
                return advised
        raise IllegalError(f"{action} is not legal in {self.position}")


@dataclass(frozen=True, slots=True)
class BatchAdvice:
    """Values of all actions in N positions, as points to come, without those already on a card.

    `scores` and `zeros`, float64[N, boxes]: filling a box with the points of the roll, or with zero; `keeps`,
    float64[N, …]: in the order of `fivedice.dice.sub_keeps`. NaN where an action is not legal. `best`, float64[N].
    """

    best: Array
    scores: Array
    zeros: Array
    keeps: Array


def advise(solution: Solution, position: Position) -> Advice:
    """Advice on one position.

    Raises `IllegalError` if the solution is that of other rules, or if no game leads to the position.
    """
    ruleset = position.ruleset
    if ruleset is not solution.ruleset and ruleset.digest != solution.ruleset.digest:
        raise IllegalError(f"this is the solution of {solution.ruleset}, not of {ruleset}")
    card = position.card
    if position.is_over:
        return Advice(position, float(card.total), ())
    index = state_index(solution, card)
    to_come = solution.values[index]
    if np.isnan(to_come):
        raise IllegalError(f"{position} cannot arise in a game of {ruleset}")
    written = points_written(card)
    if not position.dice:
        return Advice(position, written + float(to_come), ())

    roll = roll_indices(ruleset.dice, ruleset.faces)[position.dice]
    scores, zeros, keeps = empty_outputs(1, len(ruleset.boxes), ruleset.dice, ruleset.faces)
    _run(solution, np.array([index]), np.array([roll]), np.array([position.rolls_left]), scores, zeros, keeps)
    by_box, by_zero = scores[0].tolist(), zeros[0].tolist()
    box_index = ruleset.box_index
    found: list[tuple[float, Action, int | None]] = [
        ((by_box if offer.points else by_zero)[box_index[offer.action.box]], offer.action, offer.points)
        for offer in position.offers()
    ]
    if position.rolls_left:
        found += [(value, keep, None) for value, keep in zip(keeps[0].tolist(), _keeps(position.dice), strict=False)]
    found.sort(key=_by_value)
    best = found[0][0]
    actions = tuple(Advised(action, written + value, best - value, points) for value, action, points in found)
    return Advice(position, written + best, actions)


def advise_batch(
    solution: Solution, indices: Array, rolls: Array, rolls_left: Array, *, threads: int | None = None
) -> BatchAdvice:
    """Values of all actions in many positions, given by int64[N] each: turn states (`state_index`), rolls
    (`roll_indices`) and rolls left. All positions must be reachable; this is not checked."""
    ruleset = solution.ruleset
    indices, rolls, rolls_left = (np.ascontiguousarray(a, dtype=np.int64) for a in (indices, rolls, rolls_left))
    scores, zeros, keeps = empty_outputs(indices.size, len(ruleset.boxes), ruleset.dice, ruleset.faces)

    def work(part: slice) -> None:
        _run(solution, indices[part], rolls[part], rolls_left[part], scores[part], zeros[part], keeps[part])

    with ThreadPoolExecutor(threads or num_processors()) as pool:
        for _ in pool.map(work, _parts(indices.size)):
            pass
    if not ruleset.voluntary_zero:
        zeros[~np.isnan(scores)] = np.nan
    best = np.fmax(np.fmax.reduce(scores, axis=1), np.fmax.reduce(zeros, axis=1))
    return BatchAdvice(np.fmax(best, np.fmax.reduce(keeps, axis=1)), scores, zeros, keeps)


def state_index(solution: Solution, card: ScoreCard) -> int:
    """The index of a card in the solution's table; `fivedice.solver.states` explains the arithmetic."""
    states, ruleset = solution.states, card.ruleset
    number = sum(step for step, points in zip(states.steps, card.boxes, strict=True) if points is not None)
    totals = [min(card.section_total("upper", column), states.cap) for column in range(len(ruleset.columns))]
    plane = card.saved
    for total in reversed(totals[1:]):
        plane = plane * states.num_lanes + total
    if states.num_flags > 1:
        plane = 2 * plane + any(card.boxes[index] == 0 for index in ruleset.joker_boxes)
    return (number * states.num_planes + plane) * states.stride + totals[0]


def points_written(card: ScoreCard) -> int:
    """The points on a card: its total without the upper bonus, which values count among the points to come."""
    return card.total - sum(
        column.multiplier * card.upper_bonus(number) for number, column in enumerate(card.ruleset.columns)
    )


def _run(
    solution: Solution, indices: Array, rolls: Array, rolls_left: Array, scores: Array, zeros: Array, keeps: Array
) -> None:
    ruleset = solution.ruleset
    action_values(
        solution.dice,
        solution.rules,
        keep_lists(ruleset.dice, ruleset.faces),
        indices,
        rolls,
        rolls_left,
        solution.values,
        solution.risk,
        workspace(solution.dice, solution.rules),
        scores,
        zeros,
        keeps,
    )


def _parts(size: int) -> Iterator[slice]:
    for first in range(0, size, BATCH):
        yield slice(first, min(first + BATCH, size))


def _by_value(found: tuple[float, Action, int | None]) -> float:
    return -found[0]


@lru_cache(maxsize=50_000)
def _keeps(roll: Dice) -> tuple[Keep, ...]:
    """The keeps of a roll, in the order of `keep_lists`."""
    return tuple(map(Keep, sub_keeps(roll)))
