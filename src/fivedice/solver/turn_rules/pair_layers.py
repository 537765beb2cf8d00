"""`solve_pairs`: solves rules in which each turn divides its dice between two boxes, with NumPy alone.

Such rules have no bonuses, so the rest of a game depends on the filled boxes alone, and the best division of a roll
between two boxes is the one that scores most. All cards with equally many filled boxes are solved at once: an array has
a row for each keep and a column for each card.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, product

import numpy as np

from fivedice.dice import rolls, with_dice
from fivedice.ruleset import Ruleset
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.states import Array, States
from fivedice.solver.turn_rules.keep_edges import keep_edges


def solve_pairs(states: States, unreachable: float, progress: Callable[[int, int], None] | None) -> tuple[Array, int]:
    """float64[entries], the table of turn states as in `Solution.values`, and how many states play can reach.

    `unreachable` is the entry of all others. `progress` is called with (cards solved, cards).
    """
    ruleset, values = states.ruleset, np.full(states.num_entries, unreachable)
    layers = layers_of_cards(states)[::2]
    values[layers[-1] * states.stride] = 0.0
    num_cards, num_solved = sum(layer.size for layer in layers), layers[-1].size
    edges = keep_edges(ruleset.dice, ruleset.faces)
    for layer in reversed(layers[:-1]):
        best = np.full((edges.num_rolls, layer.size), -np.inf)
        for column, card in enumerate(layer.tolist()):
            filled = states.filled(card)
            for pair in combinations([box for box in range(len(ruleset.boxes)) if box not in filled], 2):
                after = values[(card + sum(states.steps[box] for box in pair)) * states.stride]
                np.maximum(best[:, column], pair_scores(ruleset, *pair) + after, out=best[:, column])
        for _ in range(ruleset.rolls - 1):
            best = edges.best_keeps(best)
        values[layer * states.stride] = edges.chances @ best
        num_solved += layer.size
        if progress:
            progress(num_solved, num_cards)
    return values, num_cards


@lru_cache(maxsize=512)
def pair_scores(ruleset: Ruleset, first: int, second: int) -> Array:
    """int64[R]: the most points of each roll in these two boxes together, in the order of `fivedice.dice.rolls`."""
    parts, others, starts = _divisions(ruleset.dice, ruleset.faces)
    in_first, in_second = (_scores(ruleset, box) for box in (first, second))
    best: Array = np.maximum.reduceat(in_first[parts] + in_second[others], starts)
    return best


def best_pair_scores(ruleset: Ruleset, boxes: list[int], values: Callable[[int, int], float]) -> Array:
    """float64[R]: the most points of each roll in any two of these boxes, with the value of a turn that fills them."""
    best: Array = np.maximum.reduce([pair_scores(ruleset, *pair) + values(*pair) for pair in combinations(boxes, 2)])
    return best


def _scores(ruleset: Ruleset, box: int) -> Array:
    """int64[H]: the points of each half of a roll in a box."""
    halves = rolls(ruleset.dice_per_box, ruleset.faces)
    return np.array([ruleset.face_scores(half)[box] for half in halves])


@lru_cache(maxsize=4)
def _divisions(num_dice: int, num_faces: int) -> tuple[Array, Array, Array]:
    """All pairs of half rolls, sorted by the roll that they form: int64[D] twice, the place of each half among the half
    rolls, and int64[R], the first pair of each roll."""
    halves = rolls(num_dice // 2, num_faces)
    place = {roll: index for index, roll in enumerate(rolls(num_dice, num_faces))}
    whole = np.array([place[with_dice(part, other)] for part, other in product(halves, repeat=2)])
    order = np.argsort(whole, kind="stable")
    parts, others = np.divmod(order, len(halves))
    return parts, others, np.searchsorted(whole[order], np.arange(len(place)))
