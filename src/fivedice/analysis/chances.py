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

from fivedice.analysis.advice import settled_points, stand_ins, state_index
from fivedice.analysis.arguments import position_of
from fivedice.errors import IllegalError
from fivedice.game.position import Position
from fivedice.solver.play.distribution import Distribution, forecast
from fivedice.solver.play.policy_transitions import Start
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import roll_indices


@dataclass(frozen=True, eq=False)
class Chances:
    """What the seat to move can expect at the end of the game.

    `distribution` is that of its final score, `upper_bonus` that of its upper bonus, times the multipliers of columns,
    and `num_extras` that of the number of its extra bonuses, those on the card included. `boxes` has the chance that
    each box, by id, holds more than zero. `outright` is its chance to win the game outright, and `results` the
    distribution of the final score together with what such a win counts.
    """

    position: Position
    distribution: Distribution
    upper_bonus: Distribution
    num_extras: Distribution
    boxes: Mapping[str, float]
    outright: float
    results: Distribution


def chances(
    solution: Solution,
    position: Position | str,
    *,
    memory_limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Chances:
    """The chances of the seat to move, exactly; other seats do not change how it plays.

    `progress` is called with (done, all) from time to time. `memory_limit` is in bytes, by default that of `solve`.
    Raises `IllegalError` if the solution is that of other rules or no game leads to the position, and `TooLargeError`
    if there is too little memory.
    """
    position = position_of(solution, position)
    ruleset, card = position.ruleset, position.card
    written = {box.id: float((points or 0) > 0) for box, points in zip(ruleset.boxes, card.boxes, strict=True)}
    if position.is_over or card.is_complete:
        bonus = card.total - settled_points(card)
        score, upper_bonus, num_extras = map(_certain, (card.total, bonus, card.extras))
        return Chances(position, score, upper_bonus, num_extras, written, float(card.won), _certain(card.result))
    index = state_index(solution, card)
    if np.isnan(solution.values[index]):
        raise IllegalError(f"{position} cannot arise in a game of {ruleset}")
    row = -1
    if position.dice:
        row = solution.dice.num_small + roll_indices(ruleset.dice, ruleset.faces)[position.dice]
    found = forecast(solution, Start(index, row, position.rolls_left), memory_limit=memory_limit, progress=progress)
    to_come = dict(zip(written, found.boxes[stand_ins(solution.states, card)].tolist(), strict=True))
    return Chances(
        position,
        found.points.shifted(settled_points(card)),
        found.upper_bonus,
        found.num_extras.shifted(card.extras),
        {id: min(1.0, written[id] + to_come[id]) for id in written},
        found.outright,
        found.results.shifted(settled_points(card)),
    )


def _certain(number: int) -> Distribution:
    return Distribution(number, np.ones(1))
