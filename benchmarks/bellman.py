"""`bellman_difference`: checks a solved table by Bellman's equation, in random turn states and without kernels.

It reads the rules from the ruleset and the values of later turn states from the table; dice and chances are its own,
in plain NumPy: the chances of every roll after every keep are one matrix.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from fivedice.base.errors import IllegalError
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Joker, Ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.tables.states import Array


def bellman_difference(solution: Solution, number: int, chance: np.random.Generator) -> float:
    """The greatest difference, in `number` random turn states, between the value in the table and that computed from
    later ones.

    Turn states are drawn with equal chances for every row of the table, and reachable lane of it. Raises `IllegalError`
    for rules with more than one column, a fixed order, jokers, extra bonuses, points for a first roll, or zeros by
    choice.
    """
    _check_rules(solution.ruleset)
    states, worst, found = solution.states, 0.0, 0
    while found < number:
        row = int(chance.integers(states.num_rows))
        card, saved = states.split_row(row)
        lanes = solution.values[row * states.stride : row * states.stride + states.num_lanes]
        reachable = np.flatnonzero(~np.isnan(lanes)) if saved < states.num_saved else np.zeros(0)
        if reachable.size and len(states.filled(card)) < solution.ruleset.boxes_to_fill:
            lane = int(chance.choice(reachable))
            worst = max(worst, abs(float(lanes[lane]) - _value(solution, card, lane, saved)))
            found += 1
    return worst


class _Dice(NamedTuple):
    rolls: list[Dice]
    chances: Array
    """float64[keeps, rolls]: the chance of each roll after each keep; the empty keep is the first."""
    within: Array
    """int64[rolls, …]: the keeps within each roll, padded with the last one."""


@lru_cache(maxsize=2)
def _dice(num_dice: int, num_faces: int) -> _Dice:
    faces = range(1, num_faces + 1)
    keeps = [keep for size in range(num_dice + 1) for keep in combinations_with_replacement(faces, size)]
    rolls = list(combinations_with_replacement(faces, num_dice))
    chances, within = np.zeros((len(keeps), len(rolls))), []
    for column, roll in enumerate(map(Counter, rolls)):
        parts = [place for place, keep in enumerate(keeps) if not Counter(keep) - roll]
        within.append(parts)
        for place in parts:
            rest = roll - Counter(keeps[place])
            ways = factorial(rest.total()) // prod(map(factorial, rest.values()))
            chances[place, column] = ways / num_faces ** rest.total()
    widest = max(map(len, within))
    return _Dice(rolls, chances, np.array([parts + parts[-1:] * (widest - len(parts)) for parts in within]))


def _value(solution: Solution, card: int, total: int, saved: int) -> float:
    """The value of a turn state from those after it."""
    ruleset, states = solution.ruleset, solution.states
    dice = _dice(ruleset.dice, ruleset.faces)
    points = np.array([ruleset.face_scores(roll) for roll in dice.rolls]).T
    boxes = sorted(set(range(len(ruleset.boxes))) - states.filled(card))
    places = []
    for box in boxes:
        is_upper = ruleset.categories[box].section == "upper"
        lanes = np.minimum(total + (points[box] if is_upper else 0), states.cap)
        places.append(states.card_row(card + states.steps[box]) * states.stride + lanes)
    best = np.zeros(0)
    for rolls_left in range(ruleset.rolls + saved):
        step = rolls_left * states.stride if ruleset.saved_rolls else 0
        scores = [points[box] + solution.values[place + step] for box, place in zip(boxes, places, strict=True)]
        best_score = np.max(scores, axis=0)
        best = np.maximum(best_score, (dice.chances @ best)[dice.within].max(axis=1)) if rolls_left else best_score
    return float(dice.chances[0] @ best)


def _check_rules(ruleset: Ruleset) -> None:
    has_first = any(category.first_roll_bonus or category.first_roll_wins for category in ruleset.categories)
    is_plain = len(ruleset.columns) == 1 and ruleset.columns[0].order == "free" and ruleset.columns[0].multiplier == 1
    is_plain = is_plain and ruleset.boxes_per_turn == 1
    if not is_plain or has_first or ruleset.voluntary_zero or ruleset.extra_bonus or ruleset.joker is not Joker.NONE:
        raise IllegalError(f"{ruleset} has rules that this check does not know")
