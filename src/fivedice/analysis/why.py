r"""`Why`: the difference between the values of two actions, split by component of the score.

>>> from fivedice.solver.solve import solve
>>> crag = solve("crag")
>>> found = why(crag, "445 r1", "keep 44", "keep 45")
>>> print(found.sentence.replace("? ", "?\n").replace(": ", ":\n").replace(", and ", ",\nand "))
Keep 44 instead of 45?
On average it is worth 1.9 points more:
you gain 1.6 in Three of a Kind, 1.6 in Fours, 0.3 in Low Straight and 0.5 elsewhere,
and give up 1.5 in High Straight, 0.3 in Fives, 0.1 in Crag and 0.2 elsewhere.
>>> round(found.parts["fours"], 2), round(found.total, 2)
(1.59, 1.93)
>>> str(why(crag, "445 r0")).partition(":")[0]
'Score 50 in Crag instead of 26 in Thirteen? On average it is worth 10.7 points more'
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import floor, fsum
from operator import sub
from typing import TYPE_CHECKING

from fivedice.analysis.action_values import PlainSolution
from fivedice.analysis.advice import advise, state_index
from fivedice.analysis.arguments import position_of, position_under
from fivedice.analysis.plain_breakdown import PlainBreakdown
from fivedice.base.errors import IllegalError, wrong_type
from fivedice.base.language import ENGLISH, Language, marked
from fivedice.game.action import Action, Keep, Score
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.explanation.boxes import box_title, joker_name
from fivedice.rulesets.explanation.dice import dice_in_words
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.components import EXTRA_BONUS, LATER_TURNS, OUTRIGHT_WIN, THIS_TURN, UPPER_BONUS

if TYPE_CHECKING:
    from fivedice.solver.play.breakdown import Breakdown  # these load NumPy, which a `PlainBreakdown` does not need
    from fivedice.solver.solution import Solution

MOST_NAMED = 3
"""The reason names at most this many gains and as many losses, and gives the sum of the others."""

NONE = 1e-9
"""Smaller parts are rounding errors."""

DIGITS = 8
"""Parts are compared and added up with so many, so that rounding errors do not decide which are named."""

TENTHS = 10
"""The reason shows tenths of points."""


@dataclass(frozen=True, slots=True, repr=False)
class Why:
    """The expected points that an action gains or loses against another in the same position, by component.

    `parts` maps components (ids of boxes, "upper_bonus", "extra_bonus" and "outright_win", or "this_turn" and
    "later_turns") to points, which add up to `total`: the value of the action minus that of the other.
    """

    position: Position
    action: Action
    instead_of: Action
    parts: Mapping[str, float] = field(hash=False)

    def __repr__(self) -> str:
        return f"<Why {self.position}: {self.action} instead of {self.instead_of}, {self.total:+.2f}>"

    @property
    def total(self) -> float:
        """The difference of the two values."""
        return fsum(self.parts.values())

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> str:
        """The reason in English: the total, the largest parts that make it up, and the sum of the others."""
        return self.in_language(ENGLISH)

    def in_language(self, to: Language) -> str:
        """The reason in a language: the two actions, and what one gains and gives up against the other.

        Its figures are rounded to tenths, up or down, so that they add up to its total.
        """
        return f"{self._question(to)} {self._of_wins(to) or self._answer(to)}"

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

    def _of_wins(self, to: Language) -> str:
        """The answer if one of the actions wins the game at once, else empty: no points are worth as much."""
        mine, other = (self._wins(action) for action in (self.action, self.instead_of))
        if mine and not other:
            return to.say("It wins the game at once.")
        return to.say("It gives up a game that is won at once.") if other and not mine else ""

    def _wins(self, action: Action) -> bool:
        return isinstance(action, Score) and self.position.offer_for(action).wins

    def _scores(self, action: Action) -> bool:
        return isinstance(action, Score) and self.position.offer_for(action).points > 0

    def _values(self, action: Action, prefix: str, to: Language) -> dict[str, object]:
        """The values of the placeholders for one action."""
        if isinstance(action, Keep):
            return {f"{prefix}dice": dice_in_words(self.position.ruleset, action.dice, to)}
        assert isinstance(action, Score), "rules with announcements have no breakdown"
        box = box_title(self.position.ruleset, action.box, to)
        return {f"{prefix}box": box, f"{prefix}points": self.position.offer_for(action).points}

    def _answer(self, to: Language) -> str:
        sides = (self._side(1), self._side(-1))
        total = round(round(self.total, DIGITS) * TENTHS)
        tenths = _rounded([points * TENTHS for side in sides for _, points in side], total)
        gained = self._listed(sides[0], tenths[: len(sides[0])], to)
        given_up = self._listed(sides[1], tenths[len(sides[0]) :], to)
        size = to.decimal(abs(total) / TENTHS)
        if gained and given_up:
            values = {"gained": to.listed(gained), "given_up": to.listed(given_up)}
            return to.say(_GAIN_AND_GIVE_UP[(total > 0) - (total < 0)], total=size, **values)
        if len(gained) == 1:
            return to.say("On average you gain {part}.", part=gained[0])
        if gained:
            return to.say("On average you gain {total} points: {parts}.", total=size, parts=to.listed(gained))
        if len(given_up) == 1:
            return to.say("On average you give up {part}.", part=given_up[0])
        if given_up:
            return to.say("On average you give up {total} points: {parts}.", total=size, parts=to.listed(given_up))
        if any(abs(points) > NONE for points in self.parts.values()):
            return to.say("It makes almost no difference.")
        return to.say("It changes nothing.")

    def _side(self, sign: int) -> list[tuple[str, float]]:
        """The components that the action gains (or with -1 gives up), the largest first, and the sum of those that are
        not named under no name. A single component is named instead of called a sum."""
        parts = [(name, round(points, DIGITS)) for name, points in self.parts.items() if sign * points > NONE]
        parts.sort(key=lambda part: -abs(part[1]))
        if len(parts) <= MOST_NAMED + 1:
            return parts
        return [*parts[:MOST_NAMED], ("", fsum(points for _, points in parts[MOST_NAMED:]))]

    def _listed(self, side: list[tuple[str, float]], tenths: list[int], to: Language) -> list[str]:
        """The parts of one side that are not 0 when rounded."""
        shown = [(name, to.decimal(abs(n) / TENTHS)) for (name, _), n in zip(side, tenths, strict=True) if n]
        return [self._part(name, points, to, is_alone=len(shown) == 1) for name, points in shown]

    def _part(self, component: str, points: str, to: Language, *, is_alone: bool) -> str:
        if component == UPPER_BONUS:
            return to.say("{points} in the upper bonus", points=points)
        if component == EXTRA_BONUS:
            box = joker_name(self.position.ruleset, to)
            return to.say("{points} in the bonus for an extra {box}", points=points, box=box)
        if component == OUTRIGHT_WIN:
            return to.say("{points} in chances to win at once", points=points)
        if component == THIS_TURN:
            return to.say("{points} in this turn", points=points)
        if component == LATER_TURNS:
            return to.say("{points} in later turns", points=points)
        if component:
            return to.say("{points} in {box}", points=points, box=box_title(self.position.ruleset, component, to))
        return (
            to.say("{points} in several places", points=points)
            if is_alone
            else to.say("{points} elsewhere", points=points)
        )


_GAIN_AND_GIVE_UP = {
    1: marked("On average it is worth {total} points more: you gain {gained}, and give up {given_up}."),
    -1: marked("On average it is worth {total} points less: you gain {gained}, and give up {given_up}."),
    0: marked("On average it is worth about the same: you gain {gained}, and give up {given_up}."),
}
"""The sign of the total → the answer."""

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


def why(
    solution: "Solution | PlainSolution",
    position: Position | str,
    action: Action | str | None = None,
    instead_of: Action | str | None = None,
    *,
    breakdown: "Breakdown | PlainBreakdown | None" = None,
) -> Why:
    """The difference between two actions of a position, by component.

    Without actions, it is that of the best one and the next best; with one, that of it and the best of the others.
    `breakdown` is that of the solution, by default found here, and kept for the next call. Raises `IllegalError` like
    `advise`, and if an action is not legal or the breakdown is that of other rules.
    """
    if isinstance(solution, PlainSolution):
        assert isinstance(breakdown, PlainBreakdown), "found with NumPy only"
        position = position_under(solution.ruleset, position)
    else:
        from fivedice.solver.play.breakdown import Breakdown

        position = position_of(solution, position)
        breakdown = _breakdown(solution) if breakdown is None else breakdown
        if not isinstance(breakdown, Breakdown):
            raise wrong_type("a Breakdown, as find_breakdown() returns", breakdown)
    if breakdown.ruleset.digest != solution.ruleset.digest:
        raise IllegalError(f"this is the breakdown of {breakdown.ruleset}, not of {solution.ruleset}")
    advice = advise(solution, position)
    action = advice.best.action if action is None else advice.of(action).action
    if instead_of is None:
        others = [one.action for one in advice if one.action != action]
        if not others:
            raise IllegalError(f"{position} has one legal action only: {action}")
        instead_of = others[0]
    instead_of = advice.of(instead_of).action
    difference = map(sub, parts_after(breakdown, position, action), parts_after(breakdown, position, instead_of))
    return Why(position, action, instead_of, dict(zip(breakdown.names, difference, strict=True)))


@lru_cache(maxsize=1)
def _breakdown(solution: "Solution") -> "Breakdown":
    from fivedice.solver.play.breakdown import find_breakdown

    return find_breakdown(solution)


def parts_after(breakdown: "Breakdown | PlainBreakdown", position: Position, action: Action) -> list[float]:
    """The expected points of each component after a legal action, including those it writes.

    As in values, the whole upper bonus counts as still to come.
    """
    ruleset, num_boxes = position.ruleset, len(position.ruleset.boxes)
    if isinstance(action, Keep):
        if isinstance(breakdown, PlainBreakdown):
            return breakdown.of_keep(position.card, action.dice, position.rolls_left)
        from fivedice.solver.tables.dice_tables import keep_rows

        row = keep_rows(ruleset.dice, ruleset.faces)[action.dice]
        found = breakdown.of_keep(state_index(breakdown.solution, position.card), row, position.rolls_left)
        return _on_card(breakdown, position.card, found.tolist())
    assert isinstance(action, Score), "rules with announcements have no breakdown"
    offer = position.offer_for(action)
    if isinstance(breakdown, PlainBreakdown):
        return breakdown.after(position.card, position.dice, offer)
    box = ruleset.box_index[action.box]
    card = position.take(offer).cards[position.seat]
    if card.won:
        parts = [0.0] * len(breakdown.names)
        columns = enumerate(ruleset.columns)
        parts[num_boxes] = sum(column.multiplier * card.upper_bonus(number) for number, column in columns)
        parts[num_boxes + 2] = card.outright_points
    else:
        parts = _on_card(breakdown, card, breakdown.at(state_index(breakdown.solution, card)).tolist())
    parts[box] += offer.points * ruleset.columns[ruleset.boxes[box].column].multiplier
    parts[num_boxes + 1] += offer.bonus
    return parts


def _on_card(breakdown: "Breakdown", card: ScoreCard, parts: list[float]) -> list[float]:
    """Parts of a turn state as parts of a card: interchangeable boxes share a place in the table."""
    boxes = breakdown.solution.states.stand_ins(card.filled)
    return [*(parts[box] for box in boxes), *parts[len(boxes) :]]


def component_name(ruleset: Ruleset, component: str, to: Language = ENGLISH) -> str:
    """The name of a component in a table."""
    if component == UPPER_BONUS:
        return to.say("Upper bonus")
    if component == EXTRA_BONUS:
        box = joker_name(ruleset, to)
        return to.say("Extra {box} bonus", box=box) if box else to.say("Extra bonus")
    if component == OUTRIGHT_WIN:
        return to.say("Outright win")
    if component in (THIS_TURN, LATER_TURNS):
        return to.say("This turn") if component == THIS_TURN else to.say("Later turns")
    return box_title(ruleset, component, to)


def _rounded(values: list[float], total: int) -> list[int]:
    """Each value rounded down or up so that they add up to `total`, the rounded sum of the values: those with the
    largest remainders are rounded up."""
    down = [floor(value) for value in values]
    by_remainder = sorted(range(len(values)), key=lambda index: down[index] - values[index])
    for index in by_remainder[: total - sum(down)]:
        down[index] += 1
    return down
