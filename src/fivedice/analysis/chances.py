"""`chances`: the exact distribution of a seat's final score when it plays for the highest expected score.

>>> from fivedice.game.notation import parse_position
>>> from fivedice.rulesets import load_ruleset
>>> from fivedice.solver.solve import solve
>>> found = chances(solve(load_ruleset("crag")), parse_position("crag - 566 r1"))
>>> round(found.distribution.mean, 1), round(found.distribution.at_least(200), 3), round(found.boxes["crag"], 3)
(150.3, 0.041, 0.832)

Under rules where a first roll can win at once, a value is the mean *result*: the final score, and beside it what an
outright win counts (`Ruleset.outright_points`). People are shown its two parts instead, an `Outright`.

>>> from fivedice.analysis.advice import advise
>>> from fivedice.solver.play.breakdown import find_breakdown
>>> generala = solve(load_ruleset("generala[first_roll_generala=wins]"))
>>> breakdown = find_breakdown(generala)
>>> position = parse_position("generala[first_roll_generala=wins] - 33333 r2")
>>> for advised in advise(generala, position).actions[:2]:
...     part = outright_of(breakdown, position, advised.action)
...     print(f"{advised.action}: {part.chance:.1%}, {advised.value - part.points:.1f} points")
score generala: 100.0%, 50.0 points
keep 33333: 0.0%, 184.4 points
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fivedice.analysis.advice import settled_points, state_index
from fivedice.analysis.arguments import position_of
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Keep, Score
from fivedice.game.position import Position
from fivedice.solver.components import OUTRIGHT_WIN
from fivedice.solver.play.breakdown import Breakdown
from fivedice.solver.play.distribution import Distribution, forecast
from fivedice.solver.play.policy_transitions import Start
from fivedice.solver.solution import Solution
from fivedice.solver.tables.dice_tables import keep_rows, roll_indices
from fivedice.solver.tables.states import Array


@dataclass(frozen=True, eq=False, repr=False)
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
    games: int = 0
    """How many simulated games these shares are from; 0 if the chances are exact."""

    def __repr__(self) -> str:
        return f"<Chances {self.position}: {self.distribution!r}>"

    def __str__(self) -> str:
        """The mean of the final score and its deviation, and the chance of each open box."""
        scores, card = self.distribution, self.position.card
        open_boxes = [id for id, points in zip(self.boxes, card.boxes, strict=True) if points is None]
        return "\n".join(
            [
                f"{self.position}: mean {scores.mean:.2f}, deviation {scores.standard_deviation:.2f}",
                *(f"  {id:<20}{self.boxes[id]:>8.1%}" for id in open_boxes),
            ]
        )

    @property
    def standard_error(self) -> float:
        """That of the mean final score; 0 if it is exact."""
        return self.distribution.standard_deviation / self.games**0.5 if self.games else 0.0


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
    to_come = dict(zip(written, found.boxes[solution.states.stand_ins(card.filled)].tolist(), strict=True))
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


class Outright(NamedTuple):
    """The chance of an outright win, and the points that it counts on average, which are part of a value."""

    chance: float
    points: float


def outright_of(breakdown: Breakdown, position: Position, action: Action) -> Outright:
    """The part of outright wins in the value of a legal action, under rules that have them."""
    ruleset = position.ruleset
    if isinstance(action, Keep):
        row = keep_rows(ruleset.dice, ruleset.faces)[action.dice]
        index = state_index(breakdown.solution, position.card)
        return _outright(breakdown, breakdown.columns_of_keep(index, row, position.rolls_left))
    assert isinstance(action, Score), "rules with announcements have no breakdown"
    card = position.take(position.offer_for(action)).cards[position.seat]
    if card.won:
        return Outright(1.0, float(card.outright_points))
    return _outright(breakdown, breakdown.columns_at(state_index(breakdown.solution, card)))


def outright_before(breakdown: Breakdown, position: Position) -> Outright:
    """The part of outright wins in the value of a position without dice that is not over."""
    return _outright(breakdown, breakdown.columns_at(state_index(breakdown.solution, position.card)))


def _outright(breakdown: Breakdown, columns: Array) -> Outright:
    return Outright(float(columns[-1]), float(columns[breakdown.names.index(OUTRIGHT_WIN)]))
