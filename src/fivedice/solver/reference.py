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
from itertools import combinations, permutations

from fivedice.dice import Dice, rolls, sub_keeps, ways, with_dice
from fivedice.ruleset import Joker, Ruleset
from fivedice.solver.tables.states import TurnState


class Reference:
    """The values of a ruleset, computed on demand."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.value = cache(self._value)
        self.best = cache(self._best)
        self.after = cache(self._after)
        self.lines = ruleset.line_boxes

    def _value(self, state: TurnState) -> Fraction:
        """Expected points to come before the first roll of a turn, including the upper bonus."""
        if len(state.filled) == self.ruleset.boxes_to_fill:
            return self._end_value(state)
        return self.after(state, (), self.ruleset.rolls + state.saved)

    def _after(self, state: TurnState, keep: Dice, n: int, announced: int | None = None) -> Fraction:
        """Expected points to come before the dice beside a keep are rolled, with `n` rolls left."""
        rolled = rolls(self.ruleset.dice - len(keep), self.ruleset.faces)
        total = sum(ways(dice) * self.best(state, with_dice(keep, dice), n - 1, announced) for dice in rolled)
        return Fraction(total, sum(map(ways, rolled)))

    def _best(self, state: TurnState, dice: Dice, n: int, announced: int | None = None) -> Fraction:
        """Points to come with the best action for these dice and `n` more rolls, after an announcement if any."""
        if self.ruleset.boxes_per_turn == 2:
            choices = [points + value for points, value in self._pair_scores(state, dice)]
            return max(choices + [self.after(state, keep, n) for keep in sub_keeps(dice) if n])
        choices = [points + value for points, value in self._scores(state, dice, n, announced)]
        called = self.ruleset.announced_boxes.intersection(self._playable(state.filled))
        must_announce = announced is None and not called.symmetric_difference(self._playable(state.filled))
        if n and not must_announce:
            choices += [self.after(state, keep, n, announced) for keep in sub_keeps(dice)]
        if announced is None and n == self.ruleset.rolls + state.saved - 1:
            choices += [self.best(state, dice, n, box) for box in called]
        return max(choices)

    def _end_value(self, state: TurnState) -> Fraction:
        columns = zip(self.ruleset.columns, state.totals, strict=True)
        bonuses = sum(column.multiplier * self.ruleset.bonus_for(total) for column, total in columns)
        if not self.ruleset.conversion:
            return Fraction(bonuses)
        return Fraction(
            sum(
                award.points_for(counted + (bonuses if award.is_of_card else 0))
                for award, counted in zip(self.ruleset.conversion, self._counted(state), strict=True)
            )
        )

    def _counted(self, state: TurnState) -> tuple[int, ...]:
        """What each award of the conversion counts."""
        return state.parts[3 * len(self.lines) :] or (0,) * len(self.ruleset.conversion)

    def _count(self, state: TurnState, index: int, written: int, gained: int) -> tuple[int, ...]:
        """What each award counts after writing points in a box, which gain so much with their multiplier."""
        found = []
        for award, counted in zip(self.ruleset.conversion, self._counted(state), strict=True):
            is_counted = award.category in ("", self.ruleset.boxes[index].category.id)
            added = bool(written) if award.of == "boxes" else written
            found.append(counted + (gained if award.is_of_card else added if is_counted else 0))
        return tuple(found)

    def _won_value(self, state: TurnState) -> Fraction:
        turns_left = self.ruleset.rounds - len(state.filled)
        return self._end_value(state) + self.ruleset.outright_points(turns_left)

    def _scores(
        self, state: TurnState, dice: Dice, n: int, announced: int | None = None
    ) -> Iterator[tuple[int, Fraction]]:
        """For each way to end the turn, its points and the expected points to come after it."""
        ruleset = self.ruleset
        is_first = n == ruleset.rolls + state.saved - 1
        jokers, is_equal = ruleset.joker_boxes, bool(ruleset.joker_boxes) and len(set(dice)) == 1
        is_begun = bool(jokers & state.filled)
        is_extra = is_equal and jokers <= state.filled
        earned = ruleset.extra_bonus if is_extra and not state.spoiled else 0
        if is_equal and ruleset.wild_while_open and (is_begun or state.spoiled):
            is_extra = True
        goes_elsewhere = is_equal and not is_begun and ruleset.tracks_first
        is_locked = state.spoiled or not jokers <= state.filled  # a box can require only that of the joker category
        scores = []
        for index, at_joker_value in self._boxes(state, dice[0], is_extra):
            category = ruleset.boxes[index].category
            points = category.joker_score(dice) if at_joker_value else category.score(dice)
            if index != announced if announced is not None else index in ruleset.announced_boxes:
                continue
            if points:
                points += category.early_bonus(ruleset.rolls + state.saved - 1 - n)
            if (category.requires and is_locked) or not self._is_within_limit(state, index, points):
                points = 0
            scores.append((index, points))
        if ruleset.forced_score and any(points for _, points in scores):
            scores = [(index, points) for index, points in scores if points]
        for index, points in scores:
            box = ruleset.boxes[index]
            multiplier = ruleset.columns[box.column].multiplier
            for written in {points, 0} if ruleset.voluntary_zero else {points}:
                spoiled = state.spoiled
                if index in jokers:
                    spoiled = not written or (spoiled and (is_begun or ruleset.first_in_box))
                elif goes_elsewhere:
                    spoiled = True
                bonus = earned * (multiplier if ruleset.bonus_by_column else 1)
                if ruleset.bonus_needs_points and not written:
                    bonus = 0
                totals = list(state.totals)
                totals[box.column] += written if box.category.section == "upper" else 0
                parts, in_line = self._write(state, index, written)
                gained = ((written if index in ruleset.counted_boxes else 0) + in_line) * multiplier
                parts += self._count(state, index, written, gained)
                after = TurnState(
                    state.filled | {index},
                    tuple(totals),
                    spoiled,
                    n if ruleset.saved_rolls else 0,
                    self._pending(state, index, written),
                    parts,
                )
                is_won = is_first and written and box.category.first_roll_wins
                value = self._won_value(after) if is_won else self.value(after)
                yield 0 if ruleset.conversion else gained + bonus, value

    def _pair_scores(self, state: TurnState, dice: Dice) -> Iterator[tuple[int, Fraction]]:
        """As `_scores`, for every two boxes and every division of the dice between them."""
        categories = self.ruleset.categories
        for part in combinations(range(len(dice)), self.ruleset.dice_per_box):
            own = tuple(dice[place] for place in part)
            rest = tuple(dice[place] for place in range(len(dice)) if place not in part)
            for first, second in permutations(self._playable(state.filled), 2):
                points = categories[first].score(own) + categories[second].score(rest)
                yield points, self.value(TurnState(state.filled | {first, second}))

    def _write(self, state: TurnState, box: int, points: int) -> tuple[tuple[int, ...], int]:
        """The parts of lines after writing points in a box, and the points of the line that this completes."""
        parts = list(state.parts[: 3 * len(self.lines)] or (0,) * 3 * len(self.lines))
        for number, line in enumerate(self.lines):
            if box in line:
                parts[3 * number + line.index(box)] = points
                if state.filled.issuperset(other for other in line if other != box):
                    plus, minus, times = parts[3 * number : 3 * number + 3]
                    parts[3 * number : 3 * number + 3] = [0, 0, 0]
                    return tuple(parts), (plus - minus) * times
        return tuple(parts), 0

    def _is_within_limit(self, state: TurnState, index: int, points: int) -> bool:
        """Whether a box can hold these points beside its partner: the pending points are there once that is filled."""
        pair = self.ruleset.limited_pair or ()
        return index not in pair or self.ruleset.is_within_limit(index, points, state.pending)

    def _pending(self, state: TurnState, index: int, written: int) -> int:
        """The pending points after a score."""
        pair = frozenset(self.ruleset.limited_pair or ())
        if index not in pair:
            return state.pending
        return 0 if pair <= state.filled | {index} else written

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
