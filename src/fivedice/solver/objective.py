"""`Objective`: the best expected utility of the final score, after the next turn, for every deficit.

A *utility* is any non-decreasing function of the final score. A *target* is the utility that is 1 from a certain score
on and else 0; its expectation is the chance of reaching it. `docs/targets.md` describes the method.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from fivedice.errors import MalformedError
from fivedice.solver.kernels.objective_layers import (
    ROW,
    bound_rows,
    fill_rows,
    objective_workspace,
    spread_points,
)
from fivedice.solver.kernels.simd import aligned_zeros
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError, default_memory_limit, in_threads, size_text
from fivedice.solver.states import BLOCK, Array, States

TARGET = np.array([0.0, 1.0])
"""The utilities of a target: of one point less, and of the target itself."""

ANY_DEFICIT = 2**40
"""Greater than any deficit."""

ROUNDING = 1e-15
"""Utilities this close to the greatest, as a share of the range of utilities, count as the greatest."""

TABLE_BYTES = 3 * 4
"""Bytes for each entry of the solution: three int32."""

BLOCKS_PER_PART = 2**15
"""Blocks of lanes in one task of a thread: a tenth of a second, so that an interrupt does not wait longer."""

ROWS_PER_PART = 2**13
"""Rows in a task that only finds their bounds."""


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


@dataclass(frozen=True, eq=False)
class Objective:
    """The best expected utilities of the turn states that follow one turn, by deficit.

    `rows` and `row_of` are as in `kernels/objective_layers.py`; `values` are the utilities of one layer of cards, and
    `offset` is the difference between the goal and the greatest final score that matters.
    """

    rows: Array
    row_of: Array
    values: Array
    offset: int

    def after(self, index: int, deficits: Array) -> Array:
        """float64[n]: the best expected utilities of the turn state with this index for deficits, int64[n]."""
        row = self.rows[self.row_of[index] - 1]
        places = np.asarray(deficits) - self.offset + (row["start"] - row["low"] - 1)
        found: Array = self.values[np.clip(places, row["begin"], row["end"])]
        return found

    def sure(self, index: int) -> int:
        """The greatest deficit that the turn state with this index makes up whatever the dice show."""
        return int(self.rows["sure"][self.row_of[index] - 1]) + self.offset

    def possible(self, index: int) -> int:
        """The greatest deficit that the turn state with this index can make up."""
        return int(self.rows["high"][self.row_of[index] - 1]) + self.offset


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
    limit = default_memory_limit() if memory_limit is None else memory_limit
    rules = solution.rules
    rows, row_of, firsts = _find_rows(solution, index, limit)
    ends = rows[: firsts[0]]
    bonuses = rules.end_values[ends["index"] % rules.end_values.size].astype(np.int64)
    steps, offset = _cut(steps, deficit, ends, bonuses)
    if deficit is None:
        rows["least"], rows["most"] = -ANY_DEFICIT, ANY_DEFICIT
    else:
        rows["least"], rows["most"] = deficit - offset - rows["most"], deficit - offset - rows["least"]
    terminal = _end(ends, steps, bonuses)
    layers = [np.arange(first, last) for first, last in pairwise(firsts)]
    with in_threads(threads) as pool:
        values = _fill(solution, pool, layers, rows, row_of, terminal, limit, progress)
    return Objective(rows, row_of, values, offset)


def _find_rows(solution: Solution, index: int, limit: int) -> tuple[Array, Array, list[int]]:
    """`rows`, with the least and the most points written since this turn state; `row_of`; and where the rows of each
    layer after that of this turn state begin. The rows of finished games come first."""
    states = solution.states
    _check_size(solution, TABLE_BYTES * states.num_entries, limit)
    least, most, row_of = (np.zeros(states.num_entries, dtype=np.int32) for _ in range(3))
    least[index] = most[index] = 1
    layers = _layers_above(states, index // (states.num_planes * states.stride))
    work = objective_workspace(solution.dice, solution.rules)
    parts = []
    for layer in layers[:-1]:
        spread_points(solution.dice, solution.rules, layer, work, least, most)
    identical = np.arange(states.num_lanes)[np.newaxis]
    parts = [_layer_rows(states, np.append(layers[-1], states.num_cards), identical, least, most, row_of, 0)]
    firsts = [parts[0].size]
    for layer in layers[1:-1]:
        parts.append(_layer_rows(states, layer, _bonus_classes(states, layer), least, most, row_of, firsts[-1]))
        firsts.append(firsts[-1] + parts[-1].size)
    return np.concatenate(parts), row_of, firsts


def _layers_above(states: States, card: int) -> list[Array]:
    """The card numbers after 0, 1, … more turns, as int64[…] for each."""
    layers = [np.array([card])]
    for _ in range(states.ruleset.rounds - len(states.filled(card))):
        cards = layers[-1]
        after = [
            cards[cards // step % radix == turn] + step
            for step, radix, turn in zip(states.steps, states.radices, states.turns, strict=True)
        ]
        layers.append(np.unique(np.concatenate(after)))
    return layers


def _layer_rows(
    states: States, cards: Array, classes: Array, least: Array, most: Array, row_of: Array, first: int
) -> Array:
    """ROW[…] for the reached turn states of these cards, from number `first` on; also writes `row_of`.

    `classes`, int64[cards or 1, lanes]: lanes of the same class share a row.
    """
    shape = (states.num_cards + 1, states.num_planes, states.stride)
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


def _bonus_classes(states: States, cards: Array) -> Array:
    """int64[cards or 1, lanes]: the lowest lane from which the open upper boxes of the first column lead to the same
    bonus, whatever they will hold."""
    ruleset = states.ruleset
    upper = [i for i, box in enumerate(ruleset.boxes) if box.category.section == "upper" and box.column == 0]
    if not upper:
        return np.zeros((1, states.num_lanes), dtype=np.int64)
    is_open = np.stack([cards // states.steps[i] % states.radices[i] <= states.turns[i] for i in upper], axis=1)
    patterns, which = np.unique(is_open, axis=0, return_inverse=True)
    bonus = np.array([ruleset.bonus_for(total) for total in range(states.num_lanes)])
    classes = np.zeros((len(patterns), states.num_lanes), dtype=np.int64)
    for number, pattern in enumerate(patterns.tolist()):
        sums = np.zeros(1, dtype=np.int64)
        for box in (ruleset.boxes[i] for i, is_open_box in zip(upper, pattern, strict=True) if is_open_box):
            points = np.array(sorted(ruleset.attainable(box.category)))
            sums = np.unique(np.minimum(sums[:, np.newaxis] + points, states.cap))
        bonuses = bonus[np.minimum(np.arange(states.num_lanes)[:, np.newaxis] + sums, states.cap)]
        _, begins, same = np.unique(bonuses, axis=0, return_index=True, return_inverse=True)
        classes[number] = begins[same.ravel()]
    return classes[which.ravel()]


def _cut(steps: Array, deficit: int | None, ends: Array, bonuses: Array) -> tuple[Array, int]:
    """The steps between the least and the greatest utility that play can still reach, and how far the last of them is
    below the goal."""
    last = steps.size - 1
    begin, end = 0, last
    if deficit is not None:
        begin = min(max(last - deficit + int((ends["least"] + bonuses).min()), 0), last)
        end = min(max(last - deficit + int((ends["most"] + bonuses).max()), 0), last)
    begin = int(np.searchsorted(steps, steps[begin], side="right")) - 1
    end = max(begin, int(np.searchsorted(steps, steps[end], side="left")))
    return steps[begin : end + 1], last - end


def _end(ends: Array, steps: Array, bonuses: Array) -> Array:
    """The utilities of finished games, which only differ by their bonus; also writes their rows."""
    between = steps[-2:0:-1]
    ends["low"], ends["high"] = bonuses, bonuses + between.size
    ends["begin"], ends["start"], ends["end"] = 0, BLOCK, BLOCK + _whole_blocks(between.size)
    values = aligned_zeros(2 * BLOCK + _whole_blocks(between.size))
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
    limit: int,
    progress: Callable[[int, int], None] | None,
) -> Array:
    """The utilities of the first layer, found from the last one back."""
    dice, rules = solution.dice, solution.rules

    def bound(which: Array) -> None:
        bound_rows(dice, rules, which, row_of, objective_workspace(dice, rules), rows)

    def bound_layer(which: Array) -> int:
        for _ in pool.map(bound, np.array_split(which, which.size // ROWS_PER_PART + 1)):
            pass
        return _lay_out(rows, which, terminal.size)

    sizes = [terminal.size, *(bound_layer(which) for which in reversed(layers))]
    rows["sure"] = rows["low"]
    at_once = 8 * max(a + b for a, b in pairwise([0, *sizes]))
    _check_size(solution, TABLE_BYTES * row_of.size + 2 * rows.nbytes + at_once, limit)

    greatest, least = float(terminal[0]), float(terminal[-1])
    certain = greatest - ROUNDING * (greatest - least)
    lanes = rows["high"] - rows["low"]
    num_done, num_lanes = 0, int(lanes[layers[0][0] :].sum()) if layers else 0
    values = _read_only(terminal)
    for which in reversed(layers):
        # Rounding makes more utilities the greatest than chance does, so that rows become shorter.
        found = aligned_zeros(bound_layer(which))
        found[: terminal.size] = terminal
        block = np.arange(BLOCK)
        found[rows["begin"][which][:, np.newaxis] + block] = greatest
        found[rows["end"][which][:, np.newaxis] + block] = least

        def fill(part: Array, next_values: Array = values, out: Array = found) -> int:
            work = objective_workspace(dice, rules)
            fill_rows(dice, rules, part, row_of, greatest, certain, next_values, work, rows, out)
            return int(lanes[part].sum())

        for share in pool.map(fill, _parts(rows, which)):
            num_done += share
            if progress and num_lanes:
                progress(num_done, num_lanes)
        values = _read_only(found)
        del fill, found  # which would keep the layer after this one in memory as well
    return values


def _lay_out(rows: Array, which: Array, first: int) -> int:
    """Places these rows one after the other from `first` on, each between two blocks; returns the size of all."""
    sizes = _whole_blocks(rows["high"][which] - rows["low"][which])
    begins = first + np.cumsum(sizes + 2 * BLOCK) - sizes - 2 * BLOCK
    rows["begin"][which], rows["start"][which], rows["end"][which] = begins, begins + BLOCK, begins + BLOCK + sizes
    return first + int((sizes + 2 * BLOCK).sum())


def _parts(rows: Array, which: Array) -> Iterator[Array]:
    """The rows of a layer in parts of about equal work."""
    blocks = np.cumsum(_whole_blocks(rows["high"][which] - rows["low"][which])) // BLOCK
    number = blocks // BLOCKS_PER_PART
    return iter(np.split(which, np.flatnonzero(np.diff(number)) + 1))


def _whole_blocks(size: Any) -> Any:
    """Sizes, rounded up to whole blocks."""
    return -(-size // BLOCK) * BLOCK


def _read_only(values: Array) -> Array:
    """As every layer is read, so that the kernel is compiled once."""
    view = values.view()
    view.flags.writeable = False
    return view


def _check_size(solution: Solution, num_bytes: int, limit: int) -> None:
    """Raises `TooLargeError`, which states the memory needed, if that is more than allowed."""
    if num_bytes > limit:
        raise TooLargeError(
            f"the targets of {solution.ruleset} are too large to find from here: they need at least"
            f" {size_text(num_bytes)} of memory, and {size_text(limit)} are allowed"
        )
