r"""`Why`: the difference between the values of two actions, split by component of the score.

>>> from fivedice import load_ruleset, parse_action, parse_position
>>> from fivedice.solver.solve import solve
>>> from fivedice.solver.breakdown import find_breakdown
>>> crag = solve(load_ruleset("crag"))
>>> position = parse_position("crag - 445 r1")
>>> found = why(crag, find_breakdown(crag), position, parse_action("keep 44"), parse_action("keep 45"))
>>> print(found.sentence.replace(" for ", "\n    for "))
Keeping 44 instead of 45 gives up 1.5 in High Straight, 0.2 in Fives and 0.1 in Crag
    for 1.6 in Three of a Kind, 1.6 in Fours and 0.3 in Low Straight.
>>> round(found.parts["fours"], 2), round(found.total, 2)
(1.59, 1.93)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum
from types import MappingProxyType

import numpy as np

from fivedice.analysis.advice import advise, state_index
from fivedice.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.game.wording import box_name, doing
from fivedice.ruleset import Ruleset
from fivedice.solver.breakdown import EXTRA_BONUS, UPPER_BONUS, Breakdown
from fivedice.solver.dice_tables import keep_rows
from fivedice.solver.solution import Solution
from fivedice.solver.states import Array

SHOWN = 0.05
"""Smaller parts are left out of the sentence …"""

MOST_NAMED = 3
"""… which names at most this many gains and as many losses."""

NONE = 1e-9
"""Smaller parts are rounding errors."""


@dataclass(frozen=True, slots=True)
class Why:
    """The expected points that an action gains or loses against another in the same position, by component.

    `parts` maps components (ids of boxes, "upper_bonus" and "extra_bonus") to points, which add up to `total`: the
    value of the action minus that of the other.
    """

    position: Position
    action: Action
    instead_of: Action
    parts: Mapping[str, float]

    @property
    def total(self) -> float:
        """The difference of the two values."""
        return fsum(self.parts.values())

    @property
    def sentence(self) -> str:
        """The largest parts in words: what the action gives up, and what it gains."""
        ranked = sorted(self.parts.items(), key=_by_size)
        given_up = self._named([(name, -points) for name, points in ranked if points <= -SHOWN])
        gained = self._named([(name, points) for name, points in ranked if points >= SHOWN])
        done = doing(self.position, self.action)
        begin = f"{done[0].upper()}{done[1:]} instead of {self._other()}"
        if given_up:
            return f"{begin} gives up {given_up} for {gained or 'nothing'}."
        if gained:
            return f"{begin} gains {gained} and gives up nothing."
        if any(abs(points) > NONE for points in self.parts.values()):
            return f"{begin} makes almost no difference."
        return f"{begin} changes nothing."

    def _other(self) -> str:
        other = doing(self.position, self.instead_of)
        return other.removeprefix("keeping ") if isinstance(self.action, Keep) else other

    def _named(self, parts: list[tuple[str, float]]) -> str:
        words = [
            f"{points:.1f} in {component_name(self.position.ruleset, name)}" for name, points in parts[:MOST_NAMED]
        ]
        return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def why(solution: Solution, breakdown: Breakdown, position: Position, action: Action, instead_of: Action) -> Why:
    """The difference between two actions of a position, by component.

    Raises `IllegalError` like `advise`, and if an action is not legal or the breakdown is that of other rules.
    """
    if breakdown.solution.ruleset.digest != solution.ruleset.digest:
        raise IllegalError(f"this is the breakdown of {breakdown.solution.ruleset}, not of {solution.ruleset}")
    advice = advise(solution, position)
    for wanted in (action, instead_of):
        advice.of(wanted)
    difference = parts_after(breakdown, position, action) - parts_after(breakdown, position, instead_of)
    named = dict(zip(breakdown.names, difference.tolist(), strict=True))
    return Why(position, action, instead_of, MappingProxyType(named))


def parts_after(breakdown: Breakdown, position: Position, action: Action) -> Array:
    """float64[components]: the expected points of each component after a legal action, including those it writes.

    As in values, the whole upper bonus counts as still to come.
    """
    ruleset = position.ruleset
    if isinstance(action, Keep):
        row = keep_rows(ruleset.dice, ruleset.faces)[action.dice]
        return breakdown.of_keep(state_index(breakdown.solution, position.card), row, position.rolls_left)
    offer = position.offer_for(action)
    box = ruleset.box_index[action.box]
    card = position.take(offer).cards[position.seat]
    if card.won:
        parts = np.zeros(len(breakdown.names))
        columns = enumerate(ruleset.columns)
        parts[-2] = sum(column.multiplier * card.upper_bonus(number) for number, column in columns)
    else:
        parts = breakdown.at(state_index(breakdown.solution, card))
    parts[box] += offer.points * ruleset.columns[ruleset.boxes[box].column].multiplier
    parts[-1] += offer.bonus
    return parts


def component_name(ruleset: Ruleset, component: str) -> str:
    """The name of a component in a sentence."""
    if component == UPPER_BONUS:
        return "the upper bonus"
    if component == EXTRA_BONUS:
        return "extra Yahtzees"
    return box_name(ruleset, component)


def _by_size(part: tuple[str, float]) -> float:
    return -abs(part[1])
