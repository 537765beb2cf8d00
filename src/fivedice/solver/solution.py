"""A `Solution`: the value of every turn state of a ruleset under optimal play; `per_thread` keeps the working arrays of
kernels for it, since making them takes as long as one position does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import local
from typing import Any, ClassVar, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np

from fivedice.base.errors import IllegalError
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.slips import Slips
from fivedice.solver.tables.dice_tables import DiceTables, dice_tables
from fivedice.solver.tables.rule_tables import RuleTables, rule_tables
from fivedice.solver.tables.states import Array, States, TurnState


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """The table of a solved ruleset. `values` is float64[entries] by turn-state index, NaN where play cannot arrive.

    An entry is the expected points *to come*: those of open boxes, future extra bonuses, and the whole upper bonus,
    which is counted at the end. Points and extra bonuses that a card holds already are not included.
    """

    states: States
    values: Array
    num_turn_states: int
    """Turn states that play can reach, including those of finished games."""
    seconds: float
    """The time that the search took, now or when it was saved."""
    loading: float = 0.0
    """The seconds before the search in which kernels were loaded."""
    slips: Slips | None = None
    """The slips of a level whose beliefs the table holds instead; see `fivedice.solver.slips`."""
    is_exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        # Read-only, as if mapped from a file, so that kernels are compiled for one type of array only.
        read_only = self.values.view()
        read_only.flags.writeable = False
        object.__setattr__(self, "values", read_only)

    @cached_property
    def dice(self) -> DiceTables:
        """The tables of its dice."""
        return dice_tables(self.ruleset.dice, self.ruleset.faces)

    @cached_property
    def rules(self) -> RuleTables:
        """The tables of its rules."""
        return rule_tables(self.states)

    @property
    def float_values(self) -> Sequence[float]:
        """`values` as a sequence of Python's own floats, which is faster to read one by one."""
        return cast("Sequence[float]", memoryview(cast(Any, self.values)))

    @property
    def ruleset(self) -> Ruleset:
        """The rules that this solution solves."""
        return self.states.ruleset

    @property
    def expected_score(self) -> float:
        """The expected final score of a new game."""
        return self.value(TurnState(totals=(0,) * len(self.ruleset.columns)))

    def value(self, state: TurnState) -> float:
        """Expected points to come before a turn's first roll; raises `IllegalError` if play cannot arrive there."""
        value = float(self.values[self.states.index(state)])
        if np.isnan(value):
            raise IllegalError(f"{state} cannot arise in a game of {self.ruleset}")
        return value

    def saved_rolls(self, indices: Array) -> Array:
        """int64[N]: the rolls saved in these turn states, int64[N]."""
        saved: Array = indices // self.rules.stride % self.states.num_planes // self.rules.base_planes
        return saved

    def indices(self) -> Array:
        """int64[num_turn_states]: the indices of all turn states that play can reach."""
        states = self.states
        rows = self.values[: states.num_rows * states.stride].reshape(-1, states.stride)
        row, lane = np.nonzero(~np.isnan(rows[:, : states.num_lanes]))
        return row * states.stride + lane

    def __str__(self) -> str:
        """The rules, the expected score of a new game, and the number of turn states."""
        return f"{self.ruleset}: {self.expected_score:.6f} points expected, {self.num_turn_states:,} turn states"

    def __repr__(self) -> str:
        return f"<Solution {self.ruleset} {self.expected_score:.6f} turn_states={self.num_turn_states:,}>"


W = TypeVar("W")


def per_thread(make: Callable[[DiceTables, RuleTables], W]) -> Callable[[Solution], W]:
    """A function that gives the workspace of the calling thread for a solution, made when first asked for.

    A workspace lives as long as its solution and its thread. A kernel may leave anything in it.
    """
    of_thread = local()

    def workspace(solution: Solution) -> W:
        if not hasattr(of_thread, "found"):
            of_thread.found = WeakKeyDictionary()
        found: WeakKeyDictionary[Solution, W] = of_thread.found
        if solution not in found:
            found[solution] = make(solution.dice, solution.rules)
        return found[solution]

    return workspace
