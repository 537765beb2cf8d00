"""`Turn` of a record: its rolls, the keeps between them, what was announced, and the score that ended it.

`Resignation` is a seat that gave up the game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fivedice.game.action import Action, Announce, Keep, Offer
from fivedice.rulesets.dice import Dice, format_dice


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its rolls, the keep before each roll but the first, the score that ended it (None until then), and what
    was announced (None if nothing was) after the roll with the number `announced_roll`, from 0.

    A turn in which its seat resigned, or another seat by which the game ended, has no score. `missing` counts the rolls
    of real dice before the first of `rolls` that were not entered; the keeps between them are unknown, too.
    """

    seat: int
    rolls: tuple[Dice, ...]
    keeps: tuple[Keep, ...] = ()
    offer: Offer | None = None
    announced: Announce | None = None
    announced_roll: int = 0
    missing: int = 0

    def announce(self, action: Announce) -> "Turn":
        """With an announcement after its last roll."""
        return replace(self, announced=action, announced_roll=len(self.keeps))

    @property
    def undone(self) -> "Turn | None":
        """Without its score, or else without an announcement after which nothing was rolled; None if it has neither."""
        if self.offer:
            return replace(self, offer=None)
        is_last = self.announced is not None and self.announced_roll == len(self.keeps)
        return replace(self, announced=None) if is_last else None

    def actions(self, roll: int) -> Iterator[Action | None]:
        """What was done after the roll with this number, in order; None, the last, if that was not decided."""
        if self.announced and self.announced_roll == roll:
            yield self.announced
        if roll < len(self.keeps):
            yield self.keeps[roll]
        else:
            yield self.offer.action if self.offer else None

    def __str__(self) -> str:
        steps = [format_dice(self.rolls[0])]
        for keep, roll in zip(self.keeps, self.rolls[1:], strict=True):
            steps += [str(keep), format_dice(roll)]
        if self.announced:
            steps.insert(1 + 2 * self.announced_roll, str(self.announced))
        steps = ["-"] * self.missing + steps
        if self.offer:
            bonus = f" +{self.offer.bonus}" if self.offer.bonus else ""
            steps.append(f"{self.offer.action} = {self.offer.points}{bonus}")
        return f"{self.seat}: {', '.join(steps)}"


@dataclass(frozen=True, slots=True)
class Resignation:
    """A seat gave up the game after `num_turns` turns, the last of which may be unfinished then."""

    seat: int
    num_turns: int

    def __str__(self) -> str:
        return f"{self.seat}: resign"
