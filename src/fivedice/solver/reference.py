"""`Reference`: the recursion in exact Fractions, straight from the Ruleset, sharing no arithmetic with the kernels.

The solver is tested against it. It is also the shortest complete description of what is solved.

>>> from fivedice.rulesets import load_ruleset
>>> only_chance_left = TurnState(filled=frozenset(range(12)), totals=(63,), spoiled=True)
>>> Reference(load_ruleset("yahtzee")).value(only_chance_left)
Fraction(175, 3)
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from fivedice.dice import Dice, rolls, sub_keeps, ways, with_dice
from fivedice.ruleset import Joker, Ruleset
from fivedice.solver.states import TurnState


class Reference:
    """The values of a ruleset, computed on demand."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.value = cache(self._value)
        self.best = cache(self._best)
        self.after = cache(self._after)

    def _value(self, state: TurnState) -> Fraction:
        """Expected points to come before the first roll of a turn, including the upper bonus."""
        if len(state.filled) == self.ruleset.rounds:
            return self._end_value(state)
        return self.after(state, (), self.ruleset.rolls + state.saved)

    def _after(self, state: TurnState, keep: Dice, n: int) -> Fraction:
        """Expected points to come before the dice beside a keep are rolled, with `n` rolls left."""
        rolled = rolls(self.ruleset.dice - len(keep), self.ruleset.faces)
        total = sum(ways(dice) * self.best(state, with_dice(keep, dice), n - 1) for dice in rolled)
        return Fraction(total, sum(map(ways, rolled)))

    def _best(self, state: TurnState, dice: Dice, n: int) -> Fraction:
        """Points to come with the best action for these dice and `n` more rolls."""
        choices = [points + value for points, value in self._scores(state, dice, n)]
        if n:
            choices += [self.after(state, keep, n) for keep in sub_keeps(dice)]
        return max(choices)

    def _end_value(self, state: TurnState) -> Fraction:
        columns = zip(self.ruleset.columns, state.totals, strict=True)
        return Fraction(sum(column.multiplier * self.ruleset.bonus_for(total) for column, total in columns))

    def _scores(self, state: TurnState, dice: Dice, n: int) -> Iterator[tuple[int, Fraction]]:
        """For each way to end the turn, its points and the expected points to come after it."""
        ruleset = self.ruleset
        is_first = n == ruleset.rolls + state.saved - 1
        is_extra = bool(ruleset.joker_boxes) and ruleset.joker_boxes <= state.filled and len(set(dice)) == 1
        earned = ruleset.extra_bonus if is_extra and not state.spoiled else 0
        for index, at_joker_value in self._boxes(state, dice[0], is_extra):
            box = ruleset.boxes[index]
            points = box.category.joker_score(dice) if at_joker_value else box.category.score(dice)
            if points and is_first:
                points += box.category.first_roll_bonus
            for written in {points, 0} if ruleset.voluntary_zero else {points}:
                totals = list(state.totals)
                totals[box.column] += written if box.category.section == "upper" else 0
                after = TurnState(
                    state.filled | {index},
                    tuple(totals),
                    state.spoiled or (index in ruleset.joker_boxes and not written),
                    n if ruleset.saved_rolls else 0,
                )
                is_won = is_first and written and box.category.first_roll_wins
                value = self._end_value(after) if is_won else self.value(after)
                yield written * ruleset.columns[box.column].multiplier + earned, value

    def _boxes(self, state: TurnState, face: int, is_extra: bool) -> list[tuple[int, bool]]:
        """The boxes that a roll may fill, and whether each takes the roll at joker value."""
        joker = self.ruleset.joker if is_extra else Joker.NONE
        playable = list(self._playable(state.filled))
        lower = [index for index in playable if self.ruleset.boxes[index].category.section == "lower"]
        upper = [index for index in playable if index not in lower]
        matching = [index for index in upper if index in self.ruleset.matching_upper[face]]
        jokers = [(index, True) for index in lower]
        at_face_value = [(index, False) for index in upper]
        if joker in (Joker.FORCED, Joker.WILD) and matching:
            return [(index, False) for index in matching]
        if joker in (Joker.FORCED, Joker.LOWER_FIRST):
            return jokers or at_face_value
        is_filled = bool(self.ruleset.matching_upper[face]) and self.ruleset.matching_upper[face] <= state.filled
        if joker is Joker.WILD or (joker is Joker.FREE and is_filled):
            return jokers + at_face_value
        return [(index, False) for index in playable]

    def _playable(self, filled: frozenset[int]) -> Iterator[int]:
        """The open boxes that the order of their column lets a turn fill."""
        for number, column in enumerate(self.ruleset.columns):
            boxes = [index for index, box in enumerate(self.ruleset.boxes) if box.column == number]
            free = [index for index in boxes if index not in filled]
            yield from {"free": free, "down": free[:1], "up": free[-1:]}[column.order]
