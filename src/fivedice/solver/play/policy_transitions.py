"""`PolicyTransitions`: where optimal play leads from every turn state, as flat arrays.

The expected points by component, the moments and the distributions of the final score are sums along them.

>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.solver.solve import solve
>>> transitions = list_policy(solve(load_ruleset("crag")))
>>> transitions.num_rows, len(transitions.layers)
(8191, 13)
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from fivedice.solver.kernels.optimal_turn import turn_workspace
from fivedice.solver.kernels.policy_transitions import Transitions, list_transitions, number_rows, spread_chances
from fivedice.solver.kernels.turn_offers import most_endings
from fivedice.solver.solution import Solution
from fivedice.solver.solve import check_memory, in_threads, mapping
from fivedice.solver.tables.card_layers import cards_after, layers_of_cards
from fivedice.solver.tables.rule_tables import RuleTables, won_values
from fivedice.solver.tables.states import BLOCK, Array

Progress: TypeAlias = Callable[[int, int], None]
"""Called with (rows done, rows) from time to time."""

TRANSITION_BYTES = 4 + 4 + 2 + 8
LIKELY_TRANSITIONS = 20
"""Transitions of a row at least, for an estimate of memory before any is listed."""

MOST_LISTED = 2**19
"""Transitions that one thread may list before they are copied to arrays of their size. Sums over twice as many took a
fifth longer."""


class Start(NamedTuple):
    """A moment of a game of one seat.

    `state` is the index of the turn state in which the turn began. `row` is -1 before the first roll; else it is the
    row of a roll, or of a keep of fewer dice that is about to be rolled, in the order of `keep_rows`. `rolls_left`
    counts the rolls that may still follow.
    """

    state: int
    row: int
    rolls_left: int


@dataclass(frozen=True, eq=False)
class Ends:
    """What the end of a game adds to its points: every combination of an upper bonus and an outright win.

    `values`, float64[…], ascending, is the sum of `bonuses` and `outright`, float64[…] each: the points of the upper
    bonus, and those of an outright win, 0 without one.
    """

    values: Array
    outright: Array

    @classmethod
    def of(cls, solution: Solution) -> "Ends":
        """The ends of games under the rules of a solution."""
        bonuses, won = solution.rules.end_values, won_values(solution.states)
        by_card = won.reshape(-1, bonuses.size)
        every = np.concatenate([bonuses, won])
        added = np.concatenate([np.zeros(bonuses.size), (by_card - bonuses).ravel()])
        values, first = np.unique(every, return_index=True)
        return cls(values, added[first])

    @property
    def bonuses(self) -> Array:
        """float64[…]: the upper bonus of each end."""
        found: Array = self.values - self.outright
        return found


@dataclass(frozen=True, eq=False, repr=False)
class PolicyTransitions:
    """The transitions of optimal play, by row and layer; `kernels/optimal_turn.py` states how ties are broken.

    `row_of`, int32[entries], is the row of each turn state; -1 where the game is over, where play cannot arrive, or
    beyond the cards that are numbered. `state_of`, int64[…], has the first turn state of each row. `ends` has what the
    end of a game adds to its points. Layer n has n boxes filled; its first row is `first_rows[n]`, and the last
    number is that of all rows. `layers` has the parts of each layer; it is empty if `from_last` lists them.
    """

    solution: Solution
    row_of: Array
    state_of: Array
    ends: Ends
    first_rows: Sequence[int]
    layers: Sequence[Sequence[Transitions]] = ()

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return self.first_rows[-1]

    def listed(self, rows: Array) -> Transitions:
        """The transitions of whole turns from these rows, int64[N]."""
        solution, states = self.solution, self.state_of[rows]
        rules = solution.rules
        levels = rules.num_turn_rolls + solution.saved_rolls(states)
        return transitions_of(solution, self.row_of, self.ends.values, rows, states, np.full(rows.size, -1), levels)

    def from_last(
        self, work: Callable[[Transitions], None], *, threads: int | None = None, progress: Progress | None = None
    ) -> None:
        """List every part of all layers, the last layer first, and call `work` with it, in threads.

        `progress` is called with (rows done, rows) from time to time.
        """
        with in_threads(threads) as pool:
            for first, end in reversed(list(pairwise(self.first_rows))):
                parts = _parts(self.solution.rules, np.arange(first, end))
                for _ in pool.map(lambda some: work(self.listed(some)), parts):
                    pass
                if progress:
                    progress(self.num_rows - first, self.num_rows)

    def from_starts(self, starts: Sequence[Start]) -> dict[int, Transitions]:
        """The transitions of moments of unfinished games, by layer; their rows follow those of all turn states."""
        solution = self.solution
        numbers_of: dict[int, list[int]] = {}
        for number in sorted(range(len(starts)), key=lambda number: starts[number].state):
            filled = solution.states.filled(solution.states.card_at(starts[number].state))
            numbers_of.setdefault(len(filled), []).append(number)
        found = {}
        for layer, numbers in numbers_of.items():
            states, rows, rolls_left = np.array([starts[number] for number in numbers], dtype=np.int64).T
            levels = rolls_left + (rows >= solution.dice.num_small)
            numbered = self.num_rows + np.array(numbers)
            found[layer] = transitions_of(solution, self.row_of, self.ends.values, numbered, states, rows, levels)
        return found

    def chances(self, starts: dict[int, Transitions]) -> "Chances":
        """The chances to arrive at every row from the result of `from_starts`; all of them count as certain."""
        found = Chances.none(self, sum(part.rows.size for part in starts.values()))
        for layer, parts in enumerate(self.layers):
            found.add(self, [starts[layer]] if layer in starts else [])
            found.add(self, parts)
        return found


@dataclass(frozen=True, eq=False)
class Chances:
    """Chances of optimal play: `reach`, float64[rows + starts], to arrive at each row; `ends`, float64[ends], for
    each end; `boxes`, float64[B], to fill each box above zero."""

    reach: Array
    ends: Array
    boxes: Array

    @classmethod
    def none(cls, transitions: PolicyTransitions, num_starts: int) -> "Chances":
        """Those before the first layer: starts are certain, and nothing else is known."""
        reach = np.zeros(transitions.num_rows + num_starts)
        reach[transitions.num_rows :] = 1.0
        return cls(reach, np.zeros(transitions.ends.values.size), np.zeros(len(transitions.solution.ruleset.boxes)))

    def add(self, transitions: PolicyTransitions, parts: Sequence[Transitions]) -> None:
        """Pass the chances of these rows on to the rows after them."""
        for part in parts:
            spread_chances(part, transitions.solution.rules.extra_bonus, self.reach, self.ends, self.boxes)


def number_policy(solution: Solution, starts: Sequence[Start] | None = None) -> PolicyTransitions:
    """The rows of all turn states, whose transitions are listed when needed; with `starts`, those of cards that follow
    one of them. Raises `TooLargeError` for a layered table."""
    states = solution.states
    row_of = np.full(solution.values.size, -1, dtype=np.int32)
    if starts is None:
        layers: Sequence[Array] = layers_of_cards(states)
        num_rows = int(np.count_nonzero(~np.isnan(solution.values)))
    else:
        per_card = states.num_planes * states.stride
        layers = cards_after(states, tuple(sorted({start.state // per_card for start in starts})))
        num_rows = sum(map(len, layers)) * per_card
    state_of = np.zeros(num_rows, dtype=np.int64)
    status = np.zeros(len(solution.ruleset.boxes), dtype=np.int64)
    first_rows = [0]
    for cards in layers[:-1]:
        last = number_rows(solution.rules, cards, first_rows[-1], solution.values, status, row_of, state_of)
        first_rows.append(last)
    return PolicyTransitions(solution, row_of, state_of, Ends.of(solution), first_rows)


def list_policy(
    solution: Solution,
    starts: Sequence[Start] | None = None,
    *,
    threads: int | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> PolicyTransitions:
    """The transitions of all turn states; with `starts`, those that optimal play can reach from any of these.

    `memory_limit` is in bytes, by default that of `solve`. Raises `TooLargeError` when it is exceeded.
    """
    layers: list[list[Transitions]] = []
    found = replace(number_policy(solution, starts), layers=layers)
    roots = {} if starts is None else found.from_starts(starts)
    chances = Chances.none(found, 0 if starts is None else len(starts))
    needs = f"optimal play of {solution.ruleset} is too large to list: its transitions need at least"
    if starts is None:
        check_memory(needs, found.num_rows * LIKELY_TRANSITIONS * TRANSITION_BYTES, memory_limit)
    num_bytes = 0
    with in_threads(threads) as pool:
        for layer, (first, last) in enumerate(pairwise(found.first_rows)):
            chances.add(found, [roots[layer]] if layer in roots else [])
            rows = first + (np.arange(last - first) if starts is None else np.flatnonzero(chances.reach[first:last]))
            layers.append([])
            for part in mapping(pool, rows.size)(found.listed, _parts(solution.rules, rows)):
                num_bytes += part.after.size * TRANSITION_BYTES
                check_memory(needs, num_bytes, memory_limit)
                layers[-1].append(part)
                if progress:
                    progress(int(part.rows[-1]) + 1, found.num_rows)
            if starts is not None:
                chances.add(found, layers[-1])
    return found


def transitions_of(
    solution: Solution, row_of: Array, ends: Array, rows: Array, states: Array, starts: Array, levels: Array
) -> Transitions:
    """The transitions of rows, int64[N]; the other arrays are as in `PolicyTransitions` and in `list_transitions`."""
    rules, size = solution.rules, rows.size * most_endings(solution.rules)
    lists = [np.empty(size, dtype=dtype) for dtype in (np.int32, np.int32, np.int16, np.float64)]
    listed = Transitions(rows, np.zeros(rows.size + 1, dtype=np.int64), *lists)
    given = (np.ascontiguousarray(array) for array in (states, starts, levels))
    turn = turn_workspace(solution.dice, rules)
    list_transitions(solution.dice, rules, *given, row_of, ends, solution.values, solution.slips, turn, listed)
    for array in lists:
        array.resize(listed.begin[-1], refcheck=False)  # in place, because copies would take as long as the kernel
    return listed


def _parts(rules: RuleTables, rows: Array) -> Iterator[Array]:
    """The rows in parts of bounded memory."""
    size = max(BLOCK, MOST_LISTED // most_endings(rules))
    for first in range(0, rows.size, size):
        yield rows[first : first + size]
