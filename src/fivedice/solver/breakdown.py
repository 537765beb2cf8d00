"""`Breakdown`: the expected points to come of every turn state, split by component, under optimal play.

>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.solver.solve import solve
>>> crag = solve(load_ruleset("crag"))
>>> breakdown = find_breakdown(crag)
>>> new_game = dict(zip(breakdown.names, breakdown.at(0).tolist(), strict=True))
>>> round(new_game["ones"], 2), round(new_game["crag"], 2)
(0.96, 41.16)
>>> round(sum(new_game.values()), 6) == round(crag.expected_score, 6)
True
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np

from fivedice.ruleset import Ruleset
from fivedice.solver.kernels.row_sums import sum_components
from fivedice.solver.policy_transitions import PolicyTransitions, Transitions, list_policy, transitions_of
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError, default_memory_limit, in_threads, layers_of_cards, size_text
from fivedice.solver.states import Array

UPPER_BONUS, EXTRA_BONUS = "upper_bonus", "extra_bonus"


@dataclass(frozen=True, eq=False, repr=False)
class Breakdown:
    """The expected points of a solution's turn states, split by component: each box, the upper and the extra bonus.

    `parts` is float64[rows, boxes + 2], with a row for each turn state of an unfinished game, in the order of the
    table: the boxes, times the multiplier of their column, then the upper bonus, then the extra bonus. `seconds` is the
    time it took to find them.
    """

    solution: Solution
    parts: Array
    seconds: float

    def __post_init__(self) -> None:
        read_only = self.parts.view()
        read_only.flags.writeable = False
        object.__setattr__(self, "parts", read_only)

    @cached_property
    def row_of(self) -> Array:
        """int32[entries]: turn state → its row; -1 if the game is over or the state is unreachable."""
        return rows_of(self.solution)

    @property
    def names(self) -> tuple[str, ...]:
        """The components in order: ids of boxes, then `UPPER_BONUS` and `EXTRA_BONUS`."""
        return component_names(self.solution.ruleset)

    def at(self, index: int) -> Array:
        """float64[components]: the expected points of a reachable turn state; they add up to its value."""
        parts = np.zeros(len(self.names))
        row = self.row_of[index]
        if row >= 0:
            parts += self.parts[row]
        else:
            parts[-2] = self.solution.values[index]
        return parts

    def of_keep(self, index: int, keep_row: int, rolls_left: int) -> Array:
        """float64[components]: the expected points after a keep with `rolls_left` rolls left, in a turn that began in a
        reachable turn state. `keep_row` is the keep's index in `keep_rows`."""
        solution, parts = self.solution, np.zeros(len(self.names))
        start = (np.array([number]) for number in (0, index, keep_row, rolls_left))
        found = transitions_of(solution, self.row_of, self._ends, *start)
        extra = np.where(found.box < 0, solution.rules.extra_bonus, 0.0)
        np.add.at(parts, np.where(found.box < 0, -1 - found.box, found.box), found.chance * (found.points - extra))
        parts[-1] += found.chance @ extra
        is_over = found.after < 0
        parts[-2] += found.chance[is_over] @ self._ends[-1 - found.after[is_over]]
        parts += found.chance[~is_over] @ self.parts[found.after[~is_over]]
        return parts

    @cached_property
    def _ends(self) -> Array:
        return np.unique(self.solution.rules.end_values)

    def __repr__(self) -> str:
        return f"<Breakdown {self.solution.ruleset} {len(self.names)} rows={len(self.parts):,}>"


def component_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The components of a ruleset's scores in order: ids of boxes, then the two bonuses."""
    return (*(box.id for box in ruleset.boxes), UPPER_BONUS, EXTRA_BONUS)


def rows_of(solution: Solution) -> Array:
    """int32[entries]: the rows of reachable turn states of unfinished games, in the order of the table; else -1."""
    states = solution.states
    is_over = np.ones(states.num_cards, dtype=bool)
    for layer in layers_of_cards(states)[:-1]:
        is_over[layer] = False
    indices = solution.indices()
    indices = indices[~is_over[indices // (states.num_planes * states.stride)]]
    rows = np.full(solution.values.size, -1, dtype=np.int32)
    rows[indices] = np.arange(indices.size)
    return rows


def find_breakdown(
    solution: Solution,
    transitions: PolicyTransitions | None = None,
    *,
    threads: int | None = None,
    memory_limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Breakdown:
    """The breakdown of a solution, from the transitions of all its turn states, which are listed if not given.

    `progress` and `memory_limit` are as in `solve`. Raises `TooLargeError` before allocating much.
    """
    began = perf_counter()
    check_size(solution, default_memory_limit() if memory_limit is None else memory_limit)
    transitions = transitions or list_policy(solution, threads=threads, memory_limit=memory_limit, progress=progress)
    by_row = np.zeros((transitions.num_rows, len(component_names(solution.ruleset))))

    def sum_part(part: Transitions) -> None:
        sum_components(part, solution.rules.extra_bonus, transitions.ends, by_row)

    with in_threads(threads) as pool:
        for layer in reversed(transitions.layers):
            for _ in pool.map(sum_part, layer):
                pass
    row_of = transitions.row_of
    return Breakdown(solution, by_row[row_of[row_of >= 0]], perf_counter() - began)


def check_size(solution: Solution, memory_limit: int) -> None:
    """Raises `TooLargeError`, which states the memory needed, if the parts would not fit."""
    num_components = len(component_names(solution.ruleset))
    size = solution.num_turn_states * num_components * 8 + solution.values.size * 4
    if size > memory_limit:
        raise TooLargeError(
            f"the breakdown of {solution.ruleset} is too large to find: {solution.num_turn_states:,} turn states"
            f" with {num_components} components each need {size_text(size)} of memory,"
            f" and {size_text(memory_limit)} are allowed"
        )
