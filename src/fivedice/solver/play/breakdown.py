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

from fivedice.base.errors import wrong_type
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.components import component_names
from fivedice.solver.kernels.policy_transitions import Transitions, sum_components
from fivedice.solver.play.policy_transitions import Ends, number_policy, transitions_of
from fivedice.solver.solution import Solution
from fivedice.solver.solve import check_memory
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.states import Array


@dataclass(frozen=True, eq=False, repr=False)
class Breakdown:
    """The expected points of a solution's turn states, split by component: each box, the upper and the extra bonus.

    `parts` is float64[rows, boxes + 2], with a row for each turn state of an unfinished game, in the order of the
    table: the boxes, times the multiplier of their column, then the upper bonus, then the extra bonus. Under rules with
    outright wins, two columns follow: what such a win counts, and its chance. `seconds` is the time it took to find
    them.
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
    def ruleset(self) -> Ruleset:
        """The rules that this breaks down."""
        return self.solution.ruleset

    @property
    def names(self) -> tuple[str, ...]:
        """The components in order, as in `component_names`."""
        return component_names(self.solution.ruleset)

    def at(self, index: int) -> Array:
        """float64[components]: the expected points of a reachable turn state; they add up to its value."""
        return self.columns_at(index)[: len(self.names)]

    def of_keep(self, index: int, keep_row: int, rolls_left: int) -> Array:
        """float64[components]: the expected points after a keep with `rolls_left` rolls left, in a turn that began in a
        reachable turn state. `keep_row` is the keep's index in `keep_rows`."""
        return self.columns_of_keep(index, keep_row, rolls_left)[: len(self.names)]

    def columns_at(self, index: int) -> Array:
        """float64[columns]: all columns of `parts` for a reachable turn state."""
        found, row = np.zeros(num_columns(self.solution.ruleset)), self.row_of[index]
        if row >= 0:
            found += self.parts[row]
        else:
            found[len(self.ruleset.boxes)] = self.solution.values[index]
        return found

    def columns_of_keep(self, index: int, keep_row: int, rolls_left: int) -> Array:
        """float64[columns]: all columns of `parts` after a keep, which is given as to `of_keep`."""
        solution, bonus = self.solution, len(self.ruleset.boxes)
        parts = np.zeros(num_columns(solution.ruleset))
        start = (np.array([number]) for number in (0, index, keep_row, rolls_left))
        found = transitions_of(solution, self.row_of, self._ends.values, *start)
        box = np.where(found.box < 0, -1 - found.box, found.box)
        extra = np.where(found.box < 0, solution.rules.extra_bonus[box], 0.0)
        np.add.at(parts, box, found.chance * (found.points - extra))
        parts[bonus + 1] += found.chance @ extra
        is_over = found.after < 0
        parts[bonus] += found.chance[is_over] @ self._ends.bonuses[-1 - found.after[is_over]]
        parts += found.chance[~is_over] @ self.parts[found.after[~is_over]]
        return parts

    @cached_property
    def _ends(self) -> Ends:
        return Ends.of(self.solution)

    def __repr__(self) -> str:
        return f"<Breakdown {self.solution.ruleset} {len(self.names)} rows={len(self.parts):,}>"


def num_columns(ruleset: Ruleset) -> int:
    """The columns of `Breakdown.parts`: the components, and the chance of an outright win if there are any."""
    return len(component_names(ruleset)) + ruleset.can_be_won_outright


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
    *,
    threads: int | None = None,
    memory_limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Breakdown:
    """The breakdown of a solution, from the transitions of all its turn states, which are listed a part at a time.

    `progress` is called with (rows done, rows) from time to time; `memory_limit` is as in `solve`. Raises
    `TooLargeError` before allocating much.
    """
    began = perf_counter()
    if not isinstance(solution, Solution):
        raise wrong_type("a Solution, as solve() returns", solution)
    num_components, num_states = num_columns(solution.ruleset), solution.num_turn_states
    check_memory(
        f"the breakdown of {solution.ruleset} is too large to find: {num_states:,} turn states with {num_components}"
        " components each need",
        num_states * num_components * 8 + solution.values.size * 4,
        memory_limit,
    )
    transitions = number_policy(solution)
    num_rows, ends, num_boxes = transitions.num_rows, transitions.ends, len(solution.ruleset.boxes)
    by_row, bonuses = np.zeros((num_rows, num_components)), ends.bonuses

    def sum_part(part: Transitions) -> None:
        sum_components(part, solution.rules.extra_bonus, bonuses, ends.outright, num_boxes, by_row)

    transitions.from_last(sum_part, threads=threads, progress=progress)
    row_of = transitions.row_of
    return Breakdown(solution, by_row[row_of[row_of >= 0]], perf_counter() - began)
