r"""`Why`: the difference between the values of two actions, split by component of the score.

>>> from fivedice import load_ruleset, parse_action, parse_position
>>> from fivedice.solver.solve import solve
>>> from fivedice.solver.breakdown import find_breakdown
>>> crag = solve(load_ruleset("crag"))
>>> position = parse_position("crag - 445 r1")
>>> found = why(crag, find_breakdown(crag), position, parse_action("keep 44"), parse_action("keep 45"))
>>> print(found.sentence.replace("? ", "?\n").replace(", and ", ",\nand "))
Keep 44 instead of 45?
On average you gain 1.6 in Three of a Kind, 1.6 in Fours and 0.3 in Low Straight,
and give up 1.5 in High Straight, 0.2 in Fives and 0.1 in Crag.
>>> round(found.parts["fours"], 2), round(found.total, 2)
(1.59, 1.93)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum
from types import MappingProxyType

import numpy as np

from fivedice.analysis.advice import advise, state_index
from fivedice.dice import format_dice
from fivedice.errors import IllegalError
from fivedice.explain.boxes import box_title
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.language import ENGLISH, Language, marked
from fivedice.ruleset import Ruleset
from fivedice.solver.breakdown import EXTRA_BONUS, UPPER_BONUS, Breakdown
from fivedice.solver.dice_tables import keep_rows
from fivedice.solver.solution import Solution
from fivedice.solver.states import Array

SHOWN = 0.05
"""Smaller parts are left out of the reason …"""

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
        """The reason in English: the largest parts that the action gains, and those that it gives up."""
        return self.in_language(ENGLISH)

    def in_language(self, to: Language) -> str:
        """The reason in a language: the two actions, and what one gains and gives up against the other."""
        return f"{self._question(to)} {self._answer(to)}"

    def _question(self, to: Language) -> str:
        mine, other = self.action, self.instead_of
        match mine, other:
            case Keep(), Keep():
                question = _KEEP_OR_KEEP[bool(mine.dice), bool(other.dice)]
            case Keep(), _:
                question = _KEEP_OR_WRITE[bool(mine.dice), self._scores(other)]
            case _, Keep():
                question = _WRITE_OR_KEEP[self._scores(mine), bool(other.dice)]
            case _:
                question = _WRITE_OR_WRITE[self._scores(mine), self._scores(other)]
        return to.say(question, **self._values(mine, "", to), **self._values(other, "other_", to))

    def _scores(self, action: Action) -> bool:
        return not isinstance(action, Keep) and self.position.offer_for(action).points > 0

    def _values(self, action: Action, prefix: str, to: Language) -> dict[str, object]:
        """The values of the placeholders for one action."""
        if isinstance(action, Keep):
            return {f"{prefix}dice": format_dice(action.dice)}
        box = box_title(self.position.ruleset, action.box, to)
        return {f"{prefix}box": box, f"{prefix}points": self.position.offer_for(action).points}

    def _answer(self, to: Language) -> str:
        ranked = sorted(self.parts.items(), key=_by_size)
        given_up = self._named([(name, -points) for name, points in ranked if points <= -SHOWN], to)
        gained = self._named([(name, points) for name, points in ranked if points >= SHOWN], to)
        if given_up and gained:
            return to.say("On average you gain {gained}, and give up {given_up}.", gained=gained, given_up=given_up)
        if gained:
            return to.say("On average you gain {gained}, and give up nothing.", gained=gained)
        if given_up:
            return to.say("On average you gain nothing, and give up {given_up}.", given_up=given_up)
        if any(abs(points) > NONE for points in self.parts.values()):
            return to.say("It makes almost no difference.")
        return to.say("It changes nothing.")

    def _named(self, parts: list[tuple[str, float]], to: Language) -> str:
        entries = [self._part(name, to.decimal(points), to) for name, points in parts[:MOST_NAMED]]
        return to.listed(entries) if entries else ""

    def _part(self, component: str, points: str, to: Language) -> str:
        if component == UPPER_BONUS:
            return to.say("{points} in the upper bonus", points=points)
        if component == EXTRA_BONUS:
            return to.say("{points} in bonuses for extra Yahtzees", points=points)
        return to.say("{points} in {box}", points=points, box=box_title(self.position.ruleset, component, to))


_KEEP_OR_KEEP = {
    (True, True): marked("Keep {dice} instead of {other_dice}?"),
    (True, False): marked("Keep {dice} instead of rolling all the dice?"),
    (False, True): marked("Roll all the dice instead of keeping {other_dice}?"),
    (False, False): marked("Roll all the dice, in either case?"),
}
"""Whether each of the two actions keeps any dice → the question."""

_KEEP_OR_WRITE = {
    (True, True): marked("Keep {dice} instead of scoring {other_points} in {other_box}?"),
    (True, False): marked("Keep {dice} instead of writing 0 in {other_box}?"),
    (False, True): marked("Roll all the dice instead of scoring {other_points} in {other_box}?"),
    (False, False): marked("Roll all the dice instead of writing 0 in {other_box}?"),
}
"""Whether any dice are kept, and whether the other action scores points → the question."""

_WRITE_OR_KEEP = {
    (True, True): marked("Score {points} in {box} instead of keeping {other_dice}?"),
    (True, False): marked("Score {points} in {box} instead of rolling all the dice?"),
    (False, True): marked("Write 0 in {box} instead of keeping {other_dice}?"),
    (False, False): marked("Write 0 in {box} instead of rolling all the dice?"),
}
_WRITE_OR_WRITE = {
    (True, True): marked("Score {points} in {box} instead of {other_points} in {other_box}?"),
    (True, False): marked("Score {points} in {box} instead of writing 0 in {other_box}?"),
    (False, True): marked("Write 0 in {box} instead of scoring {other_points} in {other_box}?"),
    (False, False): marked("Write 0 in {box} instead of {other_box}?"),
}


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


def component_name(ruleset: Ruleset, component: str, to: Language = ENGLISH) -> str:
    """The name of a component in a table."""
    if component == UPPER_BONUS:
        return to.say("Upper bonus")
    if component == EXTRA_BONUS:
        return to.say("Extra Yahtzees")
    return box_title(ruleset, component, to)


def _by_size(part: tuple[str, float]) -> float:
    return -abs(part[1])
