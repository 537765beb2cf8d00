"""`Turn` of a record: its rolls, the keeps between them, what was announced, and the score that ended it."""

from dataclasses import dataclass

from fivedice.dice import Dice, format_dice
from fivedice.game.action import Announce, Keep, Offer


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its rolls, the keep before each roll but the first, the score that ended it (None until then), and what
    was announced (None if nothing was) after the roll with the number `announced_roll`, from 0."""

    seat: int
    rolls: tuple[Dice, ...]
    keeps: tuple[Keep, ...] = ()
    offer: Offer | None = None
    announced: Announce | None = None
    announced_roll: int = 0

    @property
    def is_announced_last(self) -> bool:
        """Whether nothing was rolled after the announcement."""
        return self.announced is not None and self.announced_roll == len(self.keeps)

    def __str__(self) -> str:
        steps = [format_dice(self.rolls[0])]
        for keep, roll in zip(self.keeps, self.rolls[1:], strict=True):
            steps += [str(keep), format_dice(roll)]
        if self.announced:
            steps.insert(1 + 2 * self.announced_roll, str(self.announced))
        if self.offer:
            bonus = f" +{self.offer.bonus}" if self.offer.bonus else ""
            steps.append(f"{self.offer.action} = {self.offer.points}{bonus}")
        return f"{self.seat}: {', '.join(steps)}"
