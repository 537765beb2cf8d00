"""`solve_plainly`: solves rules with conversions, lines, announcements and points by the number of the roll, with NumPy
alone.

It runs the recursion of `docs/solving.md` for all turn states of a card at once: an array has a row for each keep and a
column for each turn state. Without an announcement, only boxes of other columns can be scored. After the first roll of
a turn, each box that can be announced adds the value of a turn in which only this box can be scored.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.solver.tables.states import Array, States
from fivedice.solver.turn_rules.keep_edges import KeepEdges, keep_edges

BLOCK = 2_048
"""Turn states that are solved at once: an array of them has about 8 MB."""


def solve_plainly(states: States, unreachable: float, progress: Callable[[int, int], None] | None) -> tuple[Array, int]:
    """float64[entries], the table of turn states as in `Solution.values`, and how many states play can reach.

    `unreachable` is the entry of all others. `progress` is called with (cards solved, cards).
    """
    layers = layers_of_cards(states)
    is_reached = np.zeros(states.num_entries, dtype=np.bool_)
    is_reached[0] = True
    cards = [_Card(states, card) for layer in layers for card in layer.tolist()]
    for card in cards:
        card.reach(is_reached)
    values = np.full(states.num_entries, unreachable)
    for number, card in enumerate(reversed(cards), start=1):
        card.solve(is_reached, values)
        if progress:
            progress(number, len(cards))
    return values, int(np.count_nonzero(is_reached))


class _Card:
    """One card of the table: the boxes that are filled, and those that a turn may fill."""

    def __init__(self, states: States, card: int) -> None:
        self._states, self._ruleset, self._card = states, states.ruleset, card
        self._filled = states.filled(card)
        self._is_last = len(self._filled) == states.ruleset.boxes_to_fill
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
        """The boxes that a turn may fill by the order of their column, announced or not."""
        radices, turns, steps = self._states.radices, self._states.turns, self._states.steps
        return [box for box in range(len(radices)) if self._card // steps[box] % radices[box] == turns[box]]

    def _points_of(self, box: int) -> Sequence[int]:
        return sorted(self._ruleset.attainable_by_box[box])

    def _end_values(self, at: Array) -> Array:
        bonus = np.array([float(self._ruleset.bonus_for(total)) for total in range(self._states.num_lanes)])
        columns = zip(self._ruleset.columns, self._totals(at), strict=True)
        bonuses: Array = sum((column.multiplier * bonus[totals] for column, totals in columns), np.zeros(at.size))
        if not self._ruleset.conversion:
            return bonuses
        result, first_award = np.zeros(at.size), 3 * len(self._ruleset.line_boxes)
        for award, counted in zip(self._ruleset.conversion, self._parts(at)[first_award:], strict=True):
            reached = counted + (bonuses if award.is_of_card else 0)
            result += [award.points_for(number) for number in reached.tolist()]
        return result

    def _totals(self, at: Array) -> list[Array]:
        """The upper total of each column."""
        lanes, plane = at % self._states.stride, at // self._states.stride % self._states.num_planes
        found = [lanes]
        for _ in self._ruleset.columns[1:]:
            plane, total = np.divmod(plane, self._states.num_lanes)
            found.append(total)
        return found

    def _parts(self, at: Array) -> list[Array]:
        """The points in the boxes of lines, and what awards count, as in `TurnState.parts`."""
        plane = at // self._states.stride % self._states.num_planes // self._states.num_totals
        found = []
        for radix in self._states.part_radices:
            plane, part = np.divmod(plane, radix)
            found.append(part)
        return found

    def _after(self, box: int, points: int, at: Array) -> tuple[Array, Array]:
        """int64[N] and float64[N]: the turn states after writing points in a box, and what that adds to the score."""
        states, ruleset = self._states, self._ruleset
        column = ruleset.boxes[box].column
        totals, parts = self._totals(at), self._parts(at)
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
        plane = np.zeros_like(at)
        for radix, part in zip(reversed(states.part_radices), reversed(parts), strict=True):
            plane = plane * radix + part
        for total in reversed(totals[1:]):
            plane = plane * states.num_lanes + total
        index = ((self._card + states.steps[box]) * states.num_planes + plane) * states.stride + totals[0]
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
        boxes, dice = self._next_boxes(), keep_edges(self._ruleset.dice, self._ruleset.faces)
        announced = [box for box in boxes if box in self._ruleset.announced_boxes]
        others = [box for box in boxes if box not in announced]
        turns = [others, *([box] for box in announced)] if others else [[box] for box in announced]
        best = np.full((dice.num_rolls, at.size), -np.inf)
        for allowed in turns:
            np.maximum(best, self._first_rolls(allowed, at, values, dice), out=best)
        expected: Array = dice.chances @ best
        return expected

    def _first_rolls(self, boxes: Sequence[int], at: Array, values: Array, dice: KeepEdges) -> Array:
        """float64[R, N]: the value of each first roll of a turn that may fill these boxes alone."""
        worth = {
            box: {points: gained + values[index] for points, index, gained in self._outcomes(box, at)} for box in boxes
        }
        best = self._scores(0, worth, at.size, dice)
        for level in range(1, self._ruleset.rolls):
            best = dice.best_keeps(best)
            if self._ruleset.num_early:
                np.maximum(best, self._scores(level, worth, at.size, dice), out=best)
        return best

    def _outcomes(self, box: int, at: Array) -> Iterator[tuple[int, Array, Array]]:
        for points in self._points_of(box):
            yield points, *self._after(box, points, at)

    def _scores(self, rolls_left: int, worth: dict[int, dict[int, Array]], num: int, dice: KeepEdges) -> Array:
        """float64[R, N]: the value of the best score of each roll."""
        best = np.full((dice.num_rolls, num), -np.inf)
        roll_number = self._ruleset.rolls - 1 - rolls_left
        for box, by_points in worth.items():
            category = self._ruleset.boxes[box].category
            for row, roll in enumerate(dice.rolls):
                points = category.score(roll)
                points += category.early_bonus(roll_number) if points else 0
                np.maximum(best[row], by_points[points], out=best[row])
                if self._ruleset.voluntary_zero:
                    np.maximum(best[row], by_points[0], out=best[row])
        return best
