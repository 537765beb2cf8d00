"""`solve_turns`: solves rules whose turns the kernels do not know, with NumPy alone.

It runs the recursion of `docs/solving.md` for many turn states at once: an array has a row for each keep and a column
for each turn state.

Lines, conversions, announcements and points by the number of the roll are solved card by card. Without an announcement,
only boxes of other columns can be scored. After the first roll of a turn, each announcement adds the value of a turn in
which only its box can be scored.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from fivedice.rulesets.dice import rolls, ways
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.dice_tables import best_keeps, dice_tables, roll_indices, roll_keeps
from fivedice.solver.tables.states import Array, States

BLOCK = 2_048
"""Turn states that are solved at once: an array of them has about 8 MB."""

Progress = Callable[[int, int], None]


def solve_turns(states: States, unreachable: float, progress: Progress | None) -> tuple[Array, int]:
    """float64[entries], the table of turn states as in `Solution.values`, and how many states play can reach.

    `unreachable` is the entry of all others. `progress` is called with (cards solved, cards).
    """
    values = np.full(states.num_entries, unreachable)
    layers = layers_of_cards(states)
    is_reached = np.zeros(states.num_entries, dtype=np.bool_)
    is_reached[states.first_indices] = True
    all_rolls = roll_indices(states.ruleset.dice, states.ruleset.faces)
    points = [
        *zip(*(states.ruleset.face_scores(roll) * len(states.ruleset.columns) for roll in all_rolls), strict=True)
    ]
    part_values = [np.array(values) for values in states.part_values]
    cards = [_Card(states, card, points, part_values) for layer in layers for card in layer.tolist()]
    for card in cards:
        card.reach(is_reached)
    for number, card in enumerate(reversed(cards), start=1):
        card.solve(is_reached, values)
        if progress:
            progress(number, len(cards))
    return values, int(np.count_nonzero(is_reached))


@lru_cache(maxsize=4)
def _order(num_dice: int, num_faces: int) -> list[int]:
    """The place of each of `fivedice.rulesets.dice.rolls` among the rolls of `dice_tables`."""
    place = roll_indices(num_dice, num_faces)
    return [place[roll] for roll in rolls(num_dice, num_faces)]


@lru_cache(maxsize=4)
def _chances(num_dice: int, num_faces: int) -> Array:
    """float64[R]: the chance of each of `fivedice.rulesets.dice.rolls`, in whose order means are added up."""
    found: Array = np.array([float(ways(roll)) for roll in rolls(num_dice, num_faces)]) / num_faces**num_dice
    return found


class _Card:
    """One card of the table: the boxes that are filled, and those that a turn may fill."""

    def __init__(self, states: States, card: int, points: Sequence[Sequence[int]], part_values: list[Array]) -> None:
        self._points = points
        """Those of every roll in each box, on the last roll of a turn."""
        self._states, self._ruleset, self._card = states, states.ruleset, card
        self._part_values = part_values
        self._filled = states.filled(card)
        self._is_last = len(self._filled) == states.ruleset.rounds
        planes = [*map(len, part_values[::-1]), *map(len, states.column_totals[:0:-1])]
        self._shape = (states.num_cards + states.num_won_cards, *planes, states.stride)
        """The radices of an index, the card first: there are no flags, pending points or saved rolls."""
        self._rows = slice(card * states.num_planes * states.stride, (card + 1) * states.num_planes * states.stride)

    def reach(self, out_reached: Array) -> None:
        """Mark the turn states after each turn from the marked ones of this card."""
        at = self._marked(out_reached)
        if self._is_last or not at.size:
            return
        for box in self._next_boxes():
            for points in self._points_of(box):
                out_reached[self._after(box, points, at)[0]] = True

    def solve(self, is_reached: Array, out_values: Array) -> None:
        """Write the values of the marked turn states of this card, after those of all cards with one more box."""
        at = self._marked(is_reached)
        for start in range(0, at.size, BLOCK):
            part = at[start : start + BLOCK]
            out_values[part] = self._end_values(part) if self._is_last else self._turn_values(part, out_values)

    def _marked(self, is_reached: Array) -> Array:
        return np.flatnonzero(is_reached[self._rows]) + self._rows.start

    def _next_boxes(self) -> list[int]:
        """The boxes that a turn may fill by the order of their column, also after an announcement."""
        radices, turns, steps = self._states.radices, self._states.turns, self._states.steps
        return [box for box in range(len(radices)) if self._card // steps[box] % radices[box] == turns[box]]

    def _points_of(self, box: int) -> Sequence[int]:
        return sorted(self._ruleset.attainable_by_box[box])

    def _end_values(self, at: Array) -> Array:
        bonus = np.array([float(self._ruleset.bonus_for(total)) for total in range(self._states.cap + 1)])
        totals, parts = self._figures(at)
        columns = zip(self._ruleset.columns, totals, strict=True)
        bonuses: Array = sum((column.multiplier * bonus[totals] for column, totals in columns), np.zeros(at.size))
        if not self._ruleset.conversion:
            return bonuses
        result, first_award = np.zeros(at.size), 3 * len(self._ruleset.line_boxes)
        for award, counted in zip(self._ruleset.conversion, parts[first_award:], strict=True):
            reached = counted + (bonuses if award.is_of_card else 0)
            result += [award.points_for(number) for number in reached.tolist()]
        return result

    def _figures(self, at: Array) -> tuple[list[Array], list[Array]]:
        """The upper total of each column; and the points in the boxes of lines, and what awards count, as in
        `TurnState.parts`."""
        digits = np.unravel_index(at, self._shape)[:0:-1]
        totals = [known.start + digit for known, digit in zip(self._states.column_totals, digits, strict=False)]
        parts = zip(self._part_values, digits[len(totals) :], strict=True)
        return totals, [values[digit] for values, digit in parts]

    def _after(self, box: int, points: int, at: Array) -> tuple[Array, Array]:
        """int64[N] and float64[N]: the turn states after writing points in a box, and what that adds to the score."""
        states, ruleset = self._states, self._ruleset
        column = ruleset.boxes[box].column
        totals, parts = self._figures(at)
        gained = np.full(at.size, float(points if box in ruleset.counted_boxes else 0))
        if ruleset.boxes[box].category.section == "upper":
            totals[column] = np.minimum(totals[column] + points, states.cap)
        for number, line in enumerate(ruleset.line_boxes):
            if box not in line:
                continue
            own = slice(3 * number, 3 * number + 3)
            parts[3 * number + line.index(box)] = np.full(at.size, points)
            if self._filled.issuperset(other for other in line if other != box):
                plus, minus, times = parts[own]
                gained += (plus - minus) * times
                parts[own] = [np.zeros_like(plus)] * 3
        gained *= ruleset.columns[column].multiplier
        if ruleset.conversion:
            self._count(box, points, gained, parts)
            gained = np.zeros_like(gained)
        digits = [total - known.start for known, total in zip(states.column_totals, totals, strict=True)]
        digits += map(np.searchsorted, self._part_values, parts)
        index = np.ravel_multi_index((np.full_like(at, self._card + states.steps[box]), *digits[::-1]), self._shape)
        return index, gained

    def _count(self, box: int, points: int, gained: Array, out_parts: list[Array]) -> None:
        """Add points in a box, which gain so much with their multiplier, to what the awards of the conversion count."""
        for place, award in enumerate(self._ruleset.conversion, start=3 * len(self._ruleset.line_boxes)):
            if award.is_of_card:
                added = gained.astype(np.int64)
            elif award.category in ("", self._ruleset.boxes[box].category.id):
                added = np.full_like(out_parts[place], bool(points) if award.of == "boxes" else points)
            else:
                continue
            out_parts[place] = np.minimum(out_parts[place] + added, award.tiers[-1].at)

    def _turn_values(self, at: Array, values: Array) -> Array:
        """The expected points to come before the first roll of a turn."""
        boxes, kind = self._next_boxes(), (self._ruleset.dice, self._ruleset.faces)
        others = [box for box in boxes if box not in self._ruleset.announceable_boxes]
        turns = [*([others] if others else []), *([box] for box in boxes if box not in others)]
        best = np.full((len(_order(*kind)), at.size), -np.inf)
        for allowed in turns:
            np.maximum(best, self._first_rolls(allowed, at, values)[_order(*kind)], out=best)
        # A product of matrices would be added in an order that depends on the processor.
        best *= _chances(*kind)[:, np.newaxis]
        expected: Array = best.sum(axis=0)
        return expected

    def _first_rolls(self, boxes: Sequence[int], at: Array, values: Array) -> Array:
        """float64[R, N]: the value of each first roll of a turn that may fill these boxes alone."""
        ruleset = self._ruleset
        worth: dict[int, dict[int, Array]] = {box: {} for box in boxes}
        for box in boxes:
            for points in self._points_of(box):
                index, gained = self._after(box, points, at)
                worth[box][points] = gained + values[index]
        dice = dice_tables(ruleset.dice, ruleset.faces)
        scores = self._scores(0, worth, at.size)
        x = np.concatenate([np.zeros((dice.num_small, at.size)), scores])
        for level in range(1, ruleset.rolls):
            roll_keeps(dice, x)
            best_keeps(dice, x)
            if ruleset.num_early:
                scores = self._scores(level, worth, at.size)
                np.maximum(x[dice.num_small :], scores, out=x[dice.num_small :])
        return x[dice.num_small :]

    def _scores(self, rolls_left: int, worth: dict[int, dict[int, Array]], num: int) -> Array:
        """float64[R, N]: the value of the best score of each roll, in the order of `dice_tables`."""
        best = np.full((len(_order(self._ruleset.dice, self._ruleset.faces)), num), -np.inf)
        roll_number = self._ruleset.rolls - 1 - rolls_left
        for box, by_points in worth.items():
            early = self._ruleset.boxes[box].category.early_bonus(roll_number)
            for row, points in enumerate(self._points[box]):
                for written in self._ruleset.writable(points):
                    np.maximum(best[row], by_points[written and written + early], out=best[row])
        return best
