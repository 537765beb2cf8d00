"""`chances`: the exact distribution of a seat's final score when it plays for the highest expected score.

>>> from fivedice.game.notation import parse_position
>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.solver.solve import solve
>>> found = chances(solve(load_ruleset("crag")), parse_position("crag - 566 r1"))
>>> round(found.distribution.mean, 1), round(found.distribution.at_least(200), 3), round(found.boxes["crag"], 3)
(150.3, 0.041, 0.832)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from fivedice.analysis.advice import points_written, state_index
from fivedice.errors import IllegalError
from fivedice.game.position import Position
from fivedice.solver.dice_tables import roll_indices
from fivedice.solver.distribution import Distribution, forecast
from fivedice.solver.policy_transitions import Start
from fivedice.solver.solution import Solution


@dataclass(frozen=True, eq=False)
class Chances:
    """What the seat to move can expect at the end of the game.

    `distribution` is that of its final score, `upper_bonus` that of its upper bonus, times the multipliers of columns,
    and `num_extras` that of the number of its extra bonuses, those on the card included. `boxes` has the chance that
    each box, by id, holds more than zero.
    """

    position: Position
    distribution: Distribution
    upper_bonus: Distribution
    num_extras: Distribution
    boxes: Mapping[str, float]


def chances(
    solution: Solution,
    position: Position,
    *,
    memory_limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Chances:
    """The chances of the seat to move, exactly; other seats do not change how it plays.

    `progress` is called with (done, all) from time to time. `memory_limit` is in bytes, by default that of `solve`.
    Raises `IllegalError` if the solution is that of other rules or no game leads to the position, and `TooLargeError`
    if there is too little memory.
    """
    ruleset, card = position.ruleset, position.card
    if ruleset.digest != solution.ruleset.digest:
        raise IllegalError(f"this is the solution of {solution.ruleset}, not of {ruleset}")
    written = {box.id: float((points or 0) > 0) for box, points in zip(ruleset.boxes, card.boxes, strict=True)}
    if position.is_over or card.is_complete:
        bonus = card.total - points_written(card)
        return Chances(position, _certain(card.total), _certain(bonus), _certain(card.extras), written)
    index = state_index(solution, card)
    if np.isnan(solution.values[index]):
        raise IllegalError(f"{position} cannot arise in a game of {ruleset}")
    row = -1
    if position.dice:
        row = solution.dice.num_small + roll_indices(ruleset.dice, ruleset.faces)[position.dice]
    found = forecast(solution, Start(index, row, position.rolls_left), memory_limit=memory_limit, progress=progress)
    to_come = dict(zip(written, found.boxes.tolist(), strict=True))
    return Chances(
        position,
        found.points.shifted(points_written(card)),
        found.upper_bonus,
        found.num_extras.shifted(card.extras),
        {id: min(1.0, written[id] + to_come[id]) for id in written},
    )


def _certain(number: int) -> Distribution:
    return Distribution(number, np.ones(1))
