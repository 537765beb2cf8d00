"""`BatchAdvice`: the values of all actions in many positions at once, as arrays."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.solver.tables.states import Array, States

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution  # it loads NumPy, as the functions below do

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

    # Imported here, because it loads NumPy.
    from fivedice.solver.kernels.action_values import Found, action_values, empty_outputs
    from fivedice.solver.processors import num_processors
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

    num_threads = min(threads or num_processors(), -(-indices.size // BATCH))
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
