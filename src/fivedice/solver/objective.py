"""`Objective`: the best expected utility of the final score, after the next turn, for every deficit.

A *utility* is any non-decreasing function of the final score. A *target* is the utility that is 1 from a certain score
on and else 0; its expectation is the chance of reaching it. `docs/targets.md` describes the method.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fivedice.base.errors import MalformedError
from fivedice.solver.kernels.action_values import empty_outputs
from fivedice.solver.kernels.objective_layers import (
    ROW,
    Actions,
    Utilities,
    bound_rows,
    fill_rows,
    objective_workspace,
    spread_points,
    utility_values,
)
from fivedice.solver.kernels.simd import aligned_zeros
from fivedice.solver.solution import Solution, per_thread
from fivedice.solver.solve import check_memory, in_threads, mapping, whole_blocks
from fivedice.solver.tables.card_layers import bonus_classes, cards_after
from fivedice.solver.tables.dice_tables import keep_lists
from fivedice.solver.tables.states import BLOCK, Array, States

TARGET = np.array([0.0, 1.0])
"""The utilities of a target: of one point less, and of the target itself."""


@dataclass(frozen=True)
class Utility:
    """A non-decreasing utility of the final score: `values[i]`, float64[n], is that of the score `first` + i.

    Smaller scores have the first utility, greater ones the last. Raises `MalformedError` for anything else.
    """

    first: int
    values: Array

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=np.float64).copy()
        if values.ndim != 1 or not values.size or not np.isfinite(values).all() or (np.diff(values) < 0).any():
            raise MalformedError("a utility needs finite numbers, one for each score, none less than the one before")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @property
    def last(self) -> int:
        """The score from which on the utility is constant."""
        return self.first + self.values.size - 1

    def of(self, scores: Array) -> Array:
        """float64[…]: the utilities of scores, int64[…]."""
        found: Array = self.values[np.clip(np.asarray(scores) - self.first, 0, self.values.size - 1)]
        return found


TABLE_BYTES = 3 * 4
"""Bytes for each entry of the solution: three int32."""

thread_workspace = per_thread(objective_workspace)

ANY_DEFICIT = 2**40
"""Greater than any deficit."""

ROUNDING = 1e-15
"""Utilities this close to the greatest, as a share of the range of utilities, count as the greatest."""

BLOCKS_PER_PART = 2**15
"""Blocks of lanes in one task of a thread: a tenth of a second, so that an interrupt does not wait longer."""

ROWS_PER_PART = 2**13
"""Rows in a task that only finds their bounds."""


@dataclass(frozen=True, eq=False)
class Objective:
    """The best expected utilities of the turn states that follow one turn, by deficit."""

    solution: Solution
    utilities: Utilities

    def before_roll(self, index: int, deficit: int) -> float:
        """The best expected utility of the turn state from which this objective was found, for a deficit."""
        return float(self.of_actions(index, deficit, -1, 0).keeps[0])

    def of_actions(self, index: int, deficit: int, roll: int, rolls_left: int) -> Actions:
        """The best expected utilities of all actions in that turn state. `roll` is an index of `roll_indices`."""
        solution, ruleset = self.solution, self.solution.ruleset
        out = Actions(*(array[0] for array in empty_outputs(1, len(ruleset.boxes), ruleset.dice, ruleset.faces)))
        given = (solution.dice, solution.rules, keep_lists(ruleset.dice, ruleset.faces), self.utilities)
        utility_values(*given, index, deficit, roll, rolls_left, thread_workspace(solution), out)
        return out

    def sure(self, index: int) -> int:
        """The greatest deficit that the turn state with this index makes up whatever the dice show."""
        return int(self.utilities.rows["sure"][self.utilities.row_of[index] - 1])

    def possible(self, index: int) -> int:
        """The greatest deficit that the turn state with this index can make up."""
        return int(self.utilities.rows["high"][self.utilities.row_of[index] - 1])


def find_objective(
    solution: Solution,
    index: int,
    *,
    steps: Array = TARGET,
    deficit: int | None = None,
    threads: int | None = None,
    memory_limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Objective:
    """The best expected utilities after the turn that begins in the turn state with this index.

    `steps`, float64[n] and non-decreasing, are the utilities of games that end n − 1, …, 1, 0 points below the goal;
    games below or above have the first or the last of them. `deficit` is what this turn state lacks to the goal;
    without one, the utilities of every deficit are found. `progress` is called with (lanes done, lanes) from time to
    time: a lane is one deficit of one turn state.
    Raises `TooLargeError` before allocating the utilities if they need more than `memory_limit` bytes, by default three
    quarters of the machine's memory.
    """
    rows, row_of, firsts = _rows(solution, index, memory_limit)
    ends = rows[: firsts[0]]
    bonuses = _bonuses(solution, ends["index"])
    if deficit is None:
        rows["least"], rows["most"] = -ANY_DEFICIT, ANY_DEFICIT
    else:
        rows["least"], rows["most"] = deficit - rows["most"], deficit - rows["least"]
    terminal = _end(ends, steps, bonuses)
    layers = [np.arange(first, last) for first, last in pairwise(firsts)]
    with in_threads(threads) as pool:
        values = _fill(solution, pool, layers, rows, row_of, terminal, memory_limit, progress)
    return Objective(solution, Utilities(rows, row_of, values))


def _rows(solution: Solution, index: int, limit: int | None) -> tuple[Array, Array, list[int]]:
    """`rows`, with the least and the most points written since this turn state; `row_of`; and where the rows of each
    layer after that of this turn state begin. The rows of finished games come first."""
    states = solution.states
    _check_size(solution, TABLE_BYTES * states.num_entries, limit)
    least, most, row_of = (np.zeros(states.num_entries, dtype=np.int32) for _ in range(3))
    least[index] = most[index] = 1
    start = states.card_at(index)
    layers = cards_after(states, (start,))[len(states.filled(start)) :]
    work = thread_workspace(solution)
    parts = []
    for layer in layers[:-1]:
        spread_points(solution.dice, solution.rules, layer, work, least, most)
    identical = np.arange(states.num_lanes)[np.newaxis]
    ends = np.append(layers[-1], states.num_cards + np.arange(states.num_won_cards))
    parts = [_layer_rows(states, ends, identical, least, most, row_of, 0)]
    firsts = [parts[0].size]
    for layer in layers[1:-1]:
        parts.append(_layer_rows(states, layer, bonus_classes(states, layer), least, most, row_of, firsts[-1]))
        firsts.append(firsts[-1] + parts[-1].size)
    return np.concatenate(parts), row_of, firsts


def _layer_rows(
    states: States, cards: Array, classes: Array, least: Array, most: Array, row_of: Array, first: int
) -> Array:
    """ROW[…] for the reached turn states of these cards, from number `first` on; also writes `row_of`.

    `classes`, int64[cards or 1, lanes]: lanes of the same class share a row.
    """
    shape = (states.num_cards + states.num_won_cards, states.num_planes, states.stride)
    card, plane, lane = np.nonzero(least.reshape(shape)[cards, :, : states.num_lanes])
    index = (cards[card] * states.num_planes + plane) * states.stride + lane
    of_lane = np.broadcast_to(classes, (cards.size, states.num_lanes))[card, lane]
    keys = (card * states.num_planes + plane) * states.num_lanes + of_lane
    _, begins, numbers = np.unique(keys, return_index=True, return_inverse=True)
    rows = np.zeros(begins.size, dtype=ROW)
    row_of[index] = first + 1 + numbers
    rows["index"] = index[begins]
    if begins.size:  # a class is a range of lanes
        rows["least"] = np.minimum.reduceat(least[index], begins) - 1
        rows["most"] = np.maximum.reduceat(most[index], begins) - 1
    return rows


def _check_size(solution: Solution, num_bytes: int, memory_limit: int | None) -> None:
    """Raises `TooLargeError`, which states the memory needed, if that is more than allowed."""
    needs = f"the targets of {solution.ruleset} are too large to find from here: they need at least"
    check_memory(needs, num_bytes, memory_limit)


def _bonuses(solution: Solution, indices: Array) -> Array:
    """int64[…]: what the end of a game adds to its points, by turn state: upper bonuses, and outright wins."""
    by_plane = solution.rules.end_values
    won_begin = solution.states.num_cards * by_plane.size
    won = solution.values[np.maximum(indices, won_begin)]
    found: Array = np.where(indices >= won_begin, won, by_plane[indices % by_plane.size]).astype(np.int64)
    return found


def _end(ends: Array, steps: Array, bonuses: Array) -> Array:
    """The utilities of finished games, which only differ by their bonus; also writes their rows."""
    between = steps[-2:0:-1]
    ends["low"], ends["high"] = bonuses, bonuses + between.size
    ends["begin"], ends["start"], ends["end"] = 0, BLOCK, BLOCK + whole_blocks(between.size)
    values = aligned_zeros(2 * BLOCK + whole_blocks(between.size))
    values[:BLOCK], values[BLOCK:] = steps[-1], steps[0]
    values[BLOCK : BLOCK + between.size] = between
    return values


def _fill(
    solution: Solution,
    pool: ThreadPoolExecutor,
    layers: list[Array],
    rows: Array,
    row_of: Array,
    terminal: Array,
    memory_limit: int | None,
    progress: Callable[[int, int], None] | None,
) -> Array:
    """The utilities of the first layer, found from the last one back."""
    dice, rules = solution.dice, solution.rules

    def bound(which: Array) -> int:
        bound_rows(dice, rules, which, row_of, thread_workspace(solution), rows)
        return which.size

    def bound_layer(which: Array) -> int:
        for _ in mapping(pool, which.size)(bound, np.array_split(which, which.size // ROWS_PER_PART + 1)):
            pass
        return _lay_out(rows, which, terminal.size)

    sizes = [terminal.size, *(bound_layer(which) for which in reversed(layers))]
    rows["sure"] = rows["low"]
    at_once = 8 * max(a + b for a, b in pairwise([0, *sizes]))
    _check_size(solution, TABLE_BYTES * row_of.size + 2 * rows.nbytes + at_once, memory_limit)

    greatest, least = float(terminal[0]), float(terminal[-1])
    certain = greatest - ROUNDING * (greatest - least)
    lanes = rows["high"] - rows["low"]
    num_done, num_lanes = 0, sum(int(lanes[which].sum()) for which in layers)
    values = _read_only(terminal)
    for which in reversed(layers):
        # Rounding makes more utilities the greatest than chance does, so that rows become shorter.
        found = aligned_zeros(bound_layer(which))
        found[: terminal.size] = terminal
        block = np.arange(BLOCK)
        found[rows["begin"][which][:, np.newaxis] + block] = greatest
        found[rows["end"][which][:, np.newaxis] + block] = least

        def fill(part: Array, next_values: Array = values, out: Array = found) -> int:
            steps = (greatest, certain, least)
            fill_rows(dice, rules, part, row_of, *steps, next_values, thread_workspace(solution), rows, out)
            return int(lanes[part].sum())

        for share in mapping(pool, which.size)(fill, _parts(rows, which)):
            num_done += share
            if progress and num_lanes:
                progress(num_done, num_lanes)
        values = _read_only(found)
        del fill, found  # which would keep the layer after this one in memory as well
    return values


def _lay_out(rows: Array, which: Array, first: int) -> int:
    """Places these rows one after the other from `first` on, each between two blocks; returns the size of all."""
    sizes = whole_blocks(rows["high"][which] - rows["low"][which])
    begins = first + np.cumsum(sizes + 2 * BLOCK) - sizes - 2 * BLOCK
    rows["begin"][which], rows["start"][which], rows["end"][which] = begins, begins + BLOCK, begins + BLOCK + sizes
    return first + int((sizes + 2 * BLOCK).sum())


def _parts(rows: Array, which: Array) -> Iterator[Array]:
    """The rows of a layer in parts of about equal work."""
    blocks = np.cumsum(whole_blocks(rows["high"][which] - rows["low"][which])) // BLOCK
    number = blocks // BLOCKS_PER_PART
    return iter(np.split(which, np.flatnonzero(np.diff(number)) + 1))


def _read_only(values: Array) -> Array:
    """As every layer is read, by the types of the kernel."""
    view = values.view()
    view.flags.writeable = False
    return view
