"""Actions in arrays: `ActionNumbers`, every action of a ruleset as a number from 0, in an order that never changes; and
`BatchAdvice`, the values of all actions in many positions at once.

First come the boxes, in the order of the card; then, if the ruleset has voluntary zeros, the same boxes scratched; then
the announcements; then every keep, in the order of `fivedice.rulesets.dice.keeps`: smaller
ones first, those of equal size in lexicographic order.

>>> from fivedice import Keep, Score, load_ruleset
>>> numbers = ActionNumbers(load_ruleset("yahtzee"))
>>> numbers.size, numbers.first_keep
(475, 13)
>>> numbers.number(Score("chance")), numbers.number(Keep(())), numbers.number(Keep((6, 6, 6)))
(12, 13, 96)
>>> str(numbers.action(96))
'keep 666'
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from operator import index
from typing import TYPE_CHECKING, Any

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.game.action import Action, Announce, Keep, Score, as_action
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.dice import keeps
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import Array, States

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution  # it loads NumPy, as the functions below do

MOST_KEEPS = 10_000
"""The most keeps of a ruleset. More would make masks of gigabytes."""


def ruleset_of(rules: str | Ruleset) -> Ruleset:
    """A ruleset, or that with a name in notation; raises `MalformedError` if it has too many keeps."""
    ruleset = load_ruleset(rules) if isinstance(rules, str) else rules
    num_keeps = comb(ruleset.dice + ruleset.faces, ruleset.faces)
    if num_keeps > MOST_KEEPS:
        raise MalformedError(f"{ruleset} has {num_keeps:,} keeps: an environment can number {MOST_KEEPS:,} at most")
    return ruleset


@dataclass(frozen=True)
class ActionNumbers:
    """The numbers of a ruleset's actions."""

    ruleset: Ruleset

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Every action, by number."""
        ruleset = self.ruleset
        scores = [Score(box.id, is_scratch=not points) for points in ruleset.writable(1) for box in ruleset.boxes]
        announcements = [Announce(ruleset.boxes[box].id) for box in sorted(ruleset.announceable_boxes)]
        return (*scores, *announcements, *map(Keep, keeps(ruleset.dice, ruleset.faces)))

    @property
    def size(self) -> int:
        """The number of actions."""
        return len(self.actions)

    @property
    def first_announcement(self) -> int:
        """The number of the first announcement; that of the first keep if there are none."""
        return len(self.ruleset.boxes) * len(self.ruleset.writable(1))

    @property
    def first_keep(self) -> int:
        """The number of the first keep, that of no dice."""
        return self.first_announcement + len(self.ruleset.announceable_boxes)

    @cached_property
    def _numbers(self) -> dict[Action, int]:
        return {action: number for number, action in enumerate(self.actions)}

    def number(self, action: Action | str) -> int:
        """The number of an action; raises `MalformedError` if the ruleset has no such action."""
        try:
            return self._numbers[as_action(action)]
        except KeyError:
            raise MalformedError(f"{self.ruleset} has no action '{action}'") from None

    def action(self, number: int) -> Action:
        """The action with a number; raises `MalformedError` for any other number."""
        if not 0 <= index(number) < self.size:
            raise MalformedError(f"action {number}: want a number from 0 to {self.size - 1}")
        return self.actions[number]

    def mask(self, position: Position) -> Array:
        """int8[size]: 1 for each legal action of a position, otherwise 0."""
        import numpy as np

        mask = np.zeros(self.size, dtype=np.int8)
        mask[[self._numbers[action] for action in position.actions()]] = 1
        return mask


BATCH = 4_096
"""Positions in one task of a thread: many enough for little overhead, few enough to share the work evenly."""


@dataclass(frozen=True)
class BatchAdvice:
    """Values of all actions in N positions, as points to come, without those already on a card.

    `scores` and `zeros`, float64[N, boxes]: filling a box with the points of the roll, or with zero; `keeps`,
    float64[N, …]: in the order of `fivedice.rulesets.dice.sub_keeps`. NaN where an action is not legal. `points`,
    int64[N, boxes]: what each of `scores` writes in its box.
    """

    scores: Array
    zeros: Array
    keeps: Array
    points: Array

    @cached_property
    def best(self) -> Array:
        """float64[N]: the value of the best action."""
        import numpy as np

        kinds = (self.scores, self.zeros, self.keeps)
        best: Array = np.fmax.reduce([np.fmax.reduce(values, axis=1) for values in kinds])
        return best


def checked_arrays(solution: "Solution", *given: Any) -> tuple[Array, Array, Array]:
    """Turn states, rolls and rolls left as int64[N] each."""
    import numpy as np

    names = ("turn states", "rolls", "rolls left")
    arrays = [np.asarray(array) for array in given]
    for name, array in zip(names, arrays, strict=True):
        if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
            raise MalformedError(f"{name}: want whole numbers in one dimension, not {array.dtype} of {array.shape}")
    if len({array.size for array in arrays}) > 1:
        sizes = ", ".join(f"{array.size:,} {name}" for name, array in zip(names, arrays, strict=True))
        raise MalformedError(f"want as many turn states as rolls and rolls left, not {sizes}")
    indices, rolls, left = (np.ascontiguousarray(array, dtype=np.int64) for array in arrays)
    saved = solution.states.num_saved - 1
    limits = (solution.values.size, solution.dice.num_rolls, solution.ruleset.rolls + saved)
    for name, array, limit in zip(names, (indices, rolls, left), limits, strict=True):
        wrong = np.flatnonzero((array < 0) | (array >= limit))
        if wrong.size:
            raise IllegalError(f"position {wrong[0]}: {name} are from 0 to {limit - 1:,}, not {array[wrong[0]]:,}")
    unreachable = np.flatnonzero(np.isnan(solution.values[indices]))
    if unreachable.size:
        first = unreachable[0]
        raise IllegalError(f"position {first}: no game of {solution.ruleset} leads to turn state {indices[first]:,}")
    return indices, rolls, left


def advise_arrays(
    solution: "Solution", indices: Array, rolls: Array, rolls_left: Array, threads: int | None
) -> BatchAdvice:
    """Values of all actions in positions that are known to arise, int64[N] each."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from fivedice.base.processors import num_processors

    # Imported here, because it loads NumPy.
    from fivedice.solver.kernels.action_values import Found, action_values, empty_outputs
    from fivedice.solver.solve import thread_workspace
    from fivedice.solver.tables.dice_tables import keep_lists

    ruleset = solution.ruleset
    scores, zeros, keeps = empty_outputs(indices.size, len(ruleset.boxes), ruleset.dice, ruleset.faces)
    points, lists = np.zeros(scores.shape, dtype=np.int64), keep_lists(ruleset.dice, ruleset.faces)

    def work(part: slice) -> None:
        given = (array[part] for array in (indices, rolls, rolls_left))
        found = Found(*(array[part] for array in (scores, zeros, keeps, points)))
        work = thread_workspace(solution)
        action_values(solution.dice, solution.rules, lists, *given, solution.values, work, found)

    num_threads = min(num_processors(threads), -(-indices.size // BATCH))
    if num_threads <= 1:
        work(slice(None))
    else:
        with ThreadPoolExecutor(num_threads) as pool:
            for _ in pool.map(work, _parts(indices.size)):
                pass
    if 0 not in ruleset.writable(1):
        zeros[~np.isnan(scores)] = np.nan
    if len(ruleset.columns) > 1:
        points //= [ruleset.columns[box.column].multiplier for box in ruleset.boxes]
    return BatchAdvice(scores, zeros, keeps, points)


def _parts(size: int) -> Iterator[slice]:
    for first in range(0, size, BATCH):
        yield slice(first, min(first + BATCH, size))


def stand_ins(states: States, filled: Array) -> Array:
    """int64[N, B]: for each box the one that has its place in the table, on cards that have `filled`, bool[N, B]."""
    import numpy as np

    if not states.interchangeable or not len(filled):
        return np.broadcast_to(np.arange(filled.shape[1]), filled.shape)
    cards, which = np.unique(filled, axis=0, return_inverse=True)
    table = np.array([states.playable_stand_ins(set(np.flatnonzero(card).tolist())) for card in cards])
    found: Array = table[which.ravel()]
    return found
