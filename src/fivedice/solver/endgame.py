"""`Endgame`: the last turns of two seats that both play to win, solved exactly.

The game is zero-sum: the value of a position is P(win) − P(loss) of the seat that moves, and an *outcome* is that value
with the chance of a tie. It depends on the turn state of either card and on the *difference*, the points written on the
mover's card minus those on the other; the upper bonuses are counted at the end.

In the last turn of a game, several rivals can share the best of the other cards. A tie with all of them is then worth
1/(rivals + 1) of a win instead of ½, and the value is that of P(win) + P(tie)/(rivals + 1), doubled, minus 1.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fivedice.base.errors import IllegalError
from fivedice.solver.kernels.action_values import empty_outputs
from fivedice.solver.kernels.endgame_layers import (
    EndgameWork,
    Meeting,
    Mover,
    Pairs,
    endgame_values,
    endgame_work,
    next_states,
    solve_pairs,
)
from fivedice.solver.kernels.objective_layers import Actions
from fivedice.solver.kernels.simd import aligned_zeros
from fivedice.solver.solution import Solution, per_thread
from fivedice.solver.solve import TooLargeError
from fivedice.solver.tables.dice_tables import keep_lists
from fivedice.solver.tables.states import BLOCK, Array

MAX_TURNS = 2
"""The turns that either seat may have left."""

MAX_SLOTS = 3_000
"""Turn states that a seat may reach."""

MAX_WORK = 150_000_000
"""Rows that an endgame may take, each a keep or roll for `BLOCK` differences: a few seconds."""

_work = per_thread(endgame_work)

_WON = -1
"""The turns left on a card that has won outright."""


class Outcome(NamedTuple):
    """The value and P(tie) of the seat that moves; with one rival the value is P(win) − P(loss)."""

    value: float
    tie: float
    rivals: int = 1

    @property
    def win(self) -> float:
        """P(win)."""
        return (1.0 + self.value) / 2.0 - self.tie / (self.rivals + 1)


@dataclass(frozen=True, eq=False)
class Endgame:
    """The solved endgame from a turn state of the seat that moves and one of the other, for every difference."""

    solution: Solution
    _meeting: Meeting
    rivals: int

    def before_roll(self, difference: int) -> Outcome:
        """The outcome before the first roll of the turn."""
        values, ties = self.of_actions(difference, -1, 0)
        return Outcome(float(values.keeps[0]), float(ties.keeps[0]), self.rivals)

    def of_actions(self, difference: int, roll: int, rolls_left: int) -> tuple[Actions, Actions]:
        """The values of all actions, and the chances of a tie after them; `roll` is an index of `roll_indices`."""
        solution, ruleset = self.solution, self.solution.ruleset
        found = empty_outputs(2, len(ruleset.boxes), ruleset.dice, ruleset.faces)
        values, ties = (Actions(*(array[row] for array in found)) for row in (0, 1))
        given = (solution.dice, solution.rules, keep_lists(ruleset.dice, ruleset.faces), self._meeting)
        endgame_values(*given, difference, roll, rolls_left, _work(solution), values, ties)
        return values, ties


def solve_endgame(solution: Solution, index: int, other_index: int, rivals: int = 1) -> Endgame:
    """Solves the endgame in which a seat at the turn state `index` moves, and the other one is at `other_index`.

    `rivals` is the number of seats that share the points of the other one; more than one needs complete cards.

    Of the solution only the tables of its rules are used. Raises `IllegalError` if a seat has more than `MAX_TURNS`
    turns left or the turns do not alternate, and `TooLargeError` if solving would take more than a few seconds.
    """
    left, other_left = (turns_left(solution, start) for start in (index, other_index))
    if not 0 <= left - other_left <= 1 or not 1 <= left <= MAX_TURNS:
        raise IllegalError(
            f"{left} turns left and {other_left}: want at most {MAX_TURNS}, and the seat that moves may have one more"
        )
    if rivals > 1 and other_left:
        raise IllegalError(f"{rivals} rivals with {other_left} turns left: want one rival, or complete cards")
    work = _work(solution)
    first, second = _Slots(solution, index, work), _Slots(solution, other_index, work)
    num_second = len(second)
    movers = (first.mover(num_second, 1), second.mover(1, num_second))
    # After each turn: the slots of either seat.
    stages = [
        (first.with_turns(left - (turn + 1) // 2), second.with_turns(other_left - turn // 2))
        for turn in range(1, left + other_left + 1)
    ]
    pairs = _lay_out(solution, first, second, stages)
    values, ties = (aligned_zeros(int(pairs.size.sum())) for _ in range(2))
    _end(first, second, stages[-1], len(stages), rivals, pairs, values, ties)
    for turn in range(len(stages) - 1, 0, -1):
        slots = stages[turn - 1]
        number = turn % 2
        args = (movers[number], slots[number], slots[1 - number], pairs, work, values, ties)
        solve_pairs(solution.dice, solution.rules, *args)
    return Endgame(solution, Meeting(movers[0], first.start, second.start, pairs, values, ties), rivals)


def turns_left(solution: Solution, index: int) -> int:
    """The turns left on a card."""
    states = solution.states
    return solution.ruleset.rounds - len(states.filled(states.card_at(index)))


class _Slot(NamedTuple):
    """A turn state that a seat can still reach: the slots to which the scores of a turn lead, the turns left, and the
    fewest and most points to come, with the upper bonuses."""

    state: int
    after: tuple[int, ...]
    turns: int
    least: int
    most: int


class _Slots(list[_Slot]):
    """The turn states that one seat can still reach, without those that are equal for the rest of the game."""

    def __init__(self, solution: Solution, index: int, work: EndgameWork) -> None:
        super().__init__()
        self._solution = solution
        self._work = work
        self._by_index: dict[int, int] = {}
        self._by_key: dict[Hashable, int] = {}
        self.start = self._number(index)

    def mover(self, step: int, other_step: int) -> Mover:
        """The seat as kernels see it, with the steps of its slots and of the other's in `Pairs`."""
        after = np.zeros((len(self), max(len(slot.after) for slot in self)), dtype=np.int64)
        for row, slot in zip(after, self, strict=True):
            row[: len(slot.after)] = slot.after
        return Mover(np.array([slot.state for slot in self]), after, step, other_step)

    def with_turns(self, turns: int) -> Array:
        """int64[…]: the slots with this number of turns left."""
        return np.array([number for number, slot in enumerate(self) if slot.turns == turns], dtype=np.int64)

    def bounds(self, slots: Array) -> tuple[Array, Array]:
        """int64[…] each: the fewest and the most points to come."""
        least, most = np.array([(slot.least, slot.most) for slot in self])[slots].T
        return least, most

    def _number(self, index: int) -> int:
        """The slot of a turn state."""
        if index not in self._by_index:
            key, slot = self._found(index)
            if key not in self._by_key:
                if len(self) == MAX_SLOTS:
                    raise TooLargeError(
                        f"this endgame of {self._solution.ruleset} is too large: over {MAX_SLOTS:,} cards"
                    )
                self._by_key[key] = len(self)
                self.append(slot)
            self._by_index[index] = self._by_key[key]
        return self._by_index[index]

    def _found(self, index: int) -> tuple[Hashable, _Slot]:
        """A slot, and what it has in common with all that are equal for the rest of the game."""
        solution, states, endings = self._solution, self._solution.states, self._work.endings
        if index >= states.num_rows * states.stride:
            return "won", _Slot(index, (), _WON, 0, 0)
        turns = turns_left(solution, index)
        if not turns:
            bonus = int(solution.rules.end_values[index % solution.rules.end_values.size])
            return bonus, _Slot(index, (), 0, bonus, bonus)
        count = next_states(solution.dice, solution.rules, index, self._work)
        points = endings.points[:count].tolist()
        after = tuple(map(self._number, endings.next[:count].tolist()))
        state = states.from_index(index)
        least = min(more + self[slot].least for slot, more in zip(after, points, strict=True))
        most = max(more + self[slot].most for slot, more in zip(after, points, strict=True))
        key = (state.filled, state.spoiled, state.saved, state.pending, after)
        return key, _Slot(index, after, turns, least, most)


def _lay_out(solution: Solution, first: _Slots, second: _Slots, stages: list[tuple[Array, Array]]) -> Pairs:
    """The rows of all pairs of these stages, with the differences at which the result is open and a block beyond."""
    num_second = len(second)
    low = np.zeros(len(first) * num_second, dtype=np.int64)
    size = np.zeros_like(low)
    rows, num_rows = 0, solution.dice.num_small + solution.dice.num_rolls
    for turn, (slots, other_slots) in enumerate(stages, 1):
        pair = slots[:, np.newaxis] * num_second + other_slots
        least, most = (found[:, np.newaxis] for found in first.bounds(slots))
        other_least, other_most = second.bounds(other_slots)
        if turn % 2:
            lowest, highest = other_least - most, other_most - least
        else:
            lowest, highest = least - other_most, most - other_least
        low[pair] = lowest - BLOCK
        size[pair] = highest - lowest + 2 * BLOCK + 1
        if turn < len(stages):
            num_blocks = int((-(-(size[pair] - 2 * BLOCK + 2) // BLOCK)).sum())
            rows += num_blocks * solution.rules.num_turn_rolls * num_rows
    if rows > MAX_WORK:
        raise TooLargeError(f"this endgame of {solution.ruleset} is too large: {rows:,} rows, at most {MAX_WORK:,}")
    for won in _won_pairs(first, second):
        size[won] = BLOCK
    return Pairs(np.cumsum(size) - size, low, size)


def _won_pairs(first: _Slots, second: _Slots) -> tuple[Array, Array]:
    """int64[…] each: the pairs in which either seat has won outright."""
    numbers = np.arange(len(first) * len(second)).reshape(len(first), -1)
    return numbers[first.with_turns(_WON)].ravel(), numbers[:, second.with_turns(_WON)].ravel()


def _end(
    first: _Slots,
    second: _Slots,
    ended: tuple[Array, Array],
    num_turns: int,
    rivals: int,
    pairs: Pairs,
    values: Array,
    ties: Array,
) -> None:
    """Writes the rows of games that are over."""
    tied = 2.0 / (rivals + 1) - 1.0
    for slot in ended[0].tolist():
        for other_slot in ended[1].tolist():
            pair = slot * len(second) + other_slot
            ahead = first[slot].least - second[other_slot].least
            row = slice(pairs.begin[pair], pairs.begin[pair] + pairs.size[pair])
            totals = pairs.low[pair] + np.arange(pairs.size[pair]) + (ahead if num_turns % 2 else -ahead)
            values[row], ties[row] = np.where(totals == 0, tied, np.sign(totals)), totals == 0
    for won in _won_pairs(first, second):
        values[pairs.begin[won, np.newaxis] + np.arange(BLOCK)] = 1.0
