"""Dice from any source of chance: a `random.Random`, the module `random`, or a NumPy `Generator`.

>>> import random
>>> roll_dice(random.Random(7), 5, 6)
(1, 2, 3, 4, 6)
"""

from collections.abc import Iterable
from typing import Any, Literal, Protocol, TypeAlias

from fivedice.base.errors import wrong_type
from fivedice.rulesets.dice import Dice, as_dice, sorted_dice


class PythonChance(Protocol):
    """What is needed of a `random.Random`."""

    def randrange(self, start: int, stop: int, /) -> int:
        """A whole number from `start` to `stop` − 1."""
        ...


class NumpyChance(Protocol):
    """What is needed of a `numpy.random.Generator`."""

    def integers(self, low: int, high: int, /, size: int) -> Any:
        """`size` whole numbers from `low` to `high` − 1."""
        ...


Chance: TypeAlias = PythonChance | NumpyChance

Rolled: TypeAlias = Iterable[int] | str | Chance
"""Dice that were rolled, such as (3, 3, 5), [3, 3, 5] or "335", or a source of chance to roll them."""


DiceSource: TypeAlias = Literal["program", "real"]
"""Where the dice of a game come from. People rolled "real" ones themselves and entered them by hand."""


def is_chance(rolled: object) -> bool:
    """Whether this is a source of chance, not dice."""
    return hasattr(rolled, "randrange") or hasattr(rolled, "integers")


def roll_dice(chance: Any, num_dice: int, num_faces: int) -> Dice:
    """So many fair dice, in ascending order; the same seed gives the same dice."""
    if hasattr(chance, "integers"):
        return as_dice(chance.integers(1, num_faces + 1, size=num_dice).tolist())
    return as_dice(chance.randrange(1, num_faces + 1) for _ in range(num_dice))


def dice_of(rolled: Rolled, num_dice: int, num_faces: int) -> Dice:
    """Dice that were rolled, in ascending order, or so many from a source of chance.

    Raises `TypeError` for anything else; the number and the faces of dice that were rolled are not checked.
    """
    if is_chance(rolled):
        return roll_dice(rolled, num_dice, num_faces)
    if not isinstance(rolled, Iterable):
        wanted = 'dice, as in (3, 3, 5) or "335", or a source of chance, as random.Random(1)'
        raise wrong_type(wanted, rolled)
    return sorted_dice(rolled)
