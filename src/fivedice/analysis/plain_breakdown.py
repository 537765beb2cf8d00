"""`PlainBreakdown`: what explains the difference between two actions, in plain Python over portable tables.

It follows optimal play from a keep to the end of the turn, and breaks ties as the kernels do; then it adds up the
expected points of the turn states that follow, by component, from the table.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import add

from fivedice.analysis.action_values import PlainSolution, Tables, Turn, best_within, place_of_card, tables_of
from fivedice.game.action import Offer, offers
from fivedice.game.card import ScoreCard
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.components import LATER_TURNS, THIS_TURN, component_names
from fivedice.solver.saved.portable import PortableParts
from fivedice.solver.tables.states import EQUAL


@dataclass(frozen=True, eq=False)
class PlainBreakdown:
    """What `why` needs of a `Breakdown`, without NumPy. The rules have no saved rolls, and forbid no zero.

    Without `parts`, its components are the points of this turn and those of later ones.
    """

    solution: PlainSolution
    parts: PortableParts | None

    @property
    def ruleset(self) -> Ruleset:
        """The rules that this breaks down."""
        return self.solution.ruleset

    @property
    def names(self) -> tuple[str, ...]:
        """The components in order."""
        return component_names(self.ruleset) if self.parts else (THIS_TURN, LATER_TURNS)

    def at(self, card: ScoreCard) -> list[float]:
        """The points to come after a card, by component."""
        values, states = self.solution.float_values, self.solution.states
        place = place_of_card(states, card)
        if self.parts is None:
            return [0.0, values[place]]
        row = place // states.stride
        if self.parts.begins[row] == self.parts.begins[row + 1]:  # the game is over
            found = [0.0] * len(self.names)
            found[len(self.ruleset.boxes)] = values[place]
            return found
        before = sum([value == value for value in values[row * states.stride : place]])
        return self.parts.at(self.parts.begins[row] + before)

    def of_keep(self, card: ScoreCard, keep: Dice, rolls_left: int) -> list[float]:
        """The points of each component after a keep with so many rolls left, those that the turn writes included."""
        found = [0.0] * len(self.names)
        for (offer, dice), chance in _play(self.solution, card).endings(keep, rolls_left).items():
            found = list(map(add, found, [chance * points for points in self.after(card, dice, offer)]))
        return found

    def after(self, card: ScoreCard, dice: Dice, offer: Offer) -> list[float]:
        """The points of each component after an offer, those that it writes included."""
        ruleset = self.ruleset
        box = ruleset.box_index[offer.action.box]
        found = self.at(card.fill(box, dice, offer.points, bonus=offer.bonus, saved=0, won=False))
        box_part, bonus_part = (box, len(ruleset.boxes) + 1) if self.parts else (0, 0)
        found[box_part] += offer.points * ruleset.columns[ruleset.boxes[box].column].multiplier
        found[bonus_part] += offer.bonus
        return found


class _Play:
    """One turn of optimal play from a card. Rows are those of `Tables`."""

    def __init__(self, solution: PlainSolution, card: ScoreCard) -> None:
        self._ruleset, self._card = card.ruleset, card
        self._turn = Turn(solution.states, solution.float_values.__getitem__, card, None)
        self._tables: Tables = tables_of(card.ruleset.dice, card.ruleset.faces)
        self._rows = list(self._tables.row)

    def endings(self, keep: Dice, rolls_left: int) -> dict[tuple[Offer, Dice], float]:
        """The chance of each offer that ends the turn, with the dice if they are all equal."""
        first_roll, found = self._tables.first_roll, dict[tuple[Offer, Dice], float]()
        chances = [0.0] * len(self._rows)
        chances[self._tables.row[keep]] = 1.0
        share = 1.0 / self._ruleset.faces
        for level in range(rolls_left - 1, -1, -1):
            for row in range(first_roll):
                if chance := chances[row]:
                    for child in self._tables.above[row]:
                        chances[child] += chance * share
            rolled, chances = chances[first_roll:], [0.0] * len(chances)
            for roll, chance in enumerate(rolled):
                kept = self._kept[level][roll] if level and chance else None
                if kept is not None:
                    chances[kept] += chance
                elif chance:
                    dice = self._rows[first_roll + roll]
                    ending = self._best[roll][1], dice if len({*dice}) == 1 else ()
                    found[ending] = found.get(ending, 0.0) + chance
        return found

    @cached_property
    def _best(self) -> list[tuple[float, Offer]]:
        """The value and the offer of the best score of every roll; of equal ones a zero, else the first of the card."""
        return [self._best_score(roll) for roll in self._rows[self._tables.first_roll :]]

    def _best_score(self, dice: Dice) -> tuple[float, Offer]:
        found = sorted(offers(self._card, dice), key=lambda offer: offer.points > 0)
        best, value = found[0], self._turn.offered(found[0], dice, 0)
        for offer in found[1:]:
            if (other := self._turn.offered(offer, dice, 0)) > value + EQUAL:
                best, value = offer, other
        return value, best

    @cached_property
    def _kept(self) -> list[list[int | None]]:
        """By rolls left, for every roll the row of the best keep; None to score."""
        first_roll, found = self._tables.first_roll, list[list[int | None]]([[]])
        best = [value for value, _ in self._best]
        x = [0.0] * first_roll + best + [0.0]
        self._turn.average(self._tables.children, x)
        for _ in range(1, self._ruleset.rolls):
            within = best_within(self._tables, x)
            found.append([])
            for roll, (row, score) in enumerate(zip(within[first_roll:], best, strict=True), start=first_roll):
                is_kept = x[roll] - EQUAL > score
                found[-1].append(row if is_kept else None)
                x[roll] = x[roll] if is_kept else score
            self._turn.average(self._tables.children, x)
        return found


_play = lru_cache(maxsize=8)(_Play)
"""Two actions of a position are explained together, and often those of one turn."""
