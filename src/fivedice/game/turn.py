"""`Turn` of a record: its rolls, the keeps between them, and the score that ended it."""

from dataclasses import dataclass

from fivedice.dice import Dice, format_dice
from fivedice.game.action import Keep, Offer


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its rolls, the keep before each roll but the first, and the score that ended it (None until then)."""

    seat: int
    rolls: tuple[Dice, ...]
    keeps: tuple[Keep, ...] = ()
    offer: Offer | None = None

    def __str__(self) -> str:
        steps = [format_dice(self.rolls[0])]
        for keep, roll in zip(self.keeps, self.rolls[1:], strict=True):
            steps += [str(keep), format_dice(roll)]
        if self.offer:
            bonus = f" +{self.offer.bonus}" if self.offer.bonus else ""
            steps.append(f"{self.offer.action} = {self.offer.points}{bonus}")
        return f"{self.seat}: {', '.join(steps)}"
