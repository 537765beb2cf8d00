"""`ActionNumbers`: every action of a ruleset as a number from 0, in an order that never changes.

First come the boxes, in the order of the card; then, if the ruleset has voluntary zeros, the same boxes scratched; then
the announcements; then every keep, in the order of `fivedice.rulesets.dice.keeps`: smaller
ones first, those of equal size in lexicographic order.

>>> from fivedice import Keep, Score, load_ruleset
>>> numbers = ActionNumbers(load_ruleset("yahtzee"))
>>> numbers.size, numbers.first_keep
(475, 13)
>>> numbers.number(Score("chance")), numbers.number(Keep(())), numbers.number(Keep((6, 6, 6)))
(12, 13, 96)
>>> str(numbers.action(96))
'keep 666'
"""

from dataclasses import dataclass
from functools import cached_property
from math import comb
from operator import index
from typing import TYPE_CHECKING

from fivedice.base.errors import MalformedError
from fivedice.game.action import Action, Announce, Keep, Score
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.dice import keeps
from fivedice.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from fivedice.solver.tables.states import Array

MOST_KEEPS = 10_000
"""The most keeps of a ruleset. More would make masks of gigabytes."""


def ruleset_of(rules: str | Ruleset) -> Ruleset:
    """A ruleset, or that with a name in notation; raises `MalformedError` if it has too many keeps."""
    ruleset = load_ruleset(rules) if isinstance(rules, str) else rules
    num_keeps = comb(ruleset.dice + ruleset.faces, ruleset.faces)
    if num_keeps > MOST_KEEPS:
        raise MalformedError(f"{ruleset} has {num_keeps:,} keeps: an environment can number {MOST_KEEPS:,} at most")
    return ruleset


@dataclass(frozen=True)
class ActionNumbers:
    """The numbers of a ruleset's actions."""

    ruleset: Ruleset

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Every action, by number."""
        ruleset = self.ruleset
        scores = [Score(box.id, is_scratch=not points) for points in ruleset.writable(1) for box in ruleset.boxes]
        announcements = [Announce(ruleset.boxes[box].id) for box in sorted(ruleset.announceable_boxes)]
        return (*scores, *announcements, *map(Keep, keeps(ruleset.dice, ruleset.faces)))

    @property
    def size(self) -> int:
        """The number of actions."""
        return len(self.actions)

    @property
    def first_announcement(self) -> int:
        """The number of the first announcement; that of the first keep if there are none."""
        return len(self.ruleset.boxes) * len(self.ruleset.writable(1))

    @property
    def first_keep(self) -> int:
        """The number of the first keep, that of no dice."""
        return self.first_announcement + len(self.ruleset.announceable_boxes)

    @cached_property
    def _numbers(self) -> dict[Action, int]:
        return {action: number for number, action in enumerate(self.actions)}

    def number(self, action: Action) -> int:
        """The number of an action; raises `MalformedError` if the ruleset has no such action."""
        try:
            return self._numbers[action]
        except KeyError:
            raise MalformedError(f"{self.ruleset} has no action '{action}'") from None

    def action(self, number: int) -> Action:
        """The action with a number; raises `MalformedError` for any other number."""
        if not 0 <= index(number) < self.size:
            raise MalformedError(f"action {number}: want a number from 0 to {self.size - 1}")
        return self.actions[number]

    def mask(self, position: Position) -> "Array":
        """int8[size]: 1 for each legal action of a position, otherwise 0."""
        import numpy as np

        mask = np.zeros(self.size, dtype=np.int8)
        mask[[self._numbers[action] for action in position.actions()]] = 1
        return mask
