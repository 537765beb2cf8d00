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

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from fivedice.analysis.plain_turn import Found, plain_action_values
from fivedice.dice import Dice, sub_keeps
from fivedice.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.solver.states import Array, States

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution  # it loads NumPy, which `advise_plainly` does not need

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


def advise(solution: "Solution", position: Position) -> Advice:
    """Advice on one position.

    Raises `IllegalError` if the solution is that of other rules, or if no game leads to the position.
    """
    ruleset = position.ruleset
    if ruleset is not solution.ruleset and ruleset.digest != solution.ruleset.digest:
        raise IllegalError(f"this is the solution of {solution.ruleset}, not of {ruleset}")
    return _advice(solution.states, solution.values, position, lambda: _compiled_action_values(solution, position))


def advise_plainly(states: States, values: Sequence[float], position: Position) -> Advice:
    """The same advice on one position of these rules, found without NumPy and without compiled kernels.

    `values` is the table of the solution, as in `Solution.plain_values`. It takes about a millisecond; `advise` is
    several times faster, but first loads the kernels, or compiles them.
    """
    return _advice(states, values, position, lambda: plain_action_values(states, values, position))


def advise_batch(
    solution: "Solution", indices: Array, rolls: Array, rolls_left: Array, *, threads: int | None = None
) -> BatchAdvice:
    """Values of all actions in many positions, given by int64[N] each: turn states (`state_index`), rolls
    (`roll_indices`) and rolls left. All positions must be reachable; this is not checked."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from fivedice.solver.kernels.action_values import empty_outputs
    from fivedice.solver.processors import num_processors

    ruleset = solution.ruleset
    indices, rolls, rolls_left = (np.ascontiguousarray(a, dtype=np.int64) for a in (indices, rolls, rolls_left))
    scores, zeros, keeps = empty_outputs(indices.size, len(ruleset.boxes), ruleset.dice, ruleset.faces)

    def work(part: slice) -> None:
        _run(solution, indices[part], rolls[part], rolls_left[part], scores[part], zeros[part], keeps[part])

    num_threads = min(threads or num_processors(), -(-indices.size // BATCH))
    if num_threads == 1:
        work(slice(None))
    else:
        with ThreadPoolExecutor(num_threads or 1) as pool:
            for _ in pool.map(work, _parts(indices.size)):
                pass
    if not ruleset.voluntary_zero:
        zeros[~np.isnan(scores)] = np.nan
    best = np.fmax(np.fmax.reduce(scores, axis=1), np.fmax.reduce(zeros, axis=1))
    return BatchAdvice(np.fmax(best, np.fmax.reduce(keeps, axis=1)), scores, zeros, keeps)


def state_index(solution: "Solution", card: ScoreCard) -> int:
    """The index of a card in the solution's table; `fivedice.solver.states` explains the arithmetic."""
    return _index(solution.states, card)


def points_written(card: ScoreCard) -> int:
    """The points on a card: its total without the upper bonus, which values count among the points to come."""
    columns = enumerate(card.ruleset.columns)
    return card.extra_bonus + sum(
        column.multiplier * (card.section_total("upper", number) + card.section_total("lower", number))
        for number, column in columns
    )


def _advice(
    states: States, values: "Sequence[float] | Array", position: Position, action_values: Callable[[], list[Found]]
) -> Advice:
    """Advice on a position; `action_values` is called if it has actions."""
    card = position.card
    if position.is_over:
        return Advice(position, float(card.total), ())
    to_come = float(values[_index(states, card)])
    if math.isnan(to_come):
        raise IllegalError(f"{position} cannot arise in a game of {position.ruleset}")
    written = points_written(card)
    if not position.dice:
        return Advice(position, written + to_come, ())
    found = action_values()
    found.sort(key=_by_value)
    best = found[0][0]
    actions = tuple(Advised(action, written + value, best - value, points) for value, action, points in found)
    return Advice(position, written + best, actions)


def _index(states: States, card: ScoreCard) -> int:
    return states.place(
        sum(step for step, points in zip(states.steps, card.boxes, strict=True) if points is not None),
        [card.section_total("upper", column) for column in range(len(card.ruleset.columns))],
        spoiled=any(card.boxes[index] == 0 for index in card.ruleset.joker_boxes),
        saved=card.saved,
    )


def _compiled_action_values(solution: "Solution", position: Position) -> list[Found]:
    """The values of all actions in a position with dice: scores, then keeps."""
    import numpy as np

    from fivedice.solver.dice_tables import roll_indices
    from fivedice.solver.kernels.action_values import empty_outputs

    ruleset = position.ruleset
    index, roll = _index(solution.states, position.card), roll_indices(ruleset.dice, ruleset.faces)[position.dice]
    scores, zeros, keeps = empty_outputs(1, len(ruleset.boxes), ruleset.dice, ruleset.faces)
    _run(solution, np.array([index]), np.array([roll]), np.array([position.rolls_left]), scores, zeros, keeps)
    by_box, by_zero = scores[0].tolist(), zeros[0].tolist()
    box_index = ruleset.box_index
    found: list[Found] = [
        ((by_box if offer.points else by_zero)[box_index[offer.action.box]], offer.action, offer.points)
        for offer in position.offers()
    ]
    if position.rolls_left:
        found += [(value, keep, None) for value, keep in zip(keeps[0].tolist(), _keeps(position.dice), strict=False)]
    return found


def _run(
    solution: "Solution", indices: Array, rolls: Array, rolls_left: Array, scores: Array, zeros: Array, keeps: Array
) -> None:
    # Imported here, because it loads the compiler.
    from fivedice.solver.dice_tables import keep_lists
    from fivedice.solver.kernels.action_values import action_values
    from fivedice.solver.solve import workspace

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


def _by_value(found: Found) -> float:
    return -found[0]


@lru_cache(maxsize=50_000)
def _keeps(roll: Dice) -> tuple[Keep, ...]:
    """The keeps of a roll, in the order of `keep_lists`."""
    return tuple(map(Keep, sub_keeps(roll)))
