"""`find_rows`: which turn states share their utilities, and where those of each are; `kernels/objective_layers.py` has
the fields of a row."""

import numpy as np

from fivedice.solver.kernels.objective_bounds import ROW, objective_workspace, spread_points
from fivedice.solver.solution import Solution, per_thread
from fivedice.solver.solve import check_memory
from fivedice.solver.tables.card_layers import bonus_classes, cards_after
from fivedice.solver.tables.states import Array, States

TABLE_BYTES = 3 * 4
"""Bytes for each entry of the solution: three int32."""

thread_workspace = per_thread(objective_workspace)


def find_rows(solution: Solution, index: int, limit: int | None) -> tuple[Array, Array, list[int]]:
    """`rows`, with the least and the most points written since this turn state; `row_of`; and where the rows of each
    layer after that of this turn state begin. The rows of finished games come first."""
    states = solution.states
    check_objective_size(solution, TABLE_BYTES * states.num_entries, limit)
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


def check_objective_size(solution: Solution, num_bytes: int, memory_limit: int | None) -> None:
    """Raises `TooLargeError`, which states the memory needed, if that is more than allowed."""
    needs = f"the targets of {solution.ruleset} are too large to find from here: they need at least"
    check_memory(needs, num_bytes, memory_limit)
